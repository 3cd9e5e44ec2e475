"""Track parcels, cache what carriers answer, serve it over HTTP."""

from .cache import LruCache
from .config import Settings, load_settings
from .parser import ParseError, parse_label
from .store import ParcelStore

__version__ = "0.9.2"

__all__ = [
    "LruCache",
    "ParcelStore",
    "ParseError",
    "Settings",
    "load_settings",
    "parse_label",
]

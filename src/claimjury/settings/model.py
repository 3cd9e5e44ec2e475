"""The settings, each declared once, and who may set it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from claimjury.jury.request import DEFAULT_PANEL
from claimjury.jury.result import Polarity

__all__ = [
    "ENV_PREFIX",
    "PROJECT_KEYS",
    "PROJECT_NARROWS",
    "PROJECT_RULES",
    "USER_ONLY",
    "OutputFormat",
    "Settings",
]

ENV_PREFIX: Final = "CLAIMJURY_"
OutputFormat = Literal["text", "json", "markdown"]


def _split(value: Any) -> Any:
    """Read `a,b` of an environment variable; a file gives a list."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


_Listed = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)]


class Settings(BaseSettings):
    """What the commands take where no flag says otherwise."""

    model_config = SettingsConfigDict(
        env_prefix=ENV_PREFIX, extra="forbid", frozen=True, env_ignore_empty=True
    )

    panel: _Listed = Field(
        default=DEFAULT_PANEL,
        description="1 to 5 model ids, each of another vendor.",
        examples=[["glm-5.2:cloud", "kimi-k3:cloud"]],
    )
    min_refute_votes: int = Field(default=2, description="How many refutes it takes, 1 to 5.", examples=[2])
    polarity: Polarity = Field(
        default="assertions", description="What CONFIRMED means: good news or bad.", examples=["assertions"]
    )
    reask: bool = Field(
        default=True, description="Ask a juror once more for votes that its reply lacks.", examples=[True]
    )
    deadline: float | None = Field(
        default=None, description="Seconds for a whole run. A project may only lower it.", examples=[120]
    )
    format: OutputFormat = Field(default="text", description="What to print.", examples=["text"])
    sources: _Listed = Field(default=(), description="Files that every run sends.", examples=[["src/a.py"]])
    roots: tuple[Path, ...] = Field(
        default=(),
        description="Where sources may lie. A project may only narrow it.",
        examples=[["/home/me/project"]],
    )
    allow_secrets: bool = Field(
        default=False, description="Send files that are named like secrets.", examples=[False]
    )
    trusted_hosts: tuple[str, ...] = Field(
        default=(),
        description="Base URLs that may see the key, besides Ollama's own.",
        examples=[["https://gateway.example"]],
    )
    save: bool = Field(default=True, description="Keep every run in the ledger.", examples=[True])
    keep_content: bool = Field(
        default=True,
        description="Keep claims, evidence and replies, not only hashes and votes.",
        examples=[True],
    )
    ledger: Path | None = Field(
        default=None,
        description="The ledger's file, where it is not the usual one.",
        examples=["/home/me/ledger.sqlite3"],
    )


PROJECT_KEYS: Final = ("panel", "min_refute_votes", "polarity", "reask", "format", "sources")
PROJECT_RULES: Final = ("panel", "min_refute_votes", "polarity", "reask", "sources")
"""Those of a project's keys that bear on a verdict; `format` does not."""
PROJECT_NARROWS: Final = ("deadline", "roots")
USER_ONLY: Final = ("roots", "allow_secrets", "trusted_hosts", "ledger")
"""Not from the environment either: a variable is inherited from whoever started the program."""

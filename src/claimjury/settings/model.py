"""The settings, each declared once, and who may set it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field, PositiveFloat, PositiveInt
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from claimjury.jury.request import DEFAULT_PANEL
from claimjury.jury.result import Polarity
from claimjury.jury.settling import SettleMode
from claimjury.values import Value

__all__ = [
    "ENV_PREFIX",
    "LOWERED",
    "PROJECT_KEYS",
    "PROJECT_NARROWS",
    "PROJECT_RULES",
    "USER_ONLY",
    "OutputFormat",
    "Server",
    "Settings",
]

ENV_PREFIX: Final = "CLAIMJURY_"
OutputFormat = Literal["text", "json", "markdown"]


def _split(value: Any) -> Any:
    """Read `a,b` of an environment variable; a file gives a list."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


class Server(Value):
    """An OpenAI-compatible server of the user's own.

    Attributes:
        base_url: That its SDK is given, usually ending in `/v1`.
        key_variable: The variable that holds its key; absent where it needs none.
    """

    base_url: str
    key_variable: str | None = None


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
    alternates: _Listed = Field(
        default=(),
        description="Models that stand in, each once, for a seat that falls out.",
        examples=[["minimax-m3:cloud"]],
    )
    author: str | None = Field(
        default=None,
        description="Who writes the claims, a family or a model id; that family never sits.",
        examples=["anthropic"],
    )
    allow_same_family: bool = Field(
        default=False, description="Let models of one family sit, with one common vote.", examples=[False]
    )
    min_refute_votes: int = Field(default=2, description="How many refutes it takes, 1 to 5.", examples=[2])
    polarity: Polarity = Field(
        default="assertions", description="What CONFIRMED means: good news or bad.", examples=["assertions"]
    )
    reask: bool = Field(
        default=True, description="Ask a juror once more for votes that its reply lacks.", examples=[True]
    )
    require_quotes: bool = Field(
        default=False,
        description="Count a decisive vote that quotes nothing which stands in the evidence as UNCERTAIN.",
        examples=[True],
    )
    settle: SettleMode = Field(
        default="first",
        description="Settle what a tool can decide before jurors are asked (`first`), alone (`only`), or not at all (`off`).",
        examples=["first"],
    )
    deadline: float | None = Field(
        default=None, description="Seconds for a whole run. A project may only lower it.", examples=[120]
    )
    max_cost: PositiveFloat | None = Field(
        default=None,
        description="US dollars that a run may cost at worst. A project may only lower it.",
        examples=[0.5],
    )
    max_tokens: PositiveInt | None = Field(
        default=None,
        description="Tokens that a run may take at worst. A project may only lower it.",
        examples=[2_000_000],
    )
    daily_cost: PositiveFloat | None = Field(
        default=None,
        description="US dollars a day (UTC) over all runs, counted in the ledger.",
        examples=[5.0],
    )
    daily_tokens: PositiveInt | None = Field(
        default=None, description="Tokens a day (UTC) over all runs.", examples=[20_000_000]
    )
    daily_runs: PositiveInt | None = Field(
        default=None, description="Runs a day (UTC) that may be started.", examples=[50]
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
    redact: bool = Field(
        default=False,
        description="Send sources and the reference without what has the form of a secret, in place of refusing them.",
        examples=[True],
    )
    strip_comments: bool = Field(
        default=False, description="Send sources without comments and docstrings.", examples=[True]
    )
    trusted_hosts: tuple[str, ...] = Field(
        default=(),
        description="Base URLs that may see the key, besides Ollama's own.",
        examples=[["https://gateway.example"]],
    )
    servers: dict[str, Server] = Field(
        default_factory=dict,
        description="OpenAI-compatible servers, by the first segment of their model ids.",
        examples=[{"lab": {"base_url": "https://llm.example/v1", "key_variable": "LAB_API_KEY"}}],
    )
    families: dict[str, str] = Field(
        default_factory=dict,
        description="Model ids, or whole words that they begin with, and the family that trained them.",
        examples=[{"acme-coder": "alibaba"}],
    )
    windows: dict[str, PositiveInt] = Field(
        default_factory=dict,
        description="Context windows in tokens, by model id, where nobody else says them.",
        examples=[{"groq/llama-3.3-70b-versatile": 131_072}],
    )
    project_providers: _Listed = Field(
        default=("ollama",),
        description="Providers whose models a project's file may put on the panel.",
        examples=[["ollama", "openai"]],
    )
    caller_providers: _Listed = Field(
        default=(),
        description="Providers whose models a caller of the MCP server may name, besides those of your panel.",
        examples=[["openai"]],
    )
    hook: Literal["off", "note", "block"] = Field(
        default="note",
        description="What the hook at the end of an agent's turn does about broken citations: nothing, tell, or hold the turn up.",
        examples=["note"],
    )
    hook_fail: Literal["open", "closed"] = Field(
        default="open",
        description="Whether a turn is held up where the hook itself fails.",
        examples=["open"],
    )
    check_roots: tuple[Path, ...] = Field(
        default=(),
        description="Where `check` may run a project's own code at most; no cap by default.",
        examples=[["/home/me/projects"]],
    )
    mcp_checks: bool = Field(
        default=False,
        description="Let callers of the MCP server have the project's checks run, which is its own code.",
        examples=[True],
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


PROJECT_KEYS: Final = (
    "panel",
    "alternates",
    "min_refute_votes",
    "polarity",
    "reask",
    "format",
    "sources",
    "require_quotes",
    "strip_comments",
)
PROJECT_RULES: Final = (
    *(
        "panel",
        "alternates",
        "min_refute_votes",
        "polarity",
        "reask",
        "sources",
        "require_quotes",
        "strip_comments",
    ),
)
"""Those of a project's keys that bear on a verdict; `format` does not."""
LOWERED: Final = ("deadline", "max_cost", "max_tokens")
"""Numbers that a project may lower and not raise."""
PROJECT_NARROWS: Final = (*LOWERED, "roots")
USER_ONLY: Final = (
    "roots",
    "allow_secrets",
    "trusted_hosts",
    "ledger",
    "max_cost",
    "max_tokens",
    "daily_cost",
    "daily_tokens",
    "daily_runs",
    "servers",
    "families",
    "windows",
    "project_providers",
    "caller_providers",
    "check_roots",
    "mcp_checks",
)
"""Not from the environment either: a variable is inherited from whoever started the program."""

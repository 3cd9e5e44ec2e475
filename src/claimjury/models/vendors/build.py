"""Building: a vendor's model of pydantic-ai, given our HTTP client, its host's own key and nothing of the environment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pydantic_ai.models import Model

from claimjury.models.providers import Adapter, ProviderHost
from claimjury.models.vendors.witness import WitnessClient

__all__ = ["build_model"]

_NO_KEY: Final = "no-key"
"""SDKs want one for servers that need none; the client takes it out of the request again."""


def build_model(name: str, host: ProviderHost, client: WitnessClient) -> Model[Any]:
    """Give the model. Its SDK must be installed."""
    return _BUILDERS[host.provider.adapter](name, host, client)


def _key(host: ProviderHost) -> str:
    return host.api_key or _NO_KEY


def _openai(name: str, host: ProviderHost, client: WitnessClient) -> Model[Any]:
    # Chat completions rather than responses: they are not stored by the vendor unless asked to, and carry a fingerprint.
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(base_url=host.url, api_key=_key(host), http_client=client)
    return OpenAIChatModel(name, provider=provider)


def _compatible(name: str, host: ProviderHost, client: WitnessClient) -> Model[Any]:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    provider = OpenAICompatibleProvider(
        host.provider.name, base_url=host.url, api_key=_key(host), http_client=client
    )
    return OpenAIChatModel(name, provider=provider)


def _openrouter(name: str, host: ProviderHost, client: WitnessClient) -> Model[Any]:
    from openai import AsyncOpenAI
    from pydantic_ai.models.openrouter import OpenRouterModel
    from pydantic_ai.providers.openrouter import OpenRouterProvider

    sdk = AsyncOpenAI(base_url=host.url, api_key=_key(host), http_client=client)
    return OpenRouterModel(name, provider=OpenRouterProvider(openai_client=sdk))


def _anthropic(name: str, host: ProviderHost, client: WitnessClient) -> Model[Any]:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    provider = AnthropicProvider(api_key=_key(host), base_url=host.url, http_client=client)
    return AnthropicModel(name, provider=provider)


def _google(name: str, host: ProviderHost, client: WitnessClient) -> Model[Any]:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    provider = GoogleProvider(api_key=_key(host), base_url=host.url, http_client=client)
    return GoogleModel(name, provider=provider)


def _mistral(name: str, host: ProviderHost, client: WitnessClient) -> Model[Any]:
    from mistralai.extra.observability.telemetry import configure_telemetry
    from opentelemetry.trace import NoOpTracerProvider
    from pydantic_ai.models.mistral import MistralModel
    from pydantic_ai.providers.mistral import MistralProvider

    provider = MistralProvider(api_key=_key(host), base_url=host.url, http_client=client)
    # A variable could have the SDK send prompts and the key to a collector of traces, past our client.
    configure_telemetry(provider.client, provider=NoOpTracerProvider())
    return MistralModel(name, provider=provider)


_BUILDERS: Final[Mapping[Adapter, Callable[[str, ProviderHost, WitnessClient], Model[Any]]]] = {
    "openai": _openai,
    "compatible": _compatible,
    "openrouter": _openrouter,
    "anthropic": _anthropic,
    "google": _google,
    "mistral": _mistral,
}

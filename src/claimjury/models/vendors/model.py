"""One model of a vendor, as the jury knows models: its answers carry their provenance, its failures are our codes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ThinkingPart, ToolCallPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings, ThinkingLevel

from claimjury.errors import CallError
from claimjury.models.answers import Answer, ToolCall
from claimjury.models.marks import SCRIPTED_HEADER
from claimjury.models.providers import ProviderHost
from claimjury.models.seam import FailedCall, carrying
from claimjury.models.traits import Traits
from claimjury.models.vendors.build import build_model
from claimjury.models.vendors.echo import read_echo
from claimjury.models.vendors.failures import vendor_failure
from claimjury.models.vendors.witness import Captured, WitnessClient

__all__ = ["VendorModel", "vendor_settings"]


class VendorModel(WrapperModel):
    """A model at a vendor's own host. `models.seam.answer_of` gives the provenance of what it answers."""

    def __init__(self, name: str, *, host: ProviderHost, client: WitnessClient) -> None:
        """Make the model; its SDK must be installed.

        Args:
            name: The model as the host takes it.
            host: The host.
            client: The open client of this seat alone.
        """
        super().__init__(build_model(name, host, client))
        self._name = name
        self._host = host
        self._client = client

    def traits(self, known: Traits) -> Traits:
        """Add to what is known whether the model takes a setting for its thinking, as pydantic-ai knows it."""
        return replace(known, think="low" if self.profile.get("supports_thinking") else False)

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Ask once, without retries of the SDK's.

        Raises:
            FailedCall: The call failed.
        """
        try:
            response = await super().request(messages, model_settings, model_request_parameters)
            answer = self._answer(response)
        except Captured:
            raise
        except CallError as error:
            raise FailedCall(error, self._name) from None
        except Exception as error:  # noqa: BLE001 - whatever an SDK raises is a failed call of this seat, never a crash.
            raise FailedCall(self._failure(error), self._name) from None
        return carrying(response, answer)

    def _failure(self, error: Exception) -> CallError:
        if captured := _captured(error):
            raise captured
        return vendor_failure(error, self._client.last, host=self._host, model=self._name).reworded(
            self._host.scrub
        )

    def _answer(self, response: ModelResponse) -> Answer:
        exchange = self._client.last
        if exchange is None:
            raise CallError("BAD_RESPONSE", f"The SDK gave an answer that {self._host.host} did not send.")
        echo, scrub = read_echo(exchange), self._host.scrub
        if echo.cut:
            raise CallError("BAD_RESPONSE", f"The reply of {self._host.host} ended early.", retryable=True)
        return Answer(
            text=scrub(_joined(response, TextPart)),
            thinking=scrub(_joined(response, ThinkingPart)),
            served_model=scrub(echo.served_model),
            host=self._host.host,
            done_reason=response.finish_reason,
            prompt_tokens=response.usage.input_tokens if echo.counted else None,
            output_tokens=response.usage.output_tokens if echo.counted else None,
            request_id=scrub(echo.request_id),
            fingerprint=scrub(echo.fingerprint),
            cost_usd=echo.cost_usd,
            scripted=SCRIPTED_HEADER.casefold() in exchange.headers,
            tool_calls=tuple(
                replace(call, name=scrub(call.name), arguments=scrub(call.arguments))
                for call in _calls(response)
            ),
        )


def _captured(error: BaseException) -> Captured | None:
    """Give the end of a dry run where an SDK has wrapped it."""
    current: BaseException | None = error
    while current is not None:
        if isinstance(current, Captured):
            return current
        current = current.__cause__ or current.__context__
    return None


def _calls(response: ModelResponse) -> Iterator[ToolCall]:
    for part in response.parts:
        if isinstance(part, ToolCallPart):
            yield ToolCall(id=part.tool_call_id, name=part.tool_name, arguments=part.args_as_json_str())


def _joined(response: ModelResponse, kind: type[TextPart | ThinkingPart]) -> str:
    return "".join(part.content for part in response.parts if isinstance(part, kind))


def vendor_settings(*, max_tokens: int, think: str | None, temperature: float | None) -> ModelSettings:
    """Give the settings of a request; what is None is not sent. The SDKs' own retries are off: ours are counted."""
    settings = ModelSettings(max_tokens=max_tokens, max_retries=0)
    if think is not None:
        settings["thinking"] = cast("ThinkingLevel", think)
    if temperature is not None:
        settings["temperature"] = temperature
    return settings

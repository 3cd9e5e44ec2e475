"""One model of an Ollama host, as a pydantic-ai `Model`, its provenance kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, cast

import httpx2
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters, check_allow_model_requests
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from claimjury.errors import CallError
from claimjury.models.answers import Answer
from claimjury.models.clients import read_whole
from claimjury.models.failures import status_failure, transport_failure
from claimjury.models.hosts import Host
from claimjury.models.marks import SCRIPTED_HEADER
from claimjury.models.ollama.body import chat_body
from claimjury.models.ollama.wire import read_reply, wire_messages, wire_tool
from claimjury.models.seam import FailedCall, as_response
from claimjury.models.traits import Think

__all__ = ["MAX_REPLY_BYTES", "OllamaModel", "OllamaSettings", "ollama_settings"]

MAX_REPLY_BYTES: Final = 50_000_000


class OllamaSettings(ModelSettings, total=False):
    """The settings of one request.

    Attributes:
        ollama_think: What to send as `think`; absent, the field is not sent.
        ollama_num_ctx: Tokens of context that a local model is loaded with; absent, the field is not sent.
    """

    ollama_think: bool | str
    ollama_num_ctx: int


def ollama_settings(
    *, num_predict: int, think: Think | None, temperature: float | None, num_ctx: int | None = None
) -> OllamaSettings:
    """Give the settings of a request; what is None is not sent."""
    settings = OllamaSettings(max_tokens=num_predict)
    if num_ctx is not None:
        settings["ollama_num_ctx"] = num_ctx
    if think is not None:
        settings["ollama_think"] = think
    if temperature is not None:
        settings["temperature"] = temperature
    return settings


class OllamaModel(Model[httpx2.AsyncClient]):
    """A model that speaks Ollama's native `/api/chat`.

    Use it with `pydantic_ai.direct.model_request` or an `Agent`; text and tools. `models.seam.answer_of` gives the provenance.
    """

    def __init__(self, name: str, *, host: Host, client: httpx2.AsyncClient) -> None:
        """Make the model.

        Args:
            name: The model as the host takes it.
            host: The cloud, or the local daemon.
            client: Its open client (`open_client`).
        """
        super().__init__()
        self._model = name
        self._host = host
        self._client = client

    @property
    def model_name(self) -> str:
        """The name as sent."""
        return self._model

    @property
    def system(self) -> str:
        """The provider's name in telemetry."""
        return "ollama"

    @property
    def base_url(self) -> str:
        """The host that is asked."""
        return self._host.host

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Ask once, without retries.

        Raises:
            FailedCall: The call failed.
        """
        check_allow_model_requests()
        settings, parameters = self.prepare_request(model_settings, model_request_parameters)
        body = self._body(messages, cast("OllamaSettings", settings or {}), parameters.function_tools)
        try:
            answer = await self._post(body)
        except CallError as error:
            raise FailedCall(error, self._model) from None
        return as_response(answer, provider="ollama")

    def _body(
        self, messages: list[ModelMessage], settings: OllamaSettings, tools: Sequence[ToolDefinition]
    ) -> bytes:
        body = chat_body(
            self._model,
            wire_messages(messages),
            num_predict=settings.get("max_tokens"),
            temperature=settings.get("temperature"),
            think=settings.get("ollama_think"),
            num_ctx=settings.get("ollama_num_ctx"),
            tools=[wire_tool(tool) for tool in tools],
        )
        # Half a surrogate pair, which a model may write, becomes the escape that JSON has for it.
        return json.dumps(body, ensure_ascii=False).encode("utf-8", "backslashreplace")

    async def _post(self, body: bytes) -> Answer:
        headers = {"Content-Type": "application/json"}
        try:
            async with self._client.stream("POST", "/api/chat", content=body, headers=headers) as response:
                reply = await read_whole(response, self._host.host, limit=MAX_REPLY_BYTES)
                if response.status_code == 200:
                    answer = read_reply(
                        reply, host=self._host, content_type=response.headers.get("content-type", "")
                    )
                    return replace(answer, scripted=answer.scripted or SCRIPTED_HEADER in response.headers)
                raise status_failure(
                    response.status_code, response.headers, reply, host=self._host, model=self._model
                )
        except httpx2.TransportError as error:
            raise transport_failure(error, host=self._host) from error
        except httpx2.HTTPError as error:
            raise CallError(
                "BAD_RESPONSE", f"The reply of {self._host.host} cannot be read: {error}."
            ) from error

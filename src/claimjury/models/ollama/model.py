"""One model of an Ollama cloud, as a pydantic-ai `Model`, its provenance kept."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, Final, TypedDict, cast

import httpx2
from pydantic_ai.exceptions import ModelAPIError
from pydantic_ai.messages import FinishReason, ModelMessage, ModelResponse, TextPart, ThinkingPart
from pydantic_ai.models import Model, ModelRequestParameters, check_allow_model_requests
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RequestUsage

from claimjury.errors import CallError
from claimjury.models.answers import Answer
from claimjury.models.hosts import Cloud
from claimjury.models.names import sent_name
from claimjury.models.ollama.failures import status_failure, transport_failure
from claimjury.models.ollama.wire import read_reply, request_body

__all__ = ["MAX_REPLY_BYTES", "OllamaCallError", "OllamaModel", "OllamaSettings", "answer_of"]

MAX_REPLY_BYTES: Final = 50_000_000
_FINISH: Final[dict[str, FinishReason]] = {"stop": "stop", "length": "length"}


class OllamaSettings(ModelSettings, total=False):
    """The settings of one request.

    Attributes:
        ollama_think: What to send as `think`; absent, the field is not sent.
    """

    ollama_think: bool | str


class OllamaCallError(ModelAPIError):
    """A failed call, as pydantic-ai's own agents and fallbacks know it; `failure` says it in our codes."""

    def __init__(self, failure: CallError, model_name: str) -> None:
        super().__init__(model_name, failure.message, retry_after=failure.retry_after_s)
        self.failure = failure


class _Details(TypedDict):
    answer: dict[str, Any]


class OllamaModel(Model[httpx2.AsyncClient]):
    """A cloud model that speaks Ollama's native `/api/chat`.

    Use it with `pydantic_ai.direct.model_request` or an `Agent`; text only. `answer_of` gives the provenance.
    """

    def __init__(self, model: str, *, cloud: Cloud, client: httpx2.AsyncClient) -> None:
        """Make the model.

        Args:
            model: The id as the panel names it; the cloud suffix is taken off before it is sent.
            cloud: The host.
            client: Its open client (`open_client`).
        """
        super().__init__()
        self._model = sent_name(model)
        self._cloud = cloud
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
        return self._cloud.host

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Ask once, without retries.

        Raises:
            OllamaCallError: The call failed.
        """
        check_allow_model_requests()
        settings, _ = self.prepare_request(model_settings, model_request_parameters)
        body = self._body(messages, cast("OllamaSettings", settings or {}))
        try:
            answer = await self._post(body)
        except CallError as error:
            raise OllamaCallError(error.reworded(self._cloud.without_key), self._model) from None
        return _as_response(answer, self._cloud)

    def _body(self, messages: list[ModelMessage], settings: OllamaSettings) -> bytes:
        options: dict[str, Any] = {}
        if (temperature := settings.get("temperature")) is not None:
            options["temperature"] = temperature
        if (limit := settings.get("max_tokens")) is not None:
            options["num_predict"] = limit
        body = request_body(self._model, messages, options=options, think=settings.get("ollama_think"))
        return json.dumps(body, ensure_ascii=False).encode()

    async def _post(self, body: bytes) -> Answer:
        headers = {"Content-Type": "application/json"}
        try:
            async with self._client.stream("POST", "/api/chat", content=body, headers=headers) as response:
                reply = await self._read(response)
                if response.status_code == 200:
                    return read_reply(
                        reply, host=self._cloud.host, content_type=response.headers.get("content-type", "")
                    )
                raise status_failure(
                    response.status_code, response.headers, reply, host=self._cloud.host, model=self._model
                )
        except httpx2.TransportError as error:
            raise transport_failure(error, host=self._cloud.host) from error
        except httpx2.HTTPError as error:
            raise CallError(
                "BAD_RESPONSE", f"The reply of {self._cloud.host} cannot be read: {error}."
            ) from error

    async def _read(self, response: httpx2.Response) -> bytes:
        chunks: list[bytes] = []
        size = 0
        async for chunk in response.aiter_bytes():
            size += len(chunk)
            if size > MAX_REPLY_BYTES:
                raise CallError(
                    "RESPONSE_TOO_LARGE",
                    f"The reply of {self._cloud.host} is over {MAX_REPLY_BYTES:,} bytes; the rest was not read.",
                )
            chunks.append(chunk)
        return b"".join(chunks)


def _as_response(answer: Answer, cloud: Cloud) -> ModelResponse:
    # The host's own words might echo the key; our mark of a scripted answer is none of them.
    fields: dict[str, Any] = {
        name: cloud.without_key(value) if isinstance(value, str) else value
        for name, value in asdict(answer).items()
    }
    answer = Answer(**fields)
    details: _Details = {"answer": fields}
    thinking = [ThinkingPart(content=answer.thinking)] if answer.thinking else []
    return ModelResponse(
        parts=[*thinking, *([TextPart(content=answer.text)] if answer.text else [])],
        usage=RequestUsage(input_tokens=answer.prompt_tokens or 0, output_tokens=answer.output_tokens or 0),
        model_name=answer.served_model,
        provider_name="ollama",
        provider_url=answer.host,
        provider_details=cast("dict[str, Any]", details),
        finish_reason=_FINISH.get(answer.done_reason or ""),
    )


def answer_of(response: ModelResponse) -> Answer:
    """Give the answer, with its provenance, that a response of `OllamaModel` carries."""
    return Answer(**(response.provider_details or {})["answer"])

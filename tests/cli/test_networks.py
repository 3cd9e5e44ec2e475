"""Proxies and private certificate authorities, as a company's network has them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import trustme

from claimjury.testing import ScriptedOllama
from cli.helpers import Cli, Ran
from cli.tls_hosts import tls_front, tunnel, write_bundle
from jury.helpers import CLAIM, CONFIRM, trio

KEY = "sk-canary-0123456789"

pytestmark = pytest.mark.skipif(
    sys.platform == "darwin", reason="macOS takes authorities from its keychain alone"
)


@pytest.fixture
def verify(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    def run(**environ: str) -> Ran:
        for name, value in {"OLLAMA_API_KEY": KEY, **environ}.items():
            monkeypatch.setenv(name, value)
        return cli("verify", "--claim", CLAIM, "--json")

    return run


def test_a_run_goes_through_the_proxy_to_ollamas_own_host_with_the_key_inside_the_tunnel(
    verify: Callable[..., Ran],
) -> None:
    authority, asked = trustme.CA(), list[str]()
    bundle = write_bundle(authority, Path("ca.pem").absolute())
    with (
        ScriptedOllama(trio(CONFIRM), catalogue=[]) as server,
        tls_front(server, "ollama.com", authority) as front,
        tunnel(front, asked) as proxy,
    ):
        ran = verify(HTTPS_PROXY=proxy, SSL_CERT_FILE=str(bundle))
        headers = [item.headers["authorization"] for item in server.asked]
    assert ran.status == 20, ran.err
    envelope = ran.json
    assert envelope["result"]["egress"][0]["host"] == "https://ollama.com"
    assert envelope["result"]["egress"][0]["vendor"] == "Ollama Cloud"
    assert "unverified_host" not in envelope["result"]["claims"][0]["standing"]["reasons"]
    assert set(asked) == {"ollama.com:443"}
    assert headers == [f"Bearer {KEY}"] * 3
    assert KEY not in ran.out + ran.err


def test_a_certificate_of_an_unknown_authority_is_refused_and_says_so(verify: Callable[..., Ran]) -> None:
    authority, asked = trustme.CA(), list[str]()
    with (
        ScriptedOllama(trio(CONFIRM)) as server,
        tls_front(server, "ollama.com", authority) as front,
        tunnel(front, asked) as proxy,
    ):
        ran = verify(HTTPS_PROXY=proxy)
        assert server.paths == []
    assert ran.status == 4
    seat = ran.json["result"]["panel"][0]
    assert seat["exclude_reason"] == "call_failed:UNREACHABLE"
    assert "certificate" in seat["detail"].lower()
    assert "SSL_CERT_FILE" in seat["detail"]


def test_a_certificate_of_another_name_is_refused(verify: Callable[..., Ran]) -> None:
    authority = trustme.CA()
    bundle = write_bundle(authority, Path("ca.pem").absolute())
    with (
        ScriptedOllama(trio(CONFIRM)) as server,
        tls_front(server, "evil.example", authority) as front,
        tunnel(front, []) as proxy,
    ):
        ran = verify(HTTPS_PROXY=proxy, SSL_CERT_FILE=str(bundle))
        assert server.paths == []
    assert ran.status == 4


def test_a_proxy_that_nobody_runs_is_named_in_the_failure(verify: Callable[..., Ran]) -> None:
    with ScriptedOllama({}) as gone:
        dead = gone.url
    ran = verify(HTTPS_PROXY=dead)
    assert ran.status == 4
    assert "HTTPS_PROXY" in ran.json["result"]["panel"][0]["detail"]


def test_no_proxy_is_honoured(verify: Callable[..., Ran]) -> None:
    asked: list[str] = []
    with tunnel(("127.0.0.1", 9), asked) as proxy:
        ran = verify(HTTPS_PROXY=proxy, NO_PROXY="ollama.com")
    assert asked == []
    assert ran.status == 4

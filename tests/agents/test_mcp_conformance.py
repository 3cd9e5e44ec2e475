"""The protocol's own conformance suite against our server: each check that passes, and each that cannot, with its reason.

The suite is written for a sample server that has every feature, with tools and prompts of set names. What ours lacks is
listed; a check that starts to pass, or fails in other words than those listed, fails the test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import pytest

from agents.node_clients import at_once, conformance, needs_node_clients, operator_of, over_http
from claimjury.testing import ScriptedOllama
from jury.helpers import CONFIRM, trio

pytestmark = [needs_node_clients, pytest.mark.timeout(180)]
HANDSHAKE: Final = "2025-11-25"
STATELESS: Final = "2026-07-28"


class Lack(NamedTuple):
    """Checks that do not pass.

    Attributes:
        why: The reason.
        says: A pattern of what the suite says of each.
        rows: A scenario a line, with its checks; without, the one that is called like it.
    """

    why: str
    says: str
    rows: str


SAMPLE: Final = "It asks for a tool or a prompt of the suite's sample server."
FEATURES: Final = "The server has no resources, completion or log levels."
TASKS: Final = "The server does not have tasks, an extension of the protocol."
NO_METHOD: Final = "Method not found"
BOTH: Final = (
    Lack(
        SAMPLE,
        "There is no (tool|prompt) 'test_|'json_schema_2020_12_tool' not found",
        """
        json-schema-2020-12: json-schema-2020-12-tool-found
        prompts-get-embedded-resource
        prompts-get-simple
        prompts-get-with-args
        prompts-get-with-image
        tools-call-audio
        tools-call-embedded-resource
        tools-call-error
        tools-call-image
        tools-call-mixed-content
        tools-call-simple-text
        tools-call-with-progress
        """,
    ),
    Lack(
        FEATURES,
        NO_METHOD,
        """
        completion-complete
        resources-list
        resources-read-binary
        resources-read-text
        resources-templates-read
        """,
    ),
)
LACKING: Final[Mapping[str, tuple[Lack, ...]]] = {
    HANDSHAKE: (
        *BOTH,
        Lack(
            SAMPLE,
            "There is no tool 'test_",
            """
            elicitation-sep1034-defaults: elicitation-sep1034-general
            elicitation-sep1330-enums: elicitation-sep1330-general
            tools-call-elicitation
            tools-call-sampling
            """,
        ),
        Lack(
            FEATURES,
            NO_METHOD,
            """
            logging-set-level
            resources-subscribe
            resources-unsubscribe
            tools-call-with-logging
            """,
        ),
        Lack(
            "A stream that broke is not resumed: `get_run` has the run.",
            "This is recommended",
            "server-sse-polling: server-sse-priming-event server-sse-retry-field",
        ),
        Lack(
            "It tells what it did and judges nothing.",
            "^$",
            "server-sse-polling: incoming-response outgoing-request server-sse-disconnect-resume stream-closed",
        ),
    ),
    STATELESS: (
        *BOTH,
        Lack(
            SAMPLE,
            "There is no (tool|prompt) 'test_|^Not testable: server|InputRequiredResult",
            """
            http-custom-header-server-validation: sep-2243-server-decode-base64 sep-2243-server-no-xmcp-tool \
                sep-2243-server-reject-invalid-param-chars sep-2243-server-reject-param-mismatch \
                sep-2243-server-validate-param-match
            input-required-result-basic-elicitation: sep-2322-elicitation-incomplete
            input-required-result-basic-list-roots: sep-2322-list-roots-incomplete
            input-required-result-basic-sampling: sep-2322-sampling-incomplete
            input-required-result-capability-check: sep-2322-respect-client-capabilities
            input-required-result-ignore-extra-params: sep-2322-ignore-unexpected-params
            input-required-result-missing-input-response: sep-2322-missing-response-rerequests
            input-required-result-multi-round: sep-2322-multi-round-r1
            input-required-result-multiple-input-requests: sep-2322-multiple-inputs-incomplete
            input-required-result-non-tool-request: sep-2322-non-tool-incomplete
            input-required-result-request-state: sep-2322-request-state-incomplete
            input-required-result-result-type: sep-2322-result-type-included
            input-required-result-tampered-state: sep-2322-reject-tampered-state
            server-stateless: sep-2575-http-server-no-independent-requests-on-stream \
                sep-2575-missing-capability-http-400 sep-2575-server-no-log-without-loglevel \
                sep-2575-server-rejects-undeclared-capability
            """,
        ),
        Lack(
            FEATURES,
            "Method not found|got -32601|data.uri is undefined|was not exercised",
            """
            caching: sep-2549-resources-list-caching-hints sep-2549-resources-templates-list-caching-hints \
                sep-2549-resources-read-caching-hints
            sep-2164-resource-not-found: sep-2164-data-uri sep-2164-error-code
            """,
        ),
        Lack(
            "The lists never change, so nobody is told of changes; the other tells what it did and judges nothing.",
            "^$",
            """
            server-stateless: sep-2575-server-honors-notification-filter sep-2575-server-sends-subscription-ack \
                sep-2575-server-sends-prompts-list-changed-on-subscription \
                sep-2575-server-sends-tools-list-changed-on-subscription sep-2575-server-tags-subscription-id
            server-sse-multiple-streams: server-sse-streams-functional
            """,
        ),
        Lack(
            TASKS,
            "There is no tool|-32021|-32601|^Not testable|^Skipped|capabilities.extensions|fixture",
            """
            tasks-capability-negotiation: sep-2663-server-rejects-undeclared-client \
                sep-2663-tasks-methods-non-declaring tasks-extension-advertised tasks-per-request-meta-opt-in
            tasks-dispatch-and-envelope: sep-2663-durable-create-strong-consistency \
                sep-2663-legacy-task-param-ignored sep-2663-tasks-get-invalid-task-id-32602 \
                tasks-immediate-result-shortcut tasks-result-type-complete-on-non-task-responses \
                tasks-server-directed-creation-no-hint
            tasks-lifecycle: sep-2663-cancel-ack-empty-result sep-2663-result-type-task-on-create \
                sep-2663-tasks-get-status-completed sep-2663-tasks-get-status-failed \
                sep-2663-tasks-get-status-working sep-2663-tool-error-uses-completed-status \
                tasks-cancel-terminal-idempotent-ack tasks-sync-tool-call
            tasks-mrtr-composition: sep-2663-mrtr-synchronous-before-task-creation
            tasks-mrtr-input: sep-2663-tasks-get-status-input-required tasks-mrtr-partial-fulfillment \
                tasks-mrtr-tasks-update-resumes
            tasks-request-headers: sep-2663-routing-headers-accepted-on-tasks-get \
                sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get \
                tasks-headers-tolerate-mcp-method-on-tools-call
            tasks-request-state-removal: tasks-request-state-removal-setup
            tasks-required-task-error: sep-2663-server-returns-missing-capability-when-required
            tasks-status-notifications
            tasks-wire-fields: tasks-no-early-ttl-expiry tasks-no-related-task-meta-on-inlined-result \
                tasks-wire-field-renames
            """,
        ),
    ),
}
PASSING: Final[Mapping[str, str]] = {
    HANDSHAKE: """
        dns-rebinding-protection: localhost-host-rebinding-rejected localhost-host-valid-accepted
        ping
        prompts-list
        server-initialize: server-initialize server-session-id-visible-ascii
        server-session-lifecycle: server-session-delete-accepted server-session-initialized-accepted \
            server-session-terminated-returns-404
        server-sse-multiple-streams: server-accepts-multiple-post-streams server-sse-streams-functional
        tools-list: tools-list tools-name-format
        """,
    STATELESS: """
        caching: sep-2549-cache-scope-valid sep-2549-prompts-list-caching-hints \
            sep-2549-tools-list-caching-hints sep-2549-ttl-non-negative
        dns-rebinding-protection: localhost-host-rebinding-rejected localhost-host-valid-accepted
        http-header-validation: sep-2243-header-name-case-insensitive \
            sep-2243-server-accepts-whitespace-header-value sep-2243-server-reject-error-code \
            sep-2243-server-reject-invalid-headers
        input-required-result-unsupported-methods: sep-2322-not-on-unsupported-requests
        input-required-result-validate-input: sep-2322-error-on-protocol-error \
            sep-2322-validate-input-responses
        prompts-list
        sep-2164-resource-not-found: sep-2164-no-empty-contents
        server-sse-multiple-streams: server-accepts-multiple-post-streams
        server-stateless: sep-2575-discover-capabilities-match-handlers sep-2575-http-server-error-jsonrpc-id \
            sep-2575-http-server-header-mismatch-400 sep-2575-http-server-meta-invalid-400 \
            sep-2575-http-server-method-not-found-404 sep-2575-http-server-method-not-found-404-initialize \
            sep-2575-http-server-method-not-found-404-logging-setlevel \
            sep-2575-http-server-method-not-found-404-ping \
            sep-2575-http-server-method-not-found-404-resources-subscribe \
            sep-2575-http-server-method-not-found-404-resources-unsubscribe \
            sep-2575-http-server-unsupported-version-400 sep-2575-request-meta-client-info-optional \
            sep-2575-request-meta-invalid-missing-client-capabilities sep-2575-request-meta-invalid-missing-meta \
            sep-2575-request-meta-invalid-missing-protocol-version sep-2575-server-declares-prompts-in-discover \
            sep-2575-server-identifies-in-result-meta sep-2575-server-implements-discover \
            sep-2575-server-unsupported-version-error
        tasks-dispatch-and-envelope: sep-2663-tasks-result-removed-method-not-found tasks-removed-tasks-list
        tasks-request-headers: tasks-headers-reject-mismatched-method
        tools-list: tools-list tools-list-deterministic-order tools-name-format
        """,
}
ON_THE_WIRE: Final = ":wire-schema-valid"


def checks(rows: str) -> Iterator[str]:
    for row in rows.strip().splitlines():
        scenario, _, named = row.strip().partition(":")
        yield from (f"{scenario}:{check}" for check in named.split() or [scenario])


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Mapping[str, tuple[str, str]]]:
    """Give what the suite found in each revision."""
    folder = tmp_path_factory.mktemp("conformance")
    with ScriptedOllama(trio(CONFIRM)) as server:
        with over_http(operator_of(server, folder / "operator")) as operator:
            found = at_once(lambda revision: conformance(operator.url, revision, scratch=folder), LACKING)
        assert server.asked == []
    return dict(found)


@pytest.mark.parametrize("revision", LACKING)
def test_every_check_of_the_conformance_suite_passes_but_those_of_what_the_server_lacks(
    revision: str, results: dict[str, Mapping[str, tuple[str, str]]]
) -> None:
    wire = {check: row[0] for check, row in results[revision].items() if check.endswith(ON_THE_WIRE)}
    found = {check: row for check, row in results[revision].items() if check not in wire}
    lacking = {check: lack for lack in LACKING[revision] for check in checks(lack.rows)}
    passed = {check for check, (status, _) in found.items() if status == "SUCCESS"}
    assert passed == set(checks(PASSING[revision]))
    assert {check: row for check, row in found.items() if check not in passed | lacking.keys()} == {}
    for check, lack in lacking.items():
        status, said = found.get(check, ("not run", ""))
        assert status not in ("SUCCESS", "not run"), f"{check} is listed and {status}: {lack.why}"
        assert re.search(lack.says, said), f"{check}: {lack.why} The suite says: {said}"
    assert set(wire.values()) == {"SUCCESS"}
    assert {f"tools-list{ON_THE_WIRE}", f"prompts-list{ON_THE_WIRE}"} <= wire.keys()

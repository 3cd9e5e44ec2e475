"""The HTML report in a real browser: it opens under its own policy, nothing in it acts, and anyone can read it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from claimjury.report.html import HtmlRun, render_html
from report.browser import AXE, CHROMIUM, Browser, framed, without_policy
from report.pages import Page
from report.runs import HOSTILE, claim, demo_run, hostile_run, many, mixed, run

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is missing: run scripts/setup-browser"),
    pytest.mark.timeout(180),
]
needs_axe = pytest.mark.skipif(not AXE.exists(), reason="axe-core is missing: run scripts/setup-browser")

VISIBLE = (
    "const seen = (css) => [...document.querySelectorAll(css)].filter((one) => one.offsetParent !== null);"
)


@pytest.fixture
def browser(tmp_path: Path) -> Browser:
    return Browser(tmp_path)


def runs_of(name: str) -> list[HtmlRun]:
    made: dict[str, list[HtmlRun]] = {
        "one": [run([claim(1, 3)])],
        "twenty": [run(mixed(20))],
        "several": many(3),
        "hostile": [hostile_run()],
    }
    return made[name] if name in made else [demo_run()]


@pytest.mark.parametrize("name", ["demo", "several", "hostile"])
def test_it_opens_under_its_own_policy_with_style_and_script(browser: Browser, name: str) -> None:
    dom, log = browser.dump(render_html(runs_of(name)))
    assert "Filter claims" in dom
    assert "Content Security Policy" not in log
    assert "CONSOLE" not in log


def test_a_script_that_is_not_ours_is_refused_by_the_policy(browser: Browser) -> None:
    page = render_html(runs_of("one")).replace(
        "</body>", "<script>document.documentElement.dataset.pwned = 1</script></body>"
    )
    dom, log = browser.dump(page)
    assert "data-pwned" not in dom
    assert "Content Security Policy" in log
    assert "data-pwned" in browser.dump(without_policy(page))[0]


@pytest.fixture
def listener() -> Iterator[tuple[str, list[str]]]:
    """Listens on loopback and keeps the path of every request."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()


def test_hostile_text_neither_runs_nor_loads_even_without_the_policy(
    browser: Browser, listener: tuple[str, list[str]]
) -> None:
    url, asked = listener
    page = without_policy(render_html([hostile_run(HOSTILE.replace("http://evil.example", url))]))
    assert url in page
    dom, _ = browser.dump(page)
    assert "data-pwned" not in dom
    assert asked == []
    dom, _ = browser.dump(page.replace("</body>", f"<img src={url}/canary></body>"))
    assert asked == ["/canary"]


def test_it_says_the_same_without_script(browser: Browser) -> None:
    page = render_html(runs_of("demo"))
    dom, _ = browser.dump(re.sub(r"script-src '[^']+'", "script-src 'none'", page))
    assert Page(dom).text == Page(page).text
    assert "<input" not in dom


@needs_axe
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["demo", "one", "twenty", "several", "hostile"])
def test_axe_finds_nothing(browser: Browser, name: str, *, dark: bool) -> None:
    axe = AXE.read_text(encoding="utf-8")
    page = render_html(runs_of(name)).replace("</body>", f"<script>{axe}</script></body>")
    answer = browser.ask(
        page,
        "const found = await axe.run();"
        "return { dark: matchMedia('(prefers-color-scheme: dark)').matches, passed: found.passes.length,"
        " bad: found.violations.map((one) => [one.impact, one.id, one.nodes.slice(0, 3).map((node) => node.html)]) }",
        dark=dark,
    )
    assert answer["dark"] is dark
    assert answer["passed"] > 20
    assert answer["bad"] == []


@needs_axe
def test_axe_would_find_text_that_cannot_be_read(browser: Browser) -> None:
    axe = AXE.read_text(encoding="utf-8")
    page = render_html(runs_of("one")).replace("--soft: #4d5562", "--soft: #dddddd")
    page = page.replace("</body>", f"<script>{axe}</script></body>")
    answer = browser.ask(page, "return (await axe.run()).violations.map((one) => one.id)")
    assert "color-contrast" in answer


@pytest.mark.parametrize("name", ["demo", "twenty", "several", "hostile"])
def test_at_360_pixels_the_page_does_not_scroll_sideways(browser: Browser, name: str) -> None:
    answer = browser.ask(
        framed(render_html(runs_of(name)), 360),
        "const inner = document.querySelector('iframe').contentDocument;"
        "const matrix = inner.querySelector('.scroll');"
        "return [inner.documentElement.clientWidth, inner.documentElement.scrollWidth,"
        " matrix.scrollWidth > matrix.clientWidth]",
    )
    assert answer == [360, 360, True]


def test_the_filter_hides_claims_and_a_link_to_one_shows_it_again(browser: Browser) -> None:
    answer = browser.ask(
        render_html(runs_of("demo")),
        VISIBLE + "const search = document.querySelector('input[type=search]');"
        "const count = () => [seen('.verdicts tbody tr').length, seen('article').length,"
        " document.querySelector('[role=status]').textContent];"
        "const out = [count()];"
        "search.value = 'EVICTION'; search.dispatchEvent(new Event('input')); out.push(count());"
        "search.value = ''; search.dispatchEvent(new Event('input'));"
        "document.querySelector('input[value=REFUTED]').click(); out.push(count());"
        "const changed = new Promise((done) => addEventListener('hashchange', done, { once: true }));"
        "location.hash = '#claim-eviction'; await changed; out.push(count()); return out",
    )
    everything = [6, 6, "6 of 6 claims shown"]
    assert answer == [everything, [1, 1, "1 of 6 claims shown"], [4, 4, "4 of 6 claims shown"], everything]


def test_columns_sort_up_and_down_and_then_worst_first_again(browser: Browser) -> None:
    answer = browser.ask(
        render_html(runs_of("demo")),
        "const button = document.querySelector('.verdicts th button');"
        "const state = () => [[...document.querySelectorAll('.verdicts tbody a')].map((one) => one.textContent)"
        ".join(' '), document.querySelector('.verdicts th').getAttribute('aria-sort')];"
        "const out = [state()]; for (let at = 0; at < 3; at++) { button.click(); out.push(state()); } return out",
    )
    worst = "eviction overwrite vague speed expiry tests"
    up = "eviction expiry overwrite speed tests vague"
    assert answer == [
        [worst, None],
        [up, "ascending"],
        [" ".join(reversed(up.split())), "descending"],
        [worst, None],
    ]


def test_a_link_to_a_line_unfolds_its_source(browser: Browser) -> None:
    answer = browser.ask(
        render_html(runs_of("several")),
        "const changed = new Promise((done) => addEventListener('hashchange', done, { once: true }));"
        "const before = document.querySelector('details').open;"
        "location.hash = '#run-1-src/area.py-L2'; await changed;"
        "return [before, document.querySelector('details').open]",
    )
    assert answer == [False, True]

"""Headless Chromium over its command line: a page is opened, and what became of it is read."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

CHROMIUM: Final = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
_CACHE: Final = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
AXE: Final = _CACHE / "claimjury-tests/node_modules/axe-core/axe.min.js"
FLAGS: Final = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"),
    *("--no-default-browser-check", "--enable-logging=stderr", "--virtual-time-budget=20000"),
)


class Browser:
    """Opens pages, each in a profile of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._opened = 0

    def dump(self, page: str, *, dark: bool = False) -> tuple[str, str]:
        """Give the document as it stands once the page has settled, and what the browser logged."""
        assert CHROMIUM is not None
        self._opened += 1
        file = self._folder / f"page-{self._opened}.html"
        file.write_text(page, encoding="utf-8")
        profile = self._folder / f"profile-{self._opened}"
        # 0 is dark.
        scheme = f"--blink-settings=preferredColorScheme={0 if dark else 1}"
        ran = subprocess.run(
            [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", scheme, "--dump-dom", file.as_uri()],
            capture_output=True,
            check=True,
            text=True,
            encoding="utf-8",
        )
        return ran.stdout, ran.stderr

    def ask(self, page: str, script: str, *, dark: bool = False) -> Any:
        """Give what the body of an async function gives that runs in a copy of the page without its policy."""
        tail = (
            "<script>new Promise((done) => addEventListener('load', done))"
            f".then(async () => {{ {script} }}).catch((error) => String(error.stack)).then((answer) => {{"
            "const pre = document.createElement('pre'); pre.id = 'answer';"
            "pre.textContent = JSON.stringify(answer); document.body.append(pre); });</script>"
        )
        dom, _ = self.dump(without_policy(page).replace("</body>", f"{tail}</body>"), dark=dark)
        answers = re.findall(r'<pre id="answer">(.*?)</pre>', dom, re.DOTALL)
        assert answers, "the page gave no answer"
        return json.loads(html.unescape(answers[-1]))


def without_policy(page: str) -> str:
    changed = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>\n', "", page)
    assert changed != page
    return changed


def framed(page: str, width: int) -> str:
    """Give a page that shows another in a frame of this width: a headless window has a least width."""
    inner = html.escape(without_policy(page))
    policy = '<meta http-equiv="Content-Security-Policy" content="img-src \'none\'">\n'
    return (
        f"<!doctype html><html><head>{policy}</head><body>"
        f'<iframe style="width:{width}px;height:900px;border:0" srcdoc="{inner}"></iframe></body></html>'
    )

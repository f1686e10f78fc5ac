"""A real browser for tests of the page: the chromium that is installed, or a skip that says so."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
DESKTOP = (1280, 800)
PHONE = (390, 844)
PATIENCE = 120_000  # machines that run tests are busy
expect.set_options(timeout=PATIENCE)


@contextmanager
def started_browser() -> Iterator[Browser]:
    """Start the installed chromium; the test is skipped where there is none."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("no chromium is installed, so the page was not driven in a browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


class Window:
    """A page in its own browser context, with everything it complained about."""

    def __init__(
        self, browser: Browser, *, size: tuple[int, int] = DESKTOP, dark: bool = False
    ) -> None:
        self._context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            has_touch=size == PHONE,
        )
        self._context.set_default_timeout(PATIENCE)
        self.complaints: list[str] = []
        self.page = self.tab()

    def tab(self) -> Page:
        """Open one more tab of the same reader."""
        page = self._context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(message.text)

    def close(self) -> None:
        self._context.close()


class Served(NamedTuple):
    """A command that serves the page."""

    address: str
    secret: str
    port: int


@contextmanager
def served(*arguments: str) -> Iterator[Served]:
    """Run a command that serves the page, and read where from what it prints."""
    process = subprocess.Popen(
        [sys.executable, "-m", "cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "BROWSER": "true"},  # it may open a browser: not here
    )
    assert process.stdout is not None
    printed: list[str] = []
    drain = Thread(target=process.stdout.read)  # so that its log never blocks it
    told: dict[str, str] = {}
    try:
        for line in process.stdout:
            printed.append(line)
            if found := re.search(r"listening on [\d.]+:(\d+)", line):
                told["port"] = found[1]
            if found := re.search(r"(http://[^\s#]+)(?:#(\w+))?", line):
                told["address"] = found[1]
                told["secret"] = found[2] or ""
            if told.get("secret"):
                break
        assert told.get("secret"), f"no address in {''.join(printed)}"
        drain.start()
        yield Served(told["address"].rstrip("/"), told["secret"], int(told.get("port", "0")))
    finally:
        process.terminate()
        process.wait(timeout=120)
        if drain.ident is not None:
            drain.join()
        process.stdout.close()

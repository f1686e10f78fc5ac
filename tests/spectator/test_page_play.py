"""A person plays a whole short game in a real browser against six bots, while others watch."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.spectator.browser import Window, served, started_browser

HERE = Path(__file__).parent
BOTS = {
    "RUS": "raider:Raider",
    "TUR": "blabbot",
    "AUS": "holdbot",
    "FRA": "holdbot",
    "GER": "holdbot",
    "ITA": "holdbot",
}
SERVER = ["--port", "0", "--web", "0", "--press-level", "20", "--last-year", "1902"]
SERVER += ["--power-in-name", "--store", ":memory:"]
SERVER += ["--movement-limit", "0", "--retreat-limit", "0", "--build-limit", "0"]


@contextmanager
def bots(port: int, players: dict[str, str]) -> Iterator[None]:
    """Run bots, each a process of its own."""
    root = HERE.parents[1]
    with ExitStack() as running:
        for power, bot in players.items():
            command = [sys.executable, "-m", "cli", "bot", bot, "--port", str(port), "--quiet"]
            process = subprocess.Popen(
                [*command, "--name", f"{power}:{bot.partition(':')[0]}", "--seed", "1"],
                cwd=HERE,
                env={**os.environ, "PYTHONPATH": str(root)},
            )
            running.callback(process.wait, 120)
            running.callback(process.terminate)
        yield


class Seat:
    """What a person does at the page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.entry = page.locator(".entry")

    def tap(self, selector: str) -> None:
        sign = self.page.locator(selector).first
        box = None
        while box is None:  # it may be drawn anew just now
            expect(sign).to_be_visible()
            box = sign.bounding_box()
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def unit(self, unit: str) -> None:
        self.tap(f'.signs [data-unit="{unit}"]')

    def target(self, place: str) -> None:
        mark = f'.marks [data-place="{place}"]'
        expect(self.page.locator(mark)).to_have_count(1)
        self.tap(mark)

    def expect_count(self, given: int, wanted: int) -> None:
        expect(self.page.locator(".ready")).to_contain_text(f"{given}/{wanted}")

    def type(self, text: str) -> None:
        self.page.keyboard.press("/")
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Escape")

    def ready(self) -> None:
        self.page.locator(".ready").click()

    def reaches(self, turn: str) -> None:
        expect(self.page.locator(".when")).to_contain_text(turn)
        expect(self.page.locator(".ready")).to_be_enabled(timeout=20_000)

    def orders(self) -> list[str]:
        """Ask the server itself what it has."""
        told: Any = self.page.evaluate(
            """async () => {
              const game = location.pathname.split("/")[2];
              const headers = { Authorization: `Bearer ${location.hash.slice(1)}` };
              return (await fetch(`/api/games/${game}/seat`, { headers })).json();
            }"""
        )
        return sorted(each["order"] for each in told["orders"])


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started_browser() as browser:
        yield browser


def spring_1901(seat: Seat) -> None:
    """Orders by mouse, keys and text; undo; ready and back; press both ways; a reload."""
    page = seat.page
    seat.reaches("Spring 1901")
    seat.unit("F LON")
    expect(seat.entry).to_contain_text("Fleet London moves to")
    expect(page.locator(".marks .target")).to_have_count(4)
    seat.tap('.signs [data-unit="A MOS"]')  # not lit: nothing happens
    expect(seat.entry).to_contain_text("Fleet London moves to")
    seat.target("NTH")
    seat.expect_count(1, 3)
    page.keyboard.press("j")
    expect(seat.entry).to_contain_text("moves to ...")
    page.keyboard.press("Escape")
    seat.type("lvp yor")
    seat.type("edi nwg")
    seat.expect_count(3, 3)
    whole = ["A LVP - YOR", "F EDI - NWG", "F LON - NTH"]
    assert seat.orders() == whole
    seat.type("edi h")
    expect(page.locator(".only-read[role=status]")).to_contain_text("Fleet Edinburgh holds")
    assert "F EDI H" in seat.orders()
    page.keyboard.press("u")
    expect(page.locator(".only-read[role=status]")).to_contain_text("Back to")
    assert seat.orders() == whole
    ask_for_peace(seat, "RUS")
    ask_for_peace(seat, "TUR")
    theirs = page.locator(".talk.mine").filter(has_text="between Turkey and England").first
    expect(theirs).to_be_visible()
    if theirs.get_by_role("button", name="Accept").count():
        theirs.get_by_role("button", name="Accept").click()
    expect(theirs.get_by_role("button", name="Accept")).to_have_count(0)
    page.reload()
    seat.reaches("Spring 1901")
    seat.expect_count(3, 3)
    page.get_by_role("tab", name="Orders").click()
    expect(page.locator(".order-list .saved")).to_have_count(3)
    page.get_by_role("tab", name="Relations").click()
    mine = page.locator(".word-list").first.locator("li")
    expect(mine.filter(has_text="eace between England and Russia")).to_have_count(1)
    turkish = mine.filter(has_text="Turkey")
    turkish.get_by_role("button", name="Call off").first.click()
    expect(turkish).to_have_count(0)  # ended in good time, without a stab
    page.get_by_role("tab", name="Press").click()


def ask_for_peace(seat: Seat, power: str) -> None:
    """Propose it by the menus, and see the answer."""
    composer = seat.page.locator(".composer")
    composer.locator(f"[data-field=to] [data-power={power}]").click()
    name = {"RUS": "Russia", "TUR": "Turkey"}[power]
    expect(composer.locator(".preview")).to_contain_text(f"England proposes to {name}: peace")
    composer.get_by_role("button", name="Send").click()
    line = seat.page.locator(".talk", has_text=f"Peace between England and {name}")
    expect(line.locator(".outcome").first).to_contain_text("agreed" if power == "RUS" else "")


def fall_1901(seat: Seat) -> None:
    """An army by sea, by the route that was chosen, with its fleet's order offered."""
    page = seat.page
    seat.reaches("Fall 1901")
    seat.unit("A YOR")
    seat.target("NWY")
    expect(seat.entry).to_contain_text("via North Sea")
    page.locator(".options button", has_text="via North Sea").first.click()
    expect(seat.entry).to_contain_text("F NTH C A YOR - NWY")
    page.keyboard.press("Enter")
    seat.expect_count(2, 3)
    page.keyboard.press("j")
    page.keyboard.press("h")
    seat.expect_count(3, 3)
    assert seat.orders() == ["A YOR - NWY VIA NTH", "F NTH C A YOR - NWY", "F NWG H"]
    seat.ready()


def winter_1901(seat: Seat) -> None:
    seat.reaches("Winter 1901")
    expect(seat.entry).to_contain_text("build 0 of 1")
    seat.target("LON")
    seat.page.keyboard.press("f")
    expect(seat.entry).to_contain_text("build 1 of 1")
    assert seat.orders() == ["F LON BLD"]
    seat.ready()


def spring_1902(seat: Seat) -> None:
    """An order that would break the peace with Russia is held back."""
    page = seat.page
    seat.reaches("Spring 1902")
    seat.unit("A NWY")
    seat.target("STP")
    expect(page.locator(".warning")).to_contain_text("breaks your peace with Russia")
    page.get_by_role("button", name="Leave it").click()
    assert seat.orders() == []
    for _ in range(4):
        page.keyboard.press("j")
        page.keyboard.press("h")
    seat.expect_count(4, 4)
    seat.ready()


def summer_1902(seat: Seat) -> None:
    """The army was dislodged by who had promised peace: a dagger, then a retreat."""
    page = seat.page
    seat.reaches("Summer 1902")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".board .dagger, .board [class*=dagger]").first).to_be_visible()
    expect(page.locator(".talk.stab")).to_contain_text("Russia stabs England")
    page.keyboard.press("End")
    page.keyboard.press("j")
    expect(seat.entry).to_contain_text("Army Norway retreats to")
    page.keyboard.press("1")
    seat.expect_count(1, 1)
    seat.ready()


def finish(seat: Seat) -> None:
    page = seat.page
    seat.reaches("Fall 1902")
    for _ in range(4):
        page.keyboard.press("j")
        page.keyboard.press("h")
    seat.ready()
    expect(page.locator(".badge")).to_have_text("replay")


@pytest.mark.timeout(900)
def test_a_person_plays_a_whole_game_while_another_watches(browser: Browser) -> None:
    with served("serve", *SERVER) as server:
        person = Window(browser)
        seat = Seat(person.page)
        person.page.goto(server.address)
        person.page.get_by_label("Your name").fill("ENG:human")
        person.page.get_by_role("button", name="Play: take a seat").click()
        expect(person.page.locator(".when")).to_contain_text("You have a seat")
        watcher = Window(browser, dark=True)
        watcher.page.goto(server.address)
        with bots(server.port, BOTS):
            spring_1901(seat)
            watcher.page.locator(".card").first.click()
            expect(watcher.page.locator(".when")).to_contain_text("Spring 1901")
            expect(watcher.page.locator(".pane:visible")).to_contain_text("for their ears only")
            seat.ready()
            expect(watcher.page.locator(".when")).to_contain_text("Fall 1901")
            fall_1901(seat)
            winter_1901(seat)
            expect(watcher.page.locator(".when")).to_contain_text("Spring 1902")
            watcher.page.keyboard.press("Home")
            expect(watcher.page.locator(".behind")).to_contain_text("behind")
            spring_1902(seat)
            summer_1902(seat)
            finish(seat)
        assert watcher.page.locator(".when").inner_text().startswith("Spring 1901")
        watcher.page.keyboard.press("End")
        assert person.complaints == []
        assert watcher.complaints == []
        person.close()
        watcher.close()


@pytest.mark.timeout(900)
def test_a_whole_game_of_bots_is_watched_live_in_eight_tabs(browser: Browser) -> None:
    with served("serve", *SERVER) as server:
        window = Window(browser)
        pages = [window.page, *(window.tab() for _ in range(7))]
        for page in pages:
            page.goto(f"{server.address}#{server.secret}")
        with bots(server.port, dict.fromkeys([*BOTS, "ENG"], "blabbot")):
            for page in pages:
                page.locator(".card").first.click()
            for page in pages:
                expect(page.locator(".badge")).to_have_text("replay")
        steps = [page.locator("[role=slider]").get_attribute("aria-valuemax") for page in pages]
        assert len(set(steps)) == 1
        page = pages[-1]
        page.keyboard.press("Home")
        expect(page.locator(".when")).to_contain_text("Spring 1901")
        expect(page.locator(".talk:not(.stab)").first).to_contain_text("Peace between")
        page.get_by_role("tab", name="Orders").click()
        expect(page.locator(".order-list li")).to_have_count(22)
        assert window.complaints == []
        window.close()


@pytest.mark.timeout(900)
def test_a_change_after_ready_takes_it_back_and_offline_orders_are_sent_later(
    browser: Browser,
) -> None:
    with served("serve", *SERVER) as server:
        windows = [Window(browser), Window(browser)]
        for window, name in zip(windows, ("ENG:first", "FRA:second"), strict=True):
            window.page.goto(server.address)
            window.page.get_by_label("Your name").fill(name)
            window.page.get_by_role("button", name="Play: take a seat").click()
            expect(window.page.locator(".when")).to_contain_text("You have a seat")
        rest = {power: "holdbot" for power in [*BOTS, "RUS"] if power != "FRA"}
        with bots(server.port, rest):
            seat = Seat(windows[0].page)
            seat.reaches("Spring 1901")
            for order in ("lon nth", "edi nwg", "lvp yor"):
                seat.type(order)
            seat.expect_count(3, 3)
            seat.ready()
            ready = seat.page.locator(".ready")
            expect(ready).to_have_attribute("aria-pressed", "true")
            seat.type("lvp wal")
            expect(ready).to_have_attribute("aria-pressed", "false")
            assert "A LVP - WAL" in seat.orders()
            seat.page.context.set_offline(True)
            seat.type("edi h")
            expect(seat.page.locator(".entry")).to_contain_text("3/3")
            seat.page.context.set_offline(False)
            seat.page.evaluate("window.dispatchEvent(new Event('online'))")
            expect(seat.page.locator(".only-read[role=status]")).to_contain_text("Saved")
        for window in windows:
            window.close()

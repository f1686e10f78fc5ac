"""The page on a stored game, in a real browser: watching, stepping, reading, bad addresses."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.spectator.browser import DESKTOP, PHONE, Window, served, started_browser

RECORD = Path(__file__).parents[1] / "data" / "page" / "record.json"


class Stage(NamedTuple):
    """A server of two stored games, and a browser."""

    browser: Browser
    site: str
    secret: str
    games: list[str]

    def address(self, turn: str = "", *, game: int = 0, with_secret: bool = True) -> str:
        path = f"{self.site}/g/{self.games[game]}" + (f"/{turn}" if turn else "")
        return path + (f"#{self.secret}" if with_secret else "")


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    record = json.loads(RECORD.read_text())
    other = json.loads(RECORD.read_text())
    other["setup"]["name"] = "<img src=x onerror=alert(1)>"
    file = tmp_path_factory.mktemp("records") / "two.json"
    file.write_text(f"{json.dumps(record)}\n{json.dumps(other)}\n")
    with (
        started_browser() as browser,
        served("watch", str(file), "--browser", "--web-port", "0") as server,
    ):
        names = [record["setup"]["name"], "%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E"]
        yield Stage(browser, server.address, server.secret, names)


@pytest.fixture
def window(stage: Stage) -> Iterator[Window]:
    window = Window(stage.browser)
    yield window
    window.close()


def shown_turn(page: Page) -> str:
    return page.locator(".when").inner_text()


def test_a_whole_game_can_be_stepped_through(stage: Stage, window: Window) -> None:
    page = window.page
    page.goto(stage.address("S1901M"))
    expect(page.locator(".when")).to_contain_text("Spring 1901")
    expect(page.locator(".signs [data-unit]")).to_have_count(22)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".when")).to_contain_text("Fall 1901")
    assert page.url.endswith(f"/F1901M#{stage.secret}")
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator(".when")).to_contain_text("Spring 1902")
    page.keyboard.press("End")
    expect(page.locator(".badge")).to_have_text("replay")
    page.keyboard.press("Home")
    expect(page.locator(".when")).to_contain_text("Spring 1901")
    for _ in range(3):
        page.keyboard.press("]")
    expect(page.get_by_role("button", name="Speed")).to_contain_text("8")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_be_visible(timeout=60_000)
    assert page.locator("[role=slider]").get_attribute("aria-valuenow") == page.locator(
        "[role=slider]"
    ).get_attribute("aria-valuemax")
    assert window.complaints == []


def test_the_timeline_can_be_dragged(stage: Stage, window: Window) -> None:
    page = window.page
    page.goto(stage.address("S1901M"))
    box = page.locator(".track").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 14, box["y"] + 25)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 25, steps=4)
    page.mouse.up()
    expect(page.locator(".when")).not_to_contain_text("1901")


def test_press_is_read_in_english_and_as_it_was_sent(stage: Stage, window: Window) -> None:
    page = window.page
    page.goto(stage.address("S1901M"))
    line = page.locator(".talk:not(.stab)").first
    expect(line).to_contain_text("eace between")
    line.get_by_role("button", name="DAIDE").click()
    expect(page.locator(".daide").first).to_contain_text("PRP ( PCE (")
    everything = page.locator(".talk").count()
    page.get_by_label("all powers").select_option("FRA")
    expect(page.locator(".talk").first).to_contain_text("France")
    assert 0 < page.locator(".talk").count() < everything
    page.get_by_label("all powers").select_option("")
    page.get_by_label("search in press").fill("no such words at all")
    expect(page.locator(".talk").first).to_contain_text("Nothing was said")
    page.get_by_label("search in press").fill("")
    page.get_by_title("only words that were broken").click()
    expect(page.locator(".talk.stab").first).to_contain_text("stabs")
    assert window.complaints == []


def test_an_order_says_why_it_came_out_as_it_did(stage: Stage, window: Window) -> None:
    page = window.page
    page.goto(stage.address("S1901M"))
    page.get_by_role("tab", name="Orders").click()
    orders = page.locator(".order-list li")
    expect(orders).to_have_count(22)
    for line in orders.all():
        assert line.locator(".why").inner_text().endswith(".")
    orders.first.hover()
    expect(page.locator(".caption")).to_contain_text(
        orders.first.locator(".order-text").inner_text()
    )
    sign = page.locator('.signs [data-unit="A VEN"]').bounding_box()
    assert sign is not None
    page.mouse.move(sign["x"] + sign["width"] / 2, sign["y"] + sign["height"] / 2)
    expect(page.locator(".caption")).to_contain_text("A VEN")


def test_relations_follow_the_timeline_and_filter_the_press(stage: Stage, window: Window) -> None:
    page = window.page
    page.goto(stage.address("S1901M"))
    page.get_by_role("tab", name="Relations").click()
    expect(page.locator(".cell")).to_have_count(42)
    at_first = page.locator(".cell.peace").count()
    page.keyboard.press("End")
    expect(page.locator(".cell.peace")).not_to_have_count(at_first)
    page.locator(".cell.broken, .cell.peace").first.click()
    expect(page.get_by_role("tab", name="Press")).to_have_attribute("aria-selected", "true")
    assert page.get_by_label("all powers").input_value()
    page.get_by_role("tab", name="Years").click()
    expect(page.locator(".chart polyline")).to_have_count(14)
    assert window.complaints == []


def test_without_the_secret_no_press_is_shown_and_the_page_says_why(
    stage: Stage, window: Window
) -> None:
    page = window.page
    heard: list[str] = []
    page.on(
        "response", lambda answer: heard.append(answer.text()) if "/api/" in answer.url else None
    )
    page.goto(stage.address("S1901M", with_secret=False))
    expect(page.locator(".signs [data-unit]")).to_have_count(22)
    told = "".join(heard)
    if '"press":"secret"' in told or '"press": "secret"' in told:
        expect(page.locator(".pane:visible")).to_contain_text("for their ears only")
        assert "PRP (" not in told


def test_bad_addresses_say_so_and_lead_to_the_lobby(stage: Stage, window: Window) -> None:
    page = window.page
    for path, words in [
        ("/g/nowhere", "nowhere"),
        (f"/g/{stage.games[0]}/S1850M", "S1850M"),
        (f"/g/{stage.games[0]}#{'0' * 32}", "does not open"),
    ]:
        page.goto("about:blank")
        page.goto(stage.site + path)
        expect(page.locator(".sorry h1")).to_contain_text(words)
        expect(page.get_by_role("link", name="To the lobby")).to_have_attribute("href", "/")
    page.get_by_role("link", name="To the lobby").click()
    expect(page.locator(".card")).to_have_count(2)


def test_the_lobby_shows_all_games_and_names_as_text(stage: Stage, window: Window) -> None:
    page = window.page
    page.goto(f"{stage.site}/#{stage.secret}")
    expect(page.locator(".card")).to_have_count(2)
    expect(page.locator(".card svg.board").first).to_be_visible()
    strange = page.locator(".card", has_text="<img src=x onerror=alert(1)>")
    strange.click()
    expect(page.locator(".top h1")).to_have_text("<img src=x onerror=alert(1)>")
    page.get_by_role("link", name="all games").click()
    page.locator(".card").filter(has_not_text="<img").click()
    expect(page.locator(".top h1")).not_to_contain_text("img")
    assert window.complaints == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE, (844, 390)])
def test_the_whole_page_fits_the_screen(stage: Stage, size: tuple[int, int]) -> None:
    window = Window(stage.browser, size=size, dark=size == PHONE)
    page = window.page
    page.goto(stage.address("F1901M"))
    expect(page.locator(".signs [data-unit]").first).to_be_visible()
    measured = page.evaluate(
        """() => {
          const box = (name) => document.querySelector(name).getBoundingClientRect();
          const [map, side, time] = [".stage", ".side", ".timeline"].map(box);
          return {
            overflow: document.documentElement.scrollWidth - innerWidth
              + document.documentElement.scrollHeight - innerHeight,
            map: map.width * map.height, side: side.width * side.height, low: time.bottom,
          };
        }"""
    )
    assert measured["overflow"] <= 0
    assert measured["map"] > measured["side"]
    assert measured["low"] <= size[1]
    assert window.complaints == []
    window.close()


def test_eight_tabs_of_one_game_are_all_served(stage: Stage, window: Window) -> None:
    pages = [window.page, *(window.tab() for _ in range(7))]
    for page in pages:
        page.goto(stage.address("S1902M"))
    for page in pages:
        expect(page.locator(".when")).to_contain_text("Spring 1902")
        expect(page.locator(".signs [data-unit]").first).to_be_visible()
    assert window.complaints == []


def test_what_is_shared_does_not_hold_the_secret(stage: Stage, window: Window) -> None:
    page = window.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(stage.address("F1901M"))
    page.get_by_role("button", name="Copy the address of this turn").click()
    expect(page.locator(".toast")).to_contain_text("copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(rf"{re.escape(stage.site)}/g/[^/]+/F1901M", copied)


def test_the_theme_can_be_chosen_and_is_kept(stage: Stage, window: Window) -> None:
    page = window.page
    page.goto(stage.address("S1901M"))
    theme = page.locator("html")
    expect(theme).to_have_attribute("data-theme", "light")
    page.get_by_role("button", name="Light or dark").click()
    expect(theme).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(theme).to_have_attribute("data-theme", "dark")

"""The page for those who see little, hear it read, or use no mouse."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.spectator.browser import PHONE, Served, Window, served, started_browser

RECORD = Path(__file__).parents[1] / "data/page/record.json"
LEAST = 4.5
"""The contrast that text of any size needs (WCAG 2, level AA)."""
CONTRASTS = """() => {
  const light = (colour) => {
    const [r, g, b] = colour.map((part) => {
      const share = part / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const read = (text) => text.match(/[\\d.]+/g).map(Number);
  const over = ([r, g, b, a = 1], under) =>
    [r, g, b].map((part, i) => part * a + under[i] * (1 - a));
  const up = (node) => (node ? [node, ...up(node.parentElement)] : []);
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement: node } = texts.currentNode;
    if (!data.trim() || node.closest("svg, :disabled, noscript")) continue;
    if (!node.checkVisibility()) continue;
    const around = up(node);
    const behind = around.reverse().reduce(
      (under, each) => over(read(getComputedStyle(each).backgroundColor), under), [255, 255, 255]);
    const [r, g, b, a = 1] = read(getComputedStyle(node).color);
    const opacity = around.reduce((all, each) => all * Number(getComputedStyle(each).opacity), a);
    const both = [light(over([r, g, b, opacity], behind)), light(behind)];
    const [high, low] = both.sort((x, y) => y - x);
    found.push([(high + 0.05) / (low + 0.05), `${node.className}: ${data.trim().slice(0, 30)}`]);
  }
  return found;
}"""
UNNAMED = """() => [...document.querySelectorAll(
    "button, a, input, select, textarea, [role=slider], [role=tab], [role=img]")]
  .filter((each) => each.checkVisibility())
  .filter((each) => !(each.getAttribute("aria-label") || each.innerText || each.title
    || (each.labels && each.labels.length)))
  .map((each) => each.outerHTML.slice(0, 100))"""
FOCUS = """() => {
  const node = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(node);
  return [node.tagName, outlineStyle !== "none" && parseFloat(outlineWidth) >= 2];
}"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Browser, Served]]:
    record = json.loads(RECORD.read_text().partition("\n")[0])
    record["turns"][1]["orders"][0]["automatic"] = True  # a unit that nobody ordered
    file = tmp_path_factory.mktemp("access") / "game.json"
    file.write_text(json.dumps(record))
    with started_browser() as browser, served("watch", str(file), "--browser") as server:
        yield browser, server


def opened(window: Window, server: Served, turn: str) -> Page:
    window.page.goto(f"{server.address}/{turn}#{server.secret}")
    expect(window.page.locator(".signs [data-unit]").first).to_be_visible()
    return window.page


@pytest.mark.parametrize("dark", [False, True])
def test_all_text_can_be_read_and_everything_has_a_name(
    place: tuple[Browser, Served], *, dark: bool
) -> None:
    browser, server = place
    for size in (None, PHONE):
        window = Window(browser, dark=dark, **({"size": size} if size else {}))
        page = opened(window, server, "F1903M")
        for tab in ("Press", "Orders", "Relations", "Years"):
            page.get_by_role("tab", name=tab).click()
            expect(page.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")
            seen = page.evaluate(CONTRASTS)
            assert len(seen) > 10
            assert [each for each in seen if each[0] < LEAST] == []
            assert page.evaluate(UNNAMED) == []
        assert window.complaints == []
        window.close()


def test_the_keyboard_alone_reaches_everything_and_shows_where_it_is(
    place: tuple[Browser, Served],
) -> None:
    browser, server = place
    window = Window(browser)
    page = opened(window, server, "S1901M")
    reached = set()
    for step in ["Tab"] * 40 + ["Shift+Tab"] * 45:  # forth, and back over the beginning
        page.keyboard.press(step)
        tag, is_seen = page.evaluate(FOCUS)
        if tag != "BODY":
            assert is_seen, page.evaluate("document.activeElement.outerHTML.slice(0, 100)")
            reached.add(page.evaluate("document.activeElement.getAttribute('role') || ''"))
    assert {"tab", "slider", ""} <= reached
    # A tab is opened, an order of its list is shown on the map, and the sentence is read out.
    page.get_by_role("tab", name="Orders").focus()
    page.keyboard.press("Enter")
    page.locator(".order-list li").first.focus()
    expect(page.locator(".caption[role=status]")).not_to_be_empty()
    # The picture says in words what it shows.
    summary = page.locator("[role=img][aria-label^='Board in']").get_attribute("aria-label")
    assert summary is not None
    assert "22 units" in summary
    window.close()


def test_a_unit_without_an_order_is_shown_and_does_not_stop_the_page(
    place: tuple[Browser, Served],
) -> None:
    browser, server = place
    window = Window(browser)
    page = opened(window, server, "F1901M")
    page.get_by_role("tab", name="Orders").click()
    expect(page.locator(".order-list li").filter(has_text="(no order)")).to_have_count(1)
    assert window.complaints == []
    window.close()


ROOM = """() => {
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  const [stage, side, page] = [box(".stage"), box(".side"), document.documentElement];
  return {
    scrolls: page.scrollWidth > innerWidth || page.scrollHeight > innerHeight,
    width: Math.max(stage.right, side.right) / innerWidth,
    map: (stage.width * stage.height) / (innerWidth * innerHeight),
    title: box(".when").right <= innerWidth,
  };
}"""
WINDOWS = {
    "a small desktop": ((1280, 800), 0.45),
    "the same, twice as large": ((640, 400), 0.25),
    "a tablet": ((820, 1180), 0.45),
    "a phone": (PHONE, 0.5),
    "a phone on its side": ((844, 390), 0.3),
}


@pytest.mark.parametrize(("size", "least"), WINDOWS.values(), ids=WINDOWS)
def test_the_page_fills_every_window_and_nothing_is_cut(
    place: tuple[Browser, Served], size: tuple[int, int], least: float
) -> None:
    browser, server = place
    window = Window(browser, size=size)
    page = opened(window, server, "")  # the end, whose title is the longest
    room = page.evaluate(ROOM)
    assert (room["scrolls"], room["title"], room["width"]) == (False, True, 1)
    assert room["map"] > least
    window.close()

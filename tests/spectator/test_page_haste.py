"""Orders that are given faster than the server answers: the newest stands, and none is lost."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.spectator.browser import started_browser
from tests.spectator.test_page_play import SERVER, Seat
from tests.spectator.test_page_seat import agree_on_peace, expect_saved, two_people

SLOW = """(delays) => {
  const real = window.fetch;
  const pass = (time) => new Promise((done) => { setTimeout(done, time); });
  window.underWay = 0;
  window.fetch = async (path, more) => {
    if (!path.endsWith("/seat/orders") || !delays.length) return real(path, more);
    const [there, back] = delays.shift();
    window.underWay += 1;
    await pass(there);
    const answer = await real(path, more);
    await pass(back);
    setTimeout(() => { window.underWay -= 1; }); // when the page has read it
    return answer;
  };
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started_browser() as browser:
        yield browser


def slow_down(seat: Seat, there: int, back: int) -> None:
    """Let the next orders take so many milliseconds there, and their answer back."""
    seat.page.evaluate(SLOW, [[there, back]])


def settle(seat: Seat) -> None:
    """Wait for what is under way, so that nothing comes after we have looked."""
    seat.page.wait_for_function("() => window.underWay === 0")


def status(seat: Seat) -> Locator:
    return seat.page.locator(".only-read[role=status]")


@pytest.mark.timeout(900)
def test_no_order_is_lost_whatever_way_the_answers_overtake_each_other(browser: Browser) -> None:
    with two_people(browser, SERVER) as (england, france):
        # The first answer knows of one order only, and comes after the news of all the others.
        slow_down(england, 0, 1500)
        for order in ("lon nth", "edi nwg", "lvp yor"):
            england.type(order)
        settle(england)
        england.expect_count(3, 3)
        england.page.get_by_role("tab", name="Orders").click()
        expect(england.page.locator(".order-list .saved")).to_have_count(3)
        assert england.orders() == ["A LVP - YOR", "F EDI - NWG", "F LON - NTH"]
        # The first order of a unit is on its way longer than the one that replaces it would be.
        slow_down(france, 1500, 0)
        for order in ("par pic", "par bur", "bre h", "mar h"):
            france.type(order)
        settle(france)
        expect_saved(france, "A PAR - BUR")
        france.expect_count(3, 3)
        assert france.orders() == ["A MAR H", "A PAR - BUR", "F BRE H"]
        # Undo means the last that was given, also while it is on its way.
        slow_down(france, 1500, 0)
        france.type("bre mao")
        france.page.keyboard.press("u")
        expect(status(france)).to_contain_text("Back to: Fleet Brest holds")
        assert "F BRE H" in france.orders()
        # Ready waits for what is on its way, or the order would take it back.
        slow_down(france, 1500, 0)
        france.type("mar spa")
        france.ready()
        expect(france.page.locator(".ready")).to_have_attribute("aria-pressed", "true")
        assert "A MAR - SPA" in france.orders()


@pytest.mark.timeout(900)
def test_a_warning_stays_whatever_is_ordered_after_it(browser: Browser) -> None:
    with two_people(browser, SERVER) as (england, france):
        agree_on_peace(england, france)
        for order in ("lon ech", "edi h", "lvp h"):
            england.type(order)
        for order in ("bre h", "par h", "mar h"):
            france.type(order)
        for seat in (england, france):
            seat.expect_count(3, 3)
            seat.ready()
        england.reaches("Fall 1901")
        for order in ("ech bre", "edi nth", "lvp wal"):
            england.type(order)
        england.expect_count(2, 3)
        warning = england.page.locator(".warning")
        expect(warning).to_contain_text("breaks your peace with France")
        # What is held back is held back after a reload as well.
        england.page.reload()
        england.reaches("Fall 1901")
        expect(warning).to_contain_text("breaks your peace with France")
        england.page.get_by_role("button", name="Send anyway").click()
        england.expect_count(3, 3)
        expect(warning).to_have_count(0)
        assert england.orders() == ["A LVP - WAL", "F ECH - BRE", "F EDI - NTH"]


@pytest.mark.timeout(900)
def test_what_could_not_be_sent_outlives_a_reload_and_is_told_when_it_is_too_late(
    browser: Browser,
) -> None:
    with two_people(browser, SERVER, complains=True) as (england, france):
        for order in ("lon nth", "edi nwg", "lvp yor"):
            england.type(order)
        england.expect_count(3, 3)
        england.page.context.set_offline(True)
        england.type("edi h")
        expect(status(england)).to_contain_text("Not sent yet")
        assert france.orders() == []
        england.page.context.set_offline(False)
        england.page.reload()
        england.reaches("Spring 1901")
        expect_saved(england, "F EDI H")
        # The same, and the turn is over meanwhile.
        england.ready()
        expect(england.page.locator(".ready")).to_have_attribute("aria-pressed", "true")
        england.page.context.set_offline(True)
        england.type("lvp wal")
        expect(status(england)).to_contain_text("Not sent yet")
        for order in ("bre h", "par h", "mar h"):
            france.type(order)
        france.ready()
        france.reaches("Fall 1901")
        england.page.context.set_offline(False)
        england.reaches("Fall 1901")
        expect(england.page.locator(".warning")).to_contain_text("the turn was over: A LVP - WAL")

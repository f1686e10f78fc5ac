"""What arrives between pressing a button and letting it go takes no click, and changes none."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.spectator.browser import started_browser
from tests.spectator.test_page_play import SERVER, Seat
from tests.spectator.test_page_seat import FREE, call, heard_by, two_people

FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started_browser() as browser:
        yield browser


def press_down(button: Locator) -> None:
    """Press the mouse on a button, and keep it down."""
    expect(button).to_be_visible()
    button.hover()
    button.page.mouse.down()


def frames(page: Page) -> None:
    """Give the page every chance to draw what it knows."""
    page.evaluate(FRAMES)


def key(seat: Seat) -> tuple[str, str]:
    game, secret = seat.page.evaluate("[location.pathname.split('/')[2], location.hash.slice(1)]")
    return game, secret


def say(seat: Seat, to: str, text: str) -> None:
    """Speak for a seat past its page."""
    game, secret = key(seat)
    told = call(seat.page, f"/api/games/{game}/seat/press", secret, {"to": [to], "text": text})
    assert told["sent"], told


def said_by(power: str, seat: Seat, count: int) -> list[str]:
    """Return what a power has said, as soon as it has said so much."""
    while len(said := [each["text"] for each in heard_by(seat) if each["from"] == power]) < count:
        seat.page.wait_for_timeout(50)
    return said


class Gate:
    """Keeps requests of a page back until it is opened."""

    def __init__(self, page: Page, address: str) -> None:
        self._page = page
        self._address = address
        self.waiting: list[Route] = []
        self._is_open = False
        page.route(address, self._on_request)

    def _on_request(self, route: Route) -> None:
        if self._is_open:
            route.continue_()
        else:
            self.waiting.append(route)

    def open(self) -> None:
        """Let them go, and wait until the page has the answer of the first."""
        self._is_open = True
        with self._page.expect_response(self._address):
            for route in self.waiting:
                route.continue_()


def turn_of(seat: Seat) -> Any:
    game, secret = key(seat)
    return call(seat.page, f"/api/games/{game}/seat", secret)


@pytest.mark.timeout(900)
def test_the_english_that_comes_while_a_choice_is_down_does_not_take_its_click(
    browser: Browser,
) -> None:
    with two_people(browser, FREE) as (england, france):
        page = england.page
        composer = page.locator(".composer")
        composer.locator("[data-field=to] [data-power=FRA]").click()
        composer.locator("[data-field=about]").select_option("solo")
        send = composer.get_by_role("button", name="Send")
        expect(send).to_be_enabled()
        gate = Gate(page, "**/press/check")
        with page.expect_request("**/press/check"):
            composer.locator("[data-field=turn]").select_option("NAR")
        expect(send).to_be_disabled()  # what it would send is not shown yet
        winner = composer.locator("[data-field=winner] [data-power=FRA]")
        press_down(winner)
        gate.open()
        frames(page)
        page.mouse.up()
        expect(winner).to_have_attribute("aria-pressed", "true")
        preview = composer.locator(".preview")
        expect(preview).to_contain_text("whether France wins alone")
        send.click()
        expect(preview).to_have_count(0)
        assert said_by("ENG", france, 1) == ["PRP ( NAR ( SLO ( FRA ) ) )"]


@pytest.mark.timeout(900)
def test_a_message_is_sent_once_and_the_next_one_is_kept(browser: Browser) -> None:
    with two_people(browser, SERVER) as (england, france):
        page = england.page
        composer = page.locator(".composer")
        composer.locator("[data-field=to] [data-power=FRA]").click()
        send = composer.get_by_role("button", name="Send")
        expect(send).to_be_enabled()
        gate = Gate(page, "**/seat/press")
        box = send.bounding_box()
        assert box is not None
        for _ in range(3):  # impatient
            page.mouse.click(box["x"] + 5, box["y"] + 5)
        expect(send).to_be_disabled()
        # Who is not so patient begins with the next message meanwhile.
        composer.locator("[data-field=about]").select_option("draw")
        expect(composer.locator(".preview")).to_contain_text("draw")
        gate.open()
        expect(send).to_be_enabled()
        expect(composer.locator("[data-field=about]")).to_have_value("draw")
        assert len(gate.waiting) == 1
        assert said_by("ENG", france, 1) == ["PRP ( PCE ( ENG FRA ) )"]


@pytest.mark.timeout(900)
def test_an_answer_goes_to_the_proposal_that_was_pointed_at(browser: Browser) -> None:
    with two_people(browser, SERVER) as (england, france):
        page = england.page
        talks = page.locator(".talk.mine")
        say(france, "ENG", "PRP ( PCE ( ENG FRA ) )")
        peace = talks.filter(has_text="peace").get_by_role("button", name="Accept")
        # It comes while the button is down.
        press_down(peace)
        say(france, "ENG", "PRP ( DRW )")
        expect(page.locator(".only-read[role=status]")).to_contain_text("a draw")  # it was heard
        frames(page)
        page.mouse.up()
        expect(peace).to_have_count(0)
        assert said_by("ENG", france, 1) == ["YES ( PRP ( PCE ( ENG FRA ) ) )"]
        # It comes before the button is pressed: what is under the mouse stays there.
        draw = talks.filter(has_text="draw").get_by_role("button", name="Refuse")
        draw.hover()
        before = draw.bounding_box()
        say(france, "ENG", "PRP ( ALY ( ENG FRA ) VSS ( GER ) )")
        expect(talks).to_have_count(3)
        after = draw.bounding_box()
        assert before is not None
        assert after is not None
        assert abs(after["y"] - before["y"]) < 1
        # The keys answer the line that wears them, until it has its answer.
        expect(draw.locator("kbd")).to_have_text("N")
        page.keyboard.press("n")
        expect(draw).to_have_count(0)
        assert said_by("ENG", france, 2)[1:] == ["REJ ( PRP ( DRW ) )"]
        expect(talks.first.locator("kbd").first).to_have_text("Y")


@pytest.mark.timeout(900)
def test_a_button_of_the_last_turn_does_nothing_in_the_next_one(browser: Browser) -> None:
    with two_people(browser, SERVER) as (england, france):
        for seat, orders in (
            (england, ("lon nth", "edi nwg", "lvp yor")),
            (france, ("bre mao", "par h", "mar h")),
        ):
            for order in orders:
                seat.type(order)
            seat.expect_count(3, 3)
        england.ready()
        button = england.page.locator(".ready")
        expect(button).to_have_attribute("aria-pressed", "true")
        press_down(button)  # to take it back
        france.ready()
        expect(france.page.locator(".when")).to_contain_text("Fall 1901")
        england.page.wait_for_function(
            """async ([path, headers]) =>
              (await (await fetch(path, { headers })).json()).turn[0] === "FAL" """,
            arg=[
                f"/api/games/{key(england)[0]}/seat",
                {"Authorization": f"Bearer {key(england)[1]}"},
            ],
        )
        frames(england.page)
        england.page.mouse.up()
        england.reaches("Fall 1901")
        expect(button).to_have_attribute("aria-pressed", "false")
        assert turn_of(england)["ready"] is False


@pytest.mark.timeout(900)
def test_the_focus_stays_on_what_was_chosen(browser: Browser) -> None:
    with two_people(browser, SERVER) as (england, _):
        page = england.page
        power = page.locator(".composer [data-field=to] [data-power=FRA]")
        for state in ("true", "false", "true"):
            power.focus()
            page.keyboard.press("Space")
            expect(power).to_have_attribute("aria-pressed", state)
            expect(power).to_be_focused()
        about = page.locator(".composer [data-field=about]")
        about.focus()
        page.keyboard.press("ArrowDown")
        expect(page.locator("[data-field=enemies]")).to_be_visible()
        expect(about).to_be_focused()

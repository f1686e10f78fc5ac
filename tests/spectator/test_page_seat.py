"""What a person can do at the page, one thing after the other: press, votes, keys, text, routes."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.spectator.browser import Served, Window, served, started_browser
from tests.spectator.test_page_play import BOTS, SERVER, Seat, bots

FREE = [*SERVER[:4], "--press-level", "8000", *SERVER[6:]]
CALL = """async ([path, secret, body]) => {
  const headers = { "Content-Type": "application/json" };
  if (secret) headers.Authorization = `Bearer ${secret}`;
  const more = body ? { method: "POST", body: JSON.stringify(body) } : {};
  return (await fetch(path, { headers, ...more })).json();
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started_browser() as browser:
        yield browser


def call(page: Page, path: str, secret: str | None = None, body: object = None) -> Any:
    return page.evaluate(CALL, [path, secret, body])


def sit_down(window: Window, server: Served, name: str) -> Seat:
    window.page.goto(server.address)
    window.page.get_by_label("Your name").fill(name)
    window.page.get_by_role("button", name="Play: take a seat").click()
    expect(window.page.locator(".when")).to_contain_text("You have a seat")
    return Seat(window.page)


@contextmanager
def two_people(
    browser: Browser, options: list[str], *, complains: bool = False
) -> Iterator[tuple[Seat, Seat]]:
    """England and France in the browser, the others hold; offline, browsers complain."""
    with served("serve", *options) as server:
        windows = [Window(browser), Window(browser)]
        england, france = (
            sit_down(window, server, name)
            for window, name in zip(windows, ("ENG:Ann", "FRA:<b>Bob</b>"), strict=True)
        )
        rest = dict.fromkeys((power for power in BOTS if power != "FRA"), "holdbot")
        with bots(server.port, rest):
            england.reaches("Spring 1901")
            france.reaches("Spring 1901")
            yield england, france
        for window in windows:
            assert complains or window.complaints == []
            window.close()


def agree_on_peace(england: Seat, france: Seat) -> None:
    composer = england.page.locator(".composer")
    composer.locator("[data-field=to] [data-power=FRA]").click()
    composer.get_by_role("button", name="Send").click()
    france.page.get_by_role("button", name="Accept").click()
    expect(england.page.locator(".talk .outcome").first).to_contain_text("agreed")


def heard_by(seat: Seat) -> list[Any]:
    """Return what the wire tells this seat of the present turn's press."""
    page = seat.page
    game, secret = page.evaluate("[location.pathname.split('/')[2], location.hash.slice(1)]")
    document = call(page, f"/api/games/{game}", secret)
    press: list[Any] = document["now"]["press"]
    return press


# --- press ----------------------------------------------------------------------------------------


def compose(seat: Seat, about: str, say: str, turn: str) -> str:
    """Put a form together by the menus, and return its preview."""
    composer = seat.page.locator(".composer")
    if about == "order":
        seat.unit("F BRE")
        expect(seat.entry).to_contain_text("Ask France: fleet Brest moves to")
        seat.target("MAO")
    else:
        composer.locator("[data-field=to] [data-power=FRA]").click()
        composer.locator("[data-field=about]").select_option(about)
    composer.locator("[data-field=say]").select_option(say)
    composer.locator("[data-field=turn]").select_option(turn)
    if about == "alliance":
        composer.locator("[data-field=enemies] [data-power=GER]").click()
    if about == "solo":
        composer.locator("[data-field=winner] [data-power=FRA]").click()
    if about == "zone":
        composer.get_by_label("Add a province").select_option("ECH")
        composer.get_by_label("Add a province").select_option("PIC")
    send = composer.get_by_role("button", name="Send")
    expect(send).to_be_enabled()
    preview = composer.locator(".preview").inner_text()
    send.click()
    expect(composer.locator(".preview")).to_have_count(0)  # the form is empty again
    return preview


FORMS = {
    "peace": "PCE ( ENG FRA )",
    "alliance": "ALY ( ENG FRA ) VSS ( GER )",
    "draw": "DRW",
    "solo": "SLO ( FRA )",
    "zone": "DMZ ( ENG FRA ) ( ECH PIC )",
    "order": "XDO ( ( FRA FLT BRE ) MTO MAO )",
}


@pytest.mark.timeout(900)
def test_every_form_of_press_is_sent_by_the_menus_and_read_as_it_was_shown(
    browser: Browser,
) -> None:
    with two_people(browser, FREE) as (england, france):
        shown, wanted = [], []
        for (about, inner), say, turn in product(FORMS.items(), ("PRP", "FCT"), ("", "NOT", "NAR")):
            shown.append(compose(england, about, say, turn))
            wanted.append(f"{say} ( {turn} ( {inner} ) )" if turn else f"{say} ( {inner} )")
        expect(france.page.locator(".talk").filter(has_text="Brest")).to_have_count(6)
        heard = heard_by(france)
        assert [each["text"] for each in heard] == wanted
        assert [each["en"] for each in heard] == shown
        assert {each["from"] for each in heard} == {"ENG"}
        # The others read nothing of it.
        assert all(each["to"] == ["FRA"] for each in heard)
        # Answers quote what was proposed, with one tap each.
        talk = france.page.locator(".talk")
        for left, name in ((17, "Accept"), (16, "Refuse"), (15, "Will not say")):
            talk.get_by_role("button", name=name).first.click()
            expect(talk.get_by_role("button", name="Accept")).to_have_count(left)
        answers = [each["text"] for each in heard_by(england) if each["from"] == "FRA"]
        assert [each.split()[0] for each in answers] == ["YES", "REJ", "BWX"]
        assert all(each.split(" ( ", 1)[1][:-2] in wanted for each in answers)


@pytest.mark.timeout(900)
def test_plain_words_and_daide_text_are_said_and_stay_text(browser: Browser) -> None:
    with two_people(browser, FREE) as (england, france):
        composer = england.page.locator(".composer")
        composer.locator("[data-field=to] [data-power=FRA]").click()
        composer.locator("[data-field=about]").select_option("text")
        words = "Don't <script>alert(1)</script> & 'stay'"
        composer.get_by_label("What to say").fill(words)
        composer.get_by_role("button", name="Send").click()
        expect(france.page.locator(".talk").filter(has_text=words)).to_be_visible()
        assert france.page.locator("script[src*=alert], .talk script").count() == 0
        # The raw field is read by the same grammar, and says where it is wrong.
        composer.locator("[data-field=to] [data-power=FRA]").click()
        composer.get_by_text("advanced: DAIDE text").click()
        raw = composer.get_by_label("DAIDE text")
        raw.fill("PRP ( PCE ( ENG ) NTH )")
        expect(composer.locator(".preview u")).to_have_count(1)
        expect(composer.get_by_role("button", name="Send")).to_be_disabled()
        raw.fill("FCT ( PCE ( ENG GER ) )")
        expect(composer.locator(".preview")).to_contain_text(
            "England tells France that England and Germany are at peace"
        )
        composer.get_by_role("button", name="Send").click()
        expect(
            france.page.locator(".talk").filter(has_text="England and Germany are at peace")
        ).to_be_visible()
        texts = [each["text"] for each in heard_by(france)]
        assert texts == [f"'{words.replace(chr(39), chr(39) * 2)}'", "FCT ( PCE ( ENG GER ) )"]


@pytest.mark.timeout(900)
def test_who_breaks_a_word_is_warned_and_wears_the_dagger(browser: Browser) -> None:
    with two_people(browser, SERVER) as (england, france):
        agree_on_peace(england, france)
        for seat, orders in (
            (england, ("lon ech", "edi h", "lvp h")),
            (france, ("bre mao", "par h", "mar h")),
        ):
            for order in orders:
                seat.type(order)
            seat.expect_count(3, 3)
            seat.ready()
        england.reaches("Fall 1901")
        france.reaches("Fall 1901")
        england.type("ech bre")
        expect(england.page.locator(".warning")).to_contain_text("breaks your peace with France")
        assert england.orders() == []
        england.page.get_by_role("button", name="Send anyway").click()
        expect_saved(england, "F ECH - BRE")
        for seat, texts in ((england, "edi h, lvp h"), (france, "mao h, par h, mar h")):
            for order in texts.split(", "):
                seat.type(order)
            seat.expect_count(3, 3)
            seat.ready()
        for seat in (england, france):
            expect(seat.page.locator(".when")).to_contain_text("Winter 1901")
            seat.page.keyboard.press("ArrowLeft")
            expect(seat.page.locator(".board .dagger")).to_have_count(1)
            mark = seat.page.locator(".board .order", has=seat.page.locator(".dagger"))
            expect(mark).to_have_attribute("data-unit", "F ECH")
            seat.page.get_by_role("tab", name="Press").click()
            expect(seat.page.locator(".talk.stab")).to_contain_text("England stabs France")


# --- votes ----------------------------------------------------------------------------------------


@pytest.mark.timeout(900)
def test_a_draw_is_voted_for_on_the_page_and_ends_the_game(browser: Browser) -> None:
    with served("serve", *SERVER) as server:
        window = Window(browser)
        seat = sit_down(window, server, "ENG:Ann")
        page = seat.page
        others = [call(page, "/api/seats", None, {"name": f"{power}:x"}) for power in BOTS]
        seat.reaches("Spring 1901")
        vote = page.get_by_role("button", name="Draw?")
        vote.click()
        expect(vote).to_have_attribute("aria-pressed", "true")
        vote.click()
        expect(vote).to_have_attribute("aria-pressed", "false")
        for each in others:
            told = call(
                page, f"/api/games/{each['game']}/seat/draw", each["secret"], {"draw": True}
            )
            assert told["seat"]["draw"] is True
        expect(page.locator(".badge")).to_have_text("live")  # ours was taken back
        vote.click()
        expect(page.locator(".badge")).to_have_text("replay")
        expect(page.locator(".when")).to_contain_text("A draw of Austria, England")
        assert window.complaints == []
        window.close()


# --- orders ---------------------------------------------------------------------------------------


def sentences(page: Page) -> str:
    return page.locator(".entry [role=status]").first.inner_text()


def expect_saved(seat: Seat, order: str) -> None:
    """See the order marked as saved, and ask the server itself."""
    seat.page.get_by_role("tab", name="Orders").click()
    line = seat.page.locator(".order-list li").filter(has_text=order)
    expect(line.locator(".saved")).to_have_count(1)
    assert order in seat.orders()


@pytest.mark.timeout(900)
def test_whole_turns_are_ordered_by_keys_alone_and_by_text_alone(browser: Browser) -> None:
    with two_people(browser, SERVER) as (england, france):
        # Keys: no mouse, no text field.
        keys = england.page.keyboard
        keys.press("j")
        expect(england.entry.locator("[role=status]").first).to_contain_text("moves to")
        first = sentences(england.page).split(" moves")[0]
        keys.press("ArrowDown")
        keys.press("ArrowDown")
        expect(england.page.locator(".options [aria-current=true]")).to_have_count(1)
        keys.press("Enter")
        keys.press("j")
        expect(england.entry.locator("[role=status]").first).not_to_contain_text(first)
        keys.press("h")
        keys.press("j")
        keys.press("1")
        england.expect_count(3, 3)
        england.page.get_by_role("tab", name="Orders").focus()
        keys.press("Enter")
        expect(england.page.locator(".order-list .saved")).to_have_count(3)
        assert len(england.orders()) == 3
        expect(england.page.locator(".only-read[role=status]")).to_contain_text("Saved")
        keys.press("g")
        expect(england.page.locator(".ready")).to_have_attribute("aria-pressed", "true")
        # Text: one field, three lines, and the word `Enter`.
        france.page.keyboard.press("/")
        field = france.page.get_by_label("Type an order")
        expect(field).to_be_focused()
        for line in ("bre mao", "par - pic", "A MAR S A PAR - BUR"):
            france.page.keyboard.type(line)
            france.page.keyboard.press("Enter")
            expect(field).to_have_value("")
        france.expect_count(3, 3)
        expect(france.page.locator(".only-read[role=status]")).to_contain_text("Army Marseilles")
        assert france.orders() == ["A MAR S A PAR - BUR", "A PAR - PIC", "F BRE - MAO"]
        france.page.keyboard.press("Escape")
        france.page.keyboard.press("g")
        england.reaches("Fall 1901")


@pytest.mark.timeout(900)
def test_each_of_several_routes_and_coasts_can_be_chosen(browser: Browser) -> None:
    with two_people(browser, SERVER) as (england, france):
        for seat, orders in (
            (england, ("lon nth", "edi nwg", "lvp edi")),
            (france, ("bre mao", "par h", "mar h")),
        ):
            for order in orders:
                seat.type(order)
            seat.expect_count(3, 3)
            seat.ready()
        england.reaches("Fall 1901")
        for route, text in (("North Sea", "NTH"), ("Norwegian Sea", "NWG")):
            england.unit("A EDI")
            england.target("NWY")
            exact = england.page.locator(f'.options [data-value="{text}"]')
            expect(exact).to_contain_text(f"via {route}")
            exact.click()
            expect_saved(england, f"A EDI - NWY VIA {text}")
        # Two coasts in reach: it is asked for, wherever one taps.
        france.reaches("Fall 1901")
        for key, coast in (("n", "NCS"), ("s", "SCS")):
            france.unit("F MAO")
            france.target("SPA")
            expect(france.page.locator('.options [data-value="NCS"]')).to_be_visible()
            expect(france.page.locator('.options [data-value="SCS"]')).to_be_visible()
            france.page.keyboard.press(key)
            expect_saved(france, f"F MAO - SPA/{coast}")


def test_the_secret_is_in_no_address_and_no_referrer(browser: Browser) -> None:
    with served("serve", *SERVER) as server:
        window = Window(browser)
        asked: list[tuple[str, dict[str, str]]] = []
        window.page.on("request", lambda each: asked.append((each.url, each.headers)))
        seat = sit_down(window, server, "ENG:Ann")
        secret = seat.page.url.partition("#")[2]
        assert len(secret) == 32
        seat.page.reload()
        expect(seat.page.locator(".when")).to_contain_text("You have a seat")
        seat.page.locator("a.brand").click()
        expect(seat.page.locator(".card")).to_have_count(1)
        for url, headers in asked:
            assert secret not in url.partition("#")[0]
            kept = {name: value for name, value in headers.items() if name != "authorization"}
            assert secret not in json.dumps(kept)
        assert any(secret in headers.get("authorization", "") for _, headers in asked)
        assert window.complaints == []
        window.close()

"""The parts of the page that decide something, called in a real browser."""

import json
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Page

from grammar.messages import SendPress
from grammar.parse import parse
from grammar.text import from_text
from rules.legal_orders import legal_orders
from rules.notation import format_order
from rules.position_json import PositionJson, position_from_json
from rules.variants import load_board
from tests.spectator.browser import Window, started_browser

PAGE = Path(__file__).parents[2] / "spectator" / "page"
BOARD = load_board("standard")
POSITION: PositionJson = {
    "turn": ["SPR", 1902],
    "units": {
        "FRA": ["A PIC", "A PAR", "F MAO", "F ECH", "F STP/SCS"],
        "ENG": ["F NTH", "A YOR"],
        "GER": ["A BEL"],
    },
    "centers": {},
    "dislodged": [],
}


class Quiet(SimpleHTTPRequestHandler):
    """Files of the page, without a line of log for each."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the base class has it
        """Say nothing."""


@pytest.fixture(scope="module")
def window() -> Iterator[Page]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(PAGE)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        with started_browser() as browser:
            window = Window(browser)
            window.page.goto(f"http://127.0.0.1:{server.server_port}/icon.svg")
            yield window.page
            window.close()
    finally:
        server.shutdown()
        server.server_close()


def french_orders() -> list[str]:
    france = next(power for power in BOARD.powers if power.name == "FRA")
    legal = legal_orders(BOARD, position_from_json(BOARD, POSITION), france)
    return [format_order(order) for orders in legal.values() for order in orders]


READ = """async ([legal, texts, names]) => {
  const orders = await import("/orders.js");
  const parts = legal.map(orders.takeApart);
  return texts.map((text) => {
    const { fit, exact } = orders.readTyped(text, parts, names);
    return [exact ? exact.text : null, fit.map((each) => each.text)];
  });
}"""

TYPED = {
    "A PAR - BUR": "A PAR - BUR",
    "par bur": "A PAR - BUR",
    "PAR → BUR": "A PAR - BUR",
    "paris burgundy": "A PAR - BUR",
    "par h": "A PAR H",
    "a par holds": "A PAR H",
    "ech s nth - bel": "F ECH S F NTH - BEL",
    "eng s nth bel": "F ECH S F NTH - BEL",
    "F ECH supports A PIC to BEL": "F ECH S A PIC - BEL",
    "par s pic": "A PAR S A PIC",
    "pic - lon via ech": "A PIC - LON VIA ECH",
    "pic lon via ech nth": "A PIC - LON VIA ECH NTH",
    "ech c pic - lon": "F ECH C A PIC - LON",
    "ech c pic lon": "F ECH C A PIC - LON",
    "mao spa nc": "F MAO - SPA/NCS",
    "mao - spa/sc": "F MAO - SPA/SCS",
    "mao - spa (scs)": "F MAO - SPA/SCS",
    "stp/scs - bot": "F STP/SCS - GOB",
    "stp gob": "F STP/SCS - GOB",
    "pic bel": "A PIC - BEL",
}


def test_orders_can_be_typed_freely(window: Page) -> None:
    names = {"PAR": "Paris", "BUR": "Burgundy"}
    read = window.evaluate(READ, [french_orders(), list(TYPED), names])
    assert {text: exact for text, (exact, _) in zip(TYPED, read, strict=True)} == TYPED


def test_an_unclear_or_illegal_order_is_not_guessed(window: Page) -> None:
    texts = ["mao spa", "pic lon", "par lon", "", "xyzzy", "par"]
    read = window.evaluate(READ, [french_orders(), texts, {}])
    assert [exact for exact, _ in read] == [None] * len(texts)
    assert read[0][1] == ["F MAO - SPA/NCS", "F MAO - SPA/SCS"]
    assert len(read[1][1]) == 2  # over the Channel, and round by the North Sea
    assert read[2][1] == []


ADJUSTMENTS = ["A BRE BLD", "F BRE BLD", "F STP/NCS BLD", "F STP/SCS BLD", "WVE", "A MUN REM"]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("bre bld f", "F BRE BLD"),
        ("build a bre", "A BRE BLD"),
        ("f bre", "F BRE BLD"),
        ("f stp nc", "F STP/NCS BLD"),
        ("waive", "WVE"),
        ("wve", "WVE"),
        ("mun rem", "A MUN REM"),
        ("remove mun", None),
    ],
)
def test_builds_can_be_typed(window: Page, text: str, order: str | None) -> None:
    [[exact, _]] = window.evaluate(READ, [ADJUSTMENTS, [text], {}])
    assert exact == order


ASK = """async ([legal, answers]) => {
  const orders = await import("/orders.js");
  const parts = legal.map(orders.takeApart);
  return { next: orders.nextQuestion(parts, answers), one: orders.decided(parts, answers) };
}"""


def test_only_what_differs_is_asked(window: Page) -> None:
    fleet = [order for order in french_orders() if order.startswith("F MAO")]
    to_spain = window.evaluate(ASK, [fleet, {"kind": "move", "goal": "SPA"}])
    assert to_spain["next"] == {"question": "coast", "options": ["NCS", "SCS"]}
    to_portugal = window.evaluate(ASK, [fleet, {"kind": "move", "goal": "POR"}])
    assert to_portugal["next"] is None
    assert to_portugal["one"]["text"] == "F MAO - POR"
    army = [order for order in french_orders() if order.startswith("A PIC")]
    to_london = window.evaluate(ASK, [army, {"kind": "move", "goal": "LON"}])
    assert to_london["next"] == {"question": "route", "options": ["ECH", "ECH NTH"]}


MENUS = """async (drafts) => {
  const { ABOUT, SAY, TURNS, pressText } = await import("/compose.js");
  const owner = (place) => ({ NTH: "ENG", YOR: "ENG", BEL: "GER" })[place.split("/")[0]] || "FRA";
  return drafts.flatMap((draft) => Object.keys(SAY).flatMap((say) =>
    Object.keys(TURNS).flatMap((turn) => Object.entries(ABOUT).map(([about, { level }]) =>
      [level, pressText({ say, turn, about, ...draft }, owner).text]))));
}"""
DRAFTS = [
    {"powers": powers, "enemies": enemies, "winner": winner, "provinces": places, "order": order}
    for powers, enemies, winner, places, order in [
        (["ENG", "FRA"], ["GER"], "FRA", ["ECH"], "A YOR H"),
        (["ENG", "FRA", "GER"], ["ITA", "RUS"], "TUR", ["ECH", "PIC"], "F NTH C A YOR - NWY"),
        (["FRA", "TUR"], ["AUS"], "AUS", ["STP"], "F STP/SCS S A PIC - BEL"),
        (["FRA", "GER"], ["ENG"], "GER", ["MUN"], "A BEL S A PIC"),
        (["FRA", "GER"], ["ENG"], "GER", ["MUN"], "A YOR - NWY VIA NTH"),
        (["FRA", "GER"], ["ENG"], "GER", ["MUN"], "F STP/SCS - GOB"),
        (["FRA", "GER"], ["ENG"], "GER", ["MUN"], "F MAO - SPA/NCS"),
    ]
]


def test_every_choice_of_the_menus_is_press_of_its_level(window: Page) -> None:
    made = window.evaluate(MENUS, DRAFTS)
    for level, text in made:
        sent = parse(from_text(f"SND ( ENG ) ( {text} )"), level=level)
        assert isinstance(sent, SendPress), f"{text} at level {level}: {sent}"


def test_the_menus_make_every_form_of_their_levels(window: Page) -> None:
    words = {word for _, text in window.evaluate(MENUS, DRAFTS) for word in text.split()}
    forms = {"PRP", "FCT", "NOT", "NAR", "PCE", "ALY", "VSS", "DRW", "SLO", "DMZ", "XDO"}
    orders = {"HLD", "MTO", "SUP", "CVY", "CTO", "VIA"}
    assert forms | orders <= words


XDO = """async ([orders, owners]) => {
  const { orderAsPress, orderInPress } = await import("/store.js");
  const owner = (place) => owners[place.split("/")[0]];
  return orders.map((order) => orderInPress(`PRP ( XDO ( ${orderAsPress(order, owner)} ) )`));
}"""


def test_an_order_survives_being_said_in_press(window: Page) -> None:
    owners = {
        unit.split(" ")[1].split("/")[0]: power
        for power, units in POSITION["units"].items()
        for unit in units
    }
    orders = french_orders()
    assert window.evaluate(XDO, [orders, owners]) == orders


def test_what_others_wrote_is_shown_as_text(window: Page) -> None:
    shown = window.evaluate(
        """async () => {
          const { h } = await import("/dom.js");
          const text = "<script>alert(1)</script>\\u0007\\u202e\\u0000";
          const node = h("p", { title: "x" }, text);
          return [node.children.length, node.textContent];
        }"""
    )
    assert shown == [0, "<script>alert(1)</script>␇·␀"]


def test_the_frame_has_no_inline_script_or_style() -> None:
    frame = (PAGE / "index.html").read_text()
    assert "style=" not in frame
    assert "<style" not in frame
    assert frame.count("<script") == 2
    assert '<script type="module" async src="/page/early.js">' in frame
    assert '<script type="module" src="/page/app.js">' in frame
    named = {line.split('"')[3] for line in frame.splitlines() if "modulepreload" in line}
    modules = {f"/page/{path.name}" for path in PAGE.glob("*.js")}
    modules -= {"/page/app.js", "/page/early.js"}
    assert named == modules, json.dumps(sorted(named ^ modules))

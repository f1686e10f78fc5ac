"""People who play in the browser: a real server, real sockets, the requests of the page."""

import asyncio
import gc
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve
from structlog.testing import capture_logs

from grammar.dialects import Dialect
from rules.maps import load_map
from server.limits import TokenBucket
from server.reporter import Reporter
from spectator.web import library
from spectator.web.app import make_app
from spectator.web.keys import Keys
from spectator.web.library import Library
from spectator.web.seat_client import Server
from spectator.web.seats import Seats
from spectator.web.serving import bind, serving
from spectator.web.site import RefusedError, Site
from tests.server.hosting import CONFIG, SETTINGS, Hosted, RawPeer, hosting
from tests.spectator.web.wire import MASTER, Door, Reply, follow, recorded_site, until

GAME = "/api/games/game-1"
SEAT = f"{GAME}/seat"
# What a neighbour does is said by its name.
OTHERS = ("AUS", "ENG", "GER", "ITA", "RUS", "TUR")
SPRING = ["SPR", 1901]


async def becomes(
    look: Callable[[], Awaitable[Any]],
    is_so: Callable[[Any], Any],
) -> Any:
    """Look again and again until what is seen is so."""
    async with asyncio.timeout(60):
        while True:
            seen = await look()
            if is_so(seen):
                return seen
            await asyncio.sleep(0.02)


@define
class Room:
    """A game with a page, one person as France, and six clients that do what they are told."""

    door: Door
    seats: Seats
    hosted: Hosted
    secret: str
    others: dict[str, RawPeer]

    async def do(self, act: str, **body: object) -> Reply:
        return await self.door.post(f"{SEAT}/{act}", body, self.secret)

    async def seat(self) -> Any:
        return (await self.door.ask(SEAT, secret=self.secret)).json

    async def seat_in(self, turn: list[Any]) -> Any:
        """Wait for a turn."""
        return await becomes(self.seat, lambda seat: seat.get("turn") == turn)

    async def document(self) -> Any:
        return (await self.door.ask(GAME, secret=self.secret)).json


@asynccontextmanager
async def page_of(hosted: Hosted, file: Path | None = None) -> AsyncIterator[tuple[Door, Seats]]:
    known = Library()
    site = Site(known, Keys(MASTER))
    server = Server(hosted.port, dialect=hosted.host.config.dialect)
    seats = Seats(site, server, load_map("standard"), file)
    hosted.host.add_observer(Reporter("standard", known.learn, tells_all=True))
    bound = bind("127.0.0.1", 0)
    async with serving(make_app(site, seats.routes()), bound):
        yield Door(site, bound.getsockname()[1]), seats
        seats.close()


@asynccontextmanager
async def playing(level: int = 20, dialect: Dialect = Dialect.REFERENCE) -> AsyncIterator[Room]:
    settings = evolve(SETTINGS, level=level, power_in_name=True)
    async with (
        hosting(evolve(CONFIG, settings=settings, dialect=dialect)) as hosted,
        page_of(hosted) as (door, seats),
    ):
        joined = await door.post("/api/seats", {"name": "FRA:Ann"}, None)
        assert joined.status == 200, joined.body
        others = {}
        for power in OTHERS:
            peer = await hosted.peer(f"NME ( '{power}:x' ) ( '1' )")
            await peer.until("MAP")
            peer.say("YES ( MAP ( 'standard' ) )")
            others[power] = peer
        room = Room(door, seats, hosted, joined.json["secret"], others)
        await room.seat_in(SPRING)
        yield room


async def test_a_seat_shows_every_legal_order_of_its_own_units() -> None:
    async with playing() as room:
        seat = await room.seat()
        assert (seat["power"], seat["state"], seat["phase"]) == ("FRA", "playing", "movement")
        assert set(seat["legal"]) == {"A PAR", "A MAR", "F BRE"}
        assert "A PAR - BUR" in seat["legal"]["A PAR"]
        assert "F BRE - SPA/NCS" not in seat["legal"]["F BRE"]
        legal = (await room.door.ask(f"{GAME}/legal")).json
        assert legal["legal"]["FRA"] == seat["legal"]
        assert "F LON - ECH" in legal["legal"]["ENG"]["F LON"]


async def test_an_order_is_saved_when_the_game_has_said_so_and_can_be_changed_and_taken_back() -> (
    None
):
    async with playing() as room:
        done = (await room.do("orders", turn=SPRING, orders=["A PAR - BUR", "A MAR - LON"])).json
        assert [(each["note"], each["saved"]) for each in done["orders"]] == [
            ("MBV", True),
            ("FAR", False),
        ]
        assert done["orders"][1]["why"]
        assert [each["order"] for each in (await room.seat())["orders"]] == ["A PAR - BUR"]
        await room.do("orders", turn=SPRING, orders=["A PAR - PIC"])
        assert [each["order"] for each in (await room.seat())["orders"]] == ["A PAR - PIC"]
        await room.do("withdraw", turn=SPRING, orders=["A PAR - PIC"])
        assert (await room.seat())["orders"] == []
        await room.do("orders", turn=SPRING, orders=["A PAR - BUR", "F BRE - MAO"])
        await room.do("withdraw", turn=SPRING)
        assert (await room.seat())["orders"] == []


async def test_of_two_states_of_a_seat_the_newer_has_the_greater_number() -> None:
    async with playing() as room:
        told = [await room.do("orders", turn=SPRING, orders=["A PAR - BUR"])]
        told += [await room.do("withdraw", turn=SPRING), await room.do("draw", draw=True)]
        numbers = [each.json["seat"]["number"] for each in told]
        assert numbers == sorted(set(numbers))
        assert (await room.seat())["number"] == numbers[-1]


async def test_a_turn_waits_until_the_person_is_ready_and_a_change_takes_that_back() -> None:
    async with playing() as room:
        orders = ["A PAR - BUR", "A MAR H", "F BRE - MAO"]
        await room.do("orders", turn=SPRING, orders=orders)
        for power, peer in room.others.items():
            peer.say(ORDERS[power])
            await peer.until("THX")
        assert (await room.seat())["turn"] == SPRING
        # One that still has to order something holds the turn as well.
        room.others["AUS"].say("NOT ( GOF )")
        await room.others["AUS"].until(r"YES \( NOT \( GOF")
        assert (await room.do("ready", turn=SPRING, ready=True)).json["seat"]["ready"] is True
        changed = (await room.do("orders", turn=SPRING, orders=["A MAR - SPA"])).json
        assert changed["seat"]["ready"] is False
        await room.do("ready", turn=SPRING, ready=True)
        room.others["AUS"].say("GOF")
        await room.seat_in(["FAL", 1901])
        played = (await room.document())["turns"][0]
        assert ["FRA", "A MAR - SPA", "SUC", 1, "moved to Spain with strength 1", ""] in played[
            "orders"
        ]


ORDERS = {
    "AUS": "SUB ( ( AUS AMY VIE ) HLD ) ( ( AUS AMY BUD ) HLD ) ( ( AUS FLT TRI ) HLD )",
    "ENG": "SUB ( ( ENG AMY LVP ) HLD ) ( ( ENG FLT LON ) HLD ) ( ( ENG FLT EDI ) HLD )",
    "GER": "SUB ( ( GER AMY BER ) HLD ) ( ( GER AMY MUN ) HLD ) ( ( GER FLT KIE ) HLD )",
    "ITA": "SUB ( ( ITA AMY ROM ) HLD ) ( ( ITA AMY VEN ) HLD ) ( ( ITA FLT NAP ) HLD )",
    "RUS": "SUB ( ( RUS AMY MOS ) HLD ) ( ( RUS AMY WAR ) HLD ) ( ( RUS FLT SEV ) HLD ) "
    "( ( RUS FLT ( STP SCS ) ) HLD )",
    "TUR": "SUB ( ( TUR AMY CON ) HLD ) ( ( TUR AMY SMY ) HLD ) ( ( TUR FLT ANK ) HLD )",
}


async def test_press_is_checked_with_the_grammar_and_read_by_the_other_side_as_shown() -> None:
    async with playing() as room:
        peace = {"to": ["ENG"], "text": "PRP ( PCE ( FRA ENG ) )"}
        draft = (await room.do("press/check", **peace)).json
        assert (draft["ok"], draft["level"]) == (True, 10)
        assert (await room.do("press", **peace)).json["sent"] is True
        heard = await room.others["ENG"].until("FRM")
        assert "PRP ( PCE ( FRA ENG ) )" in heard
        said = (await room.document())["now"]["press"]
        assert [each["en"] for each in said] == [draft["english"]]
        room.others["ENG"].say("SND ( FRA ) ( YES ( PRP ( PCE ( FRA ENG ) ) ) )")
        await room.others["ENG"].until(r"YES \( SND")
        promises = (await becomes(room.document, has_promises))["promises"]
        assert {each["maker"] for each in promises} == {"FRA", "ENG"}


@pytest.mark.parametrize(
    ("level", "to", "text", "why"),
    [
        (20, ["ENG"], "PRP ( PCE ( FRA ENG )", "brackets"),
        (20, ["ENG"], "PRP ( ENG )", "fit together"),
        (20, ["ENG"], "PRP ( BLARG )", "BLARG"),
        (10, ["ENG"], "PRP ( DMZ ( FRA ENG ) ( ECH ) )", "level 20"),
        (20, ["FRA"], "PRP ( DRW )", "choose among"),
        (20, [], "PRP ( DRW )", "choose among"),
        (20, ["ENG) (GER"], "PRP ( DRW )", "choose among"),
        (0, ["ENG"], "PRP ( DRW )", "without press"),
    ],
)
async def test_press_that_cannot_be_sent_says_why(
    level: int, to: list[str], text: str, why: str
) -> None:
    async with playing(level) as room:
        for act in ("press/check", "press"):
            told = (await room.do(act, to=to, text=text)).json
            assert told["ok"] is False
            assert why in told["why"]


async def test_an_order_against_ones_own_word_is_told_before_it_is_sent() -> None:
    async with playing() as room:
        await room.do("press", to=["GER"], text="PRP ( PCE ( FRA GER ) )")
        await room.others["GER"].until("FRM")
        room.others["GER"].say("SND ( FRA ) ( YES ( PRP ( PCE ( FRA GER ) ) ) )")
        await room.others["GER"].until(r"YES \( SND")
        await becomes(room.document, has_promises)
        attack = "A MAR S A PAR - MUN"
        told = (await room.do("check", turn=SPRING, orders=["A PAR - BUR"])).json
        assert told["breaks"] == []
        assert (await room.seat())["orders"] == []
        told = (await room.do("check", turn=SPRING, orders=["A PAR - MUN", attack])).json
        (broken,) = told["breaks"]
        assert broken["with"] == ["GER"]
        assert broken["en"] == "breaks your peace with Germany"
        promises = {each["id"]: each for each in (await room.document())["promises"]}
        assert promises[broken["promise"]]["maker"] == "FRA"


async def test_a_draw_is_voted_for_and_the_vote_taken_back() -> None:
    async with playing() as room:
        assert (await room.do("draw", draw=True)).json["seat"]["draw"] is True
        assert (await room.do("draw", draw=False)).json["seat"]["draw"] is False


async def test_the_page_of_a_seat_is_told_and_a_reload_shows_the_same() -> None:
    async with playing() as room, room.door.socket() as socket:
        await follow(socket, {"game": "game-1", "secret": room.secret})
        assert (await until(socket, "following"))[-1]["following"] == "FRA"
        await room.do("orders", turn=SPRING, orders=["A PAR - BUR"])
        told = (await until(socket, "seat"))[-1]["seat"]
        async with asyncio.timeout(60):
            while not told["orders"]:
                told = (await until(socket, "seat"))[-1]["seat"]
        assert told["orders"] == (await room.seat())["orders"]


async def test_unjudged_orders_and_drafts_are_nobody_elses_business() -> None:
    async with playing() as room, room.door.socket() as public, room.door.socket() as master:
        await follow(public, {"game": "game-1"})
        await follow(master, {"game": "game-1", "secret": MASTER})
        await until(public, "following")
        await until(master, "following")
        await room.do("orders", turn=SPRING, orders=["A PAR - PIC"])
        await room.do("press", to=["ENG"], text="PRP ( PCE ( FRA ENG ) )")
        for secret in (None, MASTER):
            reply = await room.door.ask(GAME, secret=secret)
            assert b"A PAR - PIC" not in reply.body
        heard = (await until(master, "press"))[-1]
        assert heard["press"]["text"].startswith("PRP")
        # The public is told of the next turn at last, and has not heard of either before.
        room.hosted.host.rooms[0].command("end")
        told = await until(public, "result")
        assert not [each for each in map(str, told) if "PIC" in each or "PRP" in each]


def has_promises(document: dict[str, Any]) -> bool:
    return bool(document["promises"])


ACTS: list[tuple[str, dict[str, object]]] = [
    ("check", {"turn": SPRING, "orders": []}),
    ("orders", {"turn": SPRING, "orders": ["A PAR H"]}),
    ("withdraw", {"turn": SPRING}),
    ("ready", {"turn": SPRING, "ready": True}),
    ("draw", {"draw": True}),
    ("press/check", {"to": ["ENG"], "text": "PRP ( DRW )"}),
    ("press", {"to": ["ENG"], "text": "PRP ( DRW )"}),
]


async def test_every_act_needs_the_secret_and_our_own_origin() -> None:
    async with playing() as room:
        for act, body in ACTS:
            path = f"{SEAT}/{act}"
            for secret in (None, MASTER, room.secret[:-1] + "x"):
                room.door.site.keys._wrong.clear()
                assert (await room.door.post(path, body, secret)).status == 403, (act, secret)
            for origin in ("http://evil.example", "null", ""):
                refused = await room.door.post(path, body, room.secret, Origin=origin)
                assert refused.status == 403, (act, origin)
            plain = await room.door.post(path, body, room.secret, Content_Type="text/plain")
            assert plain.status == 400
            assert (await room.door.ask(path, secret=room.secret)).status == 405
        seat = await room.seat()
        assert (seat["orders"], seat["ready"], seat["draw"]) == ([], False, False)


@pytest.mark.parametrize(
    ("act", "body"),
    [
        ("orders", {"turn": ["FAL", 1901], "orders": []}),
        ("orders", {"orders": ["A PAR H"]}),
        ("orders", {"turn": SPRING, "orders": "A PAR H"}),
        ("orders", {"turn": SPRING, "orders": [3]}),
        ("orders", {"turn": SPRING, "orders": ["A PAR"]}),
        ("orders", {"turn": SPRING, "orders": ["A XYZ H"]}),
        ("orders", {"turn": SPRING, "orders": ["A PAR H"] * 101}),
        ("ready", {"turn": SPRING, "ready": "yes"}),
        ("draw", {"draw": True, "powers": "FRA"}),
        ("draw", {"draw": True, "powers": ["XXX"]}),
        ("press", {"to": "ENG", "text": "PRP ( DRW )"}),
        ("press", {"to": ["ENG"], "text": 3}),
        ("press", {"to": ["ENG"], "text": "( " * 2500}),
    ],
)
async def test_what_makes_no_sense_is_refused_with_a_sentence(
    act: str, body: dict[str, object]
) -> None:
    async with playing() as room:
        refused = await room.do(act, **body)
        assert refused.status in (400, 409)
        assert len(refused.json["error"]) > 10


async def test_a_game_without_a_free_seat_is_refused_and_so_is_a_strange_name() -> None:
    async with playing() as room:
        refused = await room.door.post(f"{GAME}/seats", {"name": "Eve"}, None)
        assert refused.status == 409
        assert (await room.door.post("/api/games/none/seats", {}, None)).status == 404
        for name in ("x" * 50, "\x07", 3, "Zoë"):
            assert (await room.door.post("/api/seats", {"name": name}, None)).status == 400
        evil = await room.door.post("/api/seats", {}, None, Origin="http://evil.example")
        assert evil.status == 403


async def test_the_words_of_the_servers_dialect_are_spoken() -> None:
    async with playing(dialect=Dialect.DIPLOMACY) as room:
        told = (await room.do("press", to=["ENG"], text="CCL ( PRP ( PCE ( FRA ENG ) ) )")).json
        assert told["sent"] is True
        assert await becomes(room.document, lambda seen: seen["now"]["press"])


async def test_a_seat_that_does_too_much_is_slowed_and_keeps_its_place() -> None:
    async with playing() as room:
        room.seats._acts[room.secret] = TokenBucket(rate=0.0, burst=3.0)
        replies = [await room.do("orders", turn=SPRING, orders=["A PAR H"]) for _ in range(5)]
        assert [each.status for each in replies] == [200, 200, 200, 429, 429]
        assert (await room.seat())["state"] == "playing"


async def test_a_seat_survives_the_end_of_the_pages_process(tmp_path: Path) -> None:
    file = tmp_path / "games.db.seats"
    settings = evolve(SETTINGS, power_in_name=True)
    async with hosting(evolve(CONFIG, settings=settings)) as hosted:
        async with page_of(hosted, file) as (door, _):
            joined = (await door.post("/api/seats", {"name": "FRA:Ann"}, None)).json
            for power in OTHERS:
                peer = await hosted.peer(f"NME ( '{power}:x' ) ( '1' )")
                await peer.until("MAP")
                peer.say("YES ( MAP ( 'standard' ) )")
            await becomes(lambda: asyncio.to_thread(file.exists), bool)
        assert file.stat().st_mode & 0o777 == 0o600
        async with page_of(hosted, file) as (door, seats):
            seats.restore()
            seat = await becomes(
                lambda: door.ask(SEAT, secret=joined["secret"]),
                lambda reply: reply.json["state"] == "playing",
            )
            seat = seat.json
            assert (seat["power"], seat["turn"]) == ("FRA", SPRING)


async def test_a_page_through_which_nobody_can_play_says_so() -> None:
    site = recorded_site()
    seats = Seats(site, None)
    bound = bind("127.0.0.1", 0)
    async with serving(make_app(site, seats.routes()), bound):
        refused = await Door(site, bound.getsockname()[1]).post("/api/seats", {}, None)
        assert refused.status == 409
        assert "TLS" in refused.json["error"]


async def test_a_seat_of_a_game_that_is_gone_opens_nothing_and_is_no_trouble(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "games.db.seats"
    secret = "f" * 32
    kept = {secret: {"game": "game-9", "power": "FRA", "passcode": 17}}
    file.write_text(json.dumps(kept))
    async with hosting() as hosted, page_of(hosted, file) as (door, seats):
        seats.restore()

        async def keys() -> int:
            return len(seats.site.keys.seats)

        await becomes(keys, lambda count: count == 0)
        assert (await door.ask("/api/games/game-9/seat", secret=secret)).status == 403
        assert json.loads(file.read_text()) == {}
        gc.collect()
    assert caplog.records == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "[" * 100_000,
        '{"a": {}}',
        '{"a": {"game": "game-1", "power": "MARS", "passcode": 17}}',
        '{"a": {"game": "game-1", "power": "FRA", "passcode": 99999}}',
    ],
)
async def test_damaged_seats_are_said_and_the_page_is_there(tmp_path: Path, text: str) -> None:
    file = tmp_path / "games.db.seats"
    file.write_text(text)
    with capture_logs() as logs:
        async with hosting() as hosted, page_of(hosted, file) as (door, seats):
            seats.restore()
            assert not seats.clients
            assert (await door.post("/api/seats", {"name": "Ann"}, None)).status == 200
    (told,) = [entry for entry in logs if entry["log_level"] == "error"]
    assert told["event"] == "page: seats cannot be read; their people are absent"
    assert (tmp_path / "games.db.seats.damaged").read_text() == text


async def test_a_seat_is_played_on_where_it_cannot_be_kept(tmp_path: Path) -> None:
    with capture_logs() as logs:
        file = tmp_path / "gone" / "games.db.seats"
        async with hosting() as hosted, page_of(hosted, file) as (door, seats):
            joined = (await door.post("/api/seats", {"name": "Ann"}, None)).json
            for number in range(6):
                peer = await hosted.peer(f"NME ( 'x{number}' ) ( '1' )")
                await peer.until("MAP")
                peer.say("YES ( MAP ( 'standard' ) )")
            seat = await becomes(
                lambda: door.ask("/api/games/game-1/seat", secret=joined["secret"]),
                lambda reply: reply.json["state"] == "playing",
            )
            assert seat.status == 200
            assert len(seats._tasks) == 1
    assert "page: seats cannot be kept" in [entry["event"] for entry in logs]


async def test_the_keys_of_a_game_go_when_it_leaves_the_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def fetch(_game: str) -> None:
        return None

    async with playing() as room:
        room.door.site.library.fetch = fetch
        monkeypatch.setattr(library, "MOST_KEPT", 0)
        await room.do("draw", draw=True)
        room.hosted.host.rooms[0].command("end")
        await becomes(
            lambda: room.door.ask(SEAT, secret=room.secret), lambda reply: reply.status == 403
        )
        seats = room.seats
        assert (seats.site.keys.seats, seats.clients, seats._acts) == ({}, {}, {})


async def test_who_finds_no_place_leaves_no_key() -> None:
    async with playing() as room:
        with pytest.raises(RefusedError, match="no place"):
            await room.seats.open("Eve", "game-1")
        assert list(room.seats.site.keys.seats) == list(room.seats.clients) == [room.secret]

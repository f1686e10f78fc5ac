"""The page's server on the wire: who gets what, and who gets nothing."""

import asyncio
from typing import Any

import attrs
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from feed.events import Lobby, PlayersSeated
from feed.facts import EventTold, GameOpened, PressTold
from grammar.representation import Representation
from grammar.text import from_text
from rules.maps import load_map
from spectator.web.facts_from_record import facts_of
from spectator.web.keys import SeatKey, new_secret
from tests.spectator.web.test_documents import texts_in
from tests.spectator.web.wire import (
    FACTS,
    MASTER,
    RECORD,
    follow,
    hear,
    live_site,
    opened,
    recorded_site,
    until,
)

GAME = "/api/games/game-1"
PRIVATE = ("PRP", "propose", "FRM", "YES (", "DMZ")


def has_press(text: str) -> bool:
    return any(word in text for word in PRIVATE)


# --- documents ------------------------------------------------------------------------------------


async def test_documents_of_a_recorded_game() -> None:
    async with opened(recorded_site()) as door:
        lobby = (await door.ask("/api/lobby")).json
        assert [card["game"] for card in lobby["games"]] == ["game-1"]
        assert lobby["games"][0]["counts"]["TUR"] == 7
        game = (await door.ask(GAME)).json
        turn = (await door.ask(f"{GAME}/turns/F1901M")).json
        assert turn == game["turns"][1]
        board = (await door.ask("/api/boards/standard")).json
        assert board["provinces"]["STP"]["coasts"] == ["NCS", "SCS"]
        assert board["powers"][0]["homes"] == ["BUD", "TRI", "VIE"]
        for path in ("/", "/g/game-1", "/g/game-1/F1901M"):
            page = await door.ask(path)
            assert page.headers["content-type"].startswith("text/html")


async def test_an_unchanged_document_is_not_sent_again() -> None:
    async with opened(recorded_site()) as door:
        for path in ("/api/lobby", GAME, f"{GAME}/turns/S1901M", "/api/boards/standard"):
            tag = (await door.ask(path)).headers["etag"]
            again = await door.ask(path, headers={"If-None-Match": tag})
            assert (again.status, again.body) == (304, b"")
        # The views of a game have tags of their own.
        public = await door.ask(GAME)
        everything = await door.ask(GAME, secret=MASTER)
        assert public.headers["etag"] != everything.headers["etag"]


@pytest.mark.parametrize(
    ("path", "word"),
    [
        ("/api/games/none", "no game 'none'"),
        ("/api/games/%3Cscript%3E", "no game '<script>'"),
        (f"{GAME}/turns/S1931M", "no turn 'S1931M'"),
        ("/api/boards/none", "no board"),
        ("/api/boards/..%2f..%2fetc", "nothing"),
        ("/api/none", "nothing"),
        ("/page/none.js", "nothing"),
        ("/page/..%2fapp.py", "nothing"),
        ("/page/%2e%2e/web/app.py", "nothing"),
    ],
)
async def test_what_is_not_there_says_so_and_offers_the_lobby(path: str, word: str) -> None:
    async with opened(recorded_site()) as door:
        refused = await door.ask(path)
        assert refused.status == 404
        assert word in refused.json["error"]
        assert refused.json["lobby"] == "/"
        assert refused.headers["content-type"] == "application/json"


# --- secrecy --------------------------------------------------------------------------------------


async def test_only_the_secret_opens_the_press() -> None:
    async with opened(recorded_site()) as door:
        public = await door.ask(GAME)
        assert not has_press(public.body.decode())
        assert public.json["press"] == "secret"
        everything = await door.ask(GAME, secret=MASTER)
        assert has_press(everything.body.decode())
        wrong = await door.ask(GAME, secret=MASTER[:-1] + "0")
        assert wrong.status == 403
        assert not has_press(wrong.body.decode())


async def test_a_seat_opens_its_own_game_only() -> None:
    site = recorded_site()
    france, elsewhere = new_secret(), new_secret()
    site.keys.seats[france] = SeatKey("game-1", "FRA")
    site.keys.seats[elsewhere] = SeatKey("game-2", "FRA")
    assert len(france) * 4 == 128
    async with opened(site) as door:
        seen = (await door.ask(GAME, secret=france)).json
        assert seen["view"] == "FRA"
        said = [press for turn in seen["turns"] for press in turn["press"]]
        assert said
        assert all("FRA" in (press["from"], *press["to"]) for press in said)
        assert (await door.ask(GAME, secret=elsewhere)).status == 403


def test_wrong_secrets_wait_longer_each_time() -> None:
    keys = recorded_site().keys
    waits = [keys.wait_of("192.0.2.1") for _ in range(9)]
    assert waits[0] < waits[1] < waits[3]
    assert waits[-1] == waits[-2] == 8.0
    assert keys.wait_of("192.0.2.2") == waits[0]


async def test_a_public_follower_of_a_live_game_hears_no_press_and_no_name() -> None:
    site = live_site()
    async with opened(site) as door, door.socket() as public, door.socket() as master:
        site.library.learn(FACTS[0])
        await follow(public, {"game": "game-1", "after": 0, "run": "record"})
        await follow(master, {"game": "game-1", "secret": MASTER, "after": 0, "run": "record"})
        await until(public, "following")
        await until(master, "following")
        for fact in FACTS[1:]:
            site.library.learn(fact)
        heard = await until(public, "result")
        before = [each for each in heard if each.get("event") != "result"]
        texts = texts_in(before)
        assert not [text for text in texts if has_press(text) or "banker" in text]
        # No gap tells how much is said.
        numbers = [each["n"] for each in heard]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        everything = await until(master, "result")
        assert [each for each in everything if each.get("event") == "press"]


async def test_a_wrong_secret_follows_nothing() -> None:
    site = live_site()
    site.library.learn(FACTS[0])
    async with opened(site) as door, door.socket() as socket:
        await follow(socket, {"game": "game-1", "secret": "guess"}, {"game": "none"})
        first, second = await hear(socket), await hear(socket)
        assert {first["game"], second["game"]} == {"game-1", "none"}
        assert "error" in first
        assert "error" in second
        assert site.hub.readers == 0


# --- the socket -----------------------------------------------------------------------------------


async def test_resuming_leaves_no_gap_and_tells_nothing_twice() -> None:
    site = live_site()
    half = len(FACTS) // 2
    for fact in FACTS[:half]:
        site.library.learn(fact)
    async with opened(site) as door:
        document = (await door.ask(GAME, secret=MASTER)).json
        for fact in FACTS[half : half + 20]:
            site.library.learn(fact)
        async with door.socket() as socket:
            asked = {"game": "game-1", "secret": MASTER, "run": document["run"]}
            await follow(socket, asked | {"after": document["n"]})
            missed = await until(socket, "following")
            site.library.learn(FACTS[half + 20])
            numbers = [each["n"] for each in [*missed[:-1], await hear(socket)]]
        assert numbers[0] == document["n"] + 1
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


@pytest.mark.parametrize("wrong", [{"run": "another"}, {"after": 10_000}, {"after": -1}])
async def test_numbers_that_nobody_knows_ask_for_the_document_again(
    wrong: dict[str, object],
) -> None:
    site = recorded_site()
    async with opened(site) as door, door.socket() as socket:
        await follow(socket, {"game": "game-1", "run": "record", "after": 3} | wrong)
        assert await hear(socket) == {"game": "game-1", "reload": True}


async def test_eight_tabs_are_all_live_and_one_tab_follows_several_games() -> None:
    site = live_site()
    second = list(facts_of(RECORD | {"setup": RECORD["setup"] | {"name": "game-2"}}))
    site.library.learn(FACTS[0])
    async with opened(site) as door:
        sockets = [await door.socket() for _ in range(8)]
        for socket in sockets:
            await follow(socket, {"game": "game-1"}, lobby=True)
            await until(socket, "following")
        site.library.learn(FACTS[1])
        for socket in sockets:
            assert "event" in (await until(socket, "event"))[-1]
        opened_too = second[0]
        assert isinstance(opened_too, GameOpened)
        site.library.learn(GameOpened(**{**_fields(opened_too), "game": 2}))
        await follow(sockets[0], {"game": "game-1"}, {"game": "game-2"})
        assert (await until(sockets[0], "following"))[-1]["game"] == "game-1"
        assert (await until(sockets[0], "following"))[-1]["game"] == "game-2"
        await follow(sockets[0], {"game": "game-2"})
        await until(sockets[0], "following")
        assert site.hub.readers == 8
        for socket in sockets:
            await socket.close()


def _fields(told: GameOpened) -> dict[str, Any]:
    return attrs.asdict(told, recurse=False)


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"follow": 3}', '{"follow": {}}', "3", "{}", "[" * 15_000]
)
async def test_a_message_that_cannot_be_read_ends_the_socket(text: str) -> None:
    async with opened(recorded_site()) as door, door.socket() as socket:
        await socket.send(text)
        with pytest.raises(ConnectionClosed) as closed:
            await asyncio.wait_for(socket.recv(), 60)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4400


@pytest.mark.parametrize(
    "wanted", [{"game": 3}, {"game": None}, {}, {"game": "game-1", "secret": 3}]
)
async def test_a_wish_that_makes_no_sense_is_an_error_of_that_game(
    wanted: dict[str, object],
) -> None:
    async with opened(recorded_site()) as door, door.socket() as socket:
        await follow(socket, wanted)
        assert "error" in await hear(socket)
        await follow(socket, {"game": "game-1"})
        assert (await hear(socket))["following"] == "public"


async def test_a_reader_that_leaves_is_no_trouble(caplog: pytest.LogCaptureFixture) -> None:
    site = live_site()
    site.library.learn(FACTS[0])
    async with opened(site) as door:
        for _ in range(3):
            socket = await door.socket()
            await follow(socket, {"game": "game-1"}, lobby=True)
            await until(socket, "following")
            socket.transport.abort()
        for fact in FACTS[1:40]:
            site.library.learn(fact)
            await asyncio.sleep(0)
        async with asyncio.timeout(60):
            while site.hub.readers:  # noqa: ASYNC110 - nobody tells when a reader is forgotten
                await asyncio.sleep(0.01)
        assert (await door.ask("/api/lobby")).status == 200
    assert caplog.records == []


# --- browsers -------------------------------------------------------------------------------------


async def test_every_answer_tells_the_browser_what_it_may_do() -> None:
    async with opened(recorded_site()) as door:
        for path in ("/", "/api/lobby", "/page/draw.js", "/api/games/none"):
            headers = (await door.ask(path)).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "script-src 'self'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            assert headers["cache-control"] == "no-store"
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "", "localhost.evil.example"])
async def test_a_name_that_is_not_ours_is_refused(host: str) -> None:
    async with opened(recorded_site()) as door:
        refused = await door.ask("/api/lobby", headers={"Host": host})
        assert refused.status in (400, 403)
        assert b"game-1" not in refused.body


async def test_a_socket_of_another_site_is_refused() -> None:
    async with opened(recorded_site()) as door:
        for origin in ("http://evil.example", f"http://127.0.0.1:{door.port + 1}", "null"):
            with pytest.raises(InvalidStatus) as refused:
                await door.socket(origin=origin)
            assert refused.value.response.status_code == 403
        async with door.socket(origin=f"http://127.0.0.1:{door.port}") as socket:
            await follow(socket, {"game": "game-1"})
            assert (await hear(socket))["following"] == "public"


async def test_names_and_texts_are_data_and_stay_what_they_are() -> None:
    site = live_site()
    opened_game = FACTS[0]
    assert isinstance(opened_game, GameOpened)
    name = "<script>alert(1)</script>"
    free = GameOpened(**{**_fields(opened_game), "name": "<b>&", "press_level": 8000})
    site.library.learn(free)
    names = Representation.from_board(load_map("standard"))
    text = "FRM ( FRA ) ( ENG ) ( '<script>\x07\x1b[31m</script>' )"
    tokens = b"".join(token.to_bytes(2, "big") for token in from_text(text, names))
    for fact in (
        EventTold(1, 0.0, PlayersSeated([{"power": "FRA", "name": name, "version": "\x00"}])),
        PressTold(1, 1.0, tokens),
    ):
        site.library.learn(fact)
    async with opened(site) as door:
        path = "/api/games/%3Cb%3E%26"
        reply = await door.ask(path, secret=MASTER)
        assert reply.headers["content-type"] == "application/json"
        assert reply.json["names"]["FRA"]["name"] == name
        assert "<script>" in reply.json["now"]["press"][0]["text"]
        # Nothing in it can end a line or a string early.
        assert not [byte for byte in reply.body if byte < 32]


async def test_the_lobby_is_told_when_a_card_changes() -> None:
    site = live_site()
    async with opened(site) as door, door.socket() as socket:
        await follow(socket, {"game": "none"}, lobby=True)
        assert "error" in await hear(socket)  # it follows the lobby by now
        site.library.learn(FACTS[0])
        lobby = FACTS[1]
        assert isinstance(lobby, EventTold)
        assert isinstance(lobby.event, Lobby)
        site.library.learn(lobby)
        card = (await hear(socket))["lobby"]
        assert (card["game"], card["seats"]) == ("game-1", 7)

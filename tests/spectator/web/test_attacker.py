"""Somebody who wants to stop the page, or to learn from it what is not theirs."""

import asyncio
import contextlib
import json
import logging
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import structlog
from starlette.requests import Request as Asked
from starlette.responses import Response
from starlette.routing import Route
from structlog.testing import capture_logs
from websockets.exceptions import ConnectionClosed, InvalidStatus

from feed.facts import TurnTold
from spectator.web import connections
from spectator.web import serving as served
from spectator.web import socket as tab
from spectator.web.app import make_app
from spectator.web.connections import Asking
from spectator.web.hub import MOST_BEHIND
from spectator.web.seats import Seats
from spectator.web.serving import bind, serving
from spectator.web.site import Site
from tests.spectator.web.test_site import GAME, has_press
from tests.spectator.web.wire import (
    FACTS,
    MASTER,
    Door,
    follow,
    hear,
    live_site,
    opened,
    recorded_site,
    until,
)

SOON = 60.0


@asynccontextmanager
async def hurried(site: Site, asking: Asking | None = None) -> AsyncIterator[Door]:
    """Serve with little patience."""
    bound = bind("127.0.0.1", 0)
    asking = asking or Asking(ask_within=1.0, take_within=1.0)
    async with serving(make_app(site), bound, asking):
        yield Door(site, bound.getsockname()[1])


async def ended(reader: asyncio.StreamReader) -> bytes:
    """Read until the other side ends the connection, which it must do soon."""
    async with asyncio.timeout(SOON):
        with contextlib.suppress(ConnectionResetError):
            return await reader.read()
    return b""


# --- taking all connections -----------------------------------------------------------------------

HEAD = b"POST /api/seats HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50\r\n"
SLOW = {
    "nothing at all": [],
    "a request a byte at a time": [b"GET / HTTP/1.1\r\n", *[b"X"] * 1000],
    "endless headers": [b"GET / HTTP/1.1\r\n", *[b"X-A: b\r\n"] * 1000],
    "a body that never ends": [HEAD + b"Content-Type: application/json\r\n\r\n", *[b" "] * 1000],
    "a body that nobody asked for": [
        b"GET /api/lobby HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\n",
        *[b" "] * 1000,
    ],
}


@pytest.mark.parametrize("parts", SLOW.values(), ids=SLOW)
async def test_who_sends_a_request_too_slowly_is_sent_away(parts: list[bytes]) -> None:
    async with hurried(recorded_site()) as door:
        reader, writer = await asyncio.open_connection("127.0.0.1", door.port)

        async def trickle() -> None:
            for part in parts:
                writer.write(part)
                await writer.drain()
                await asyncio.sleep(0.1)

        trickling = asyncio.create_task(trickle())
        await ended(reader)  # long before it has sent everything
        trickling.cancel()
        await asyncio.gather(trickling, return_exceptions=True)
        writer.close()
        assert (await door.ask("/api/lobby")).status == 200


async def test_a_request_that_breaks_off_in_its_body_is_no_failure_of_ours() -> None:
    site, bound = recorded_site(), bind("127.0.0.1", 0)
    port = bound.getsockname()[1]
    head = HEAD + f"Origin: http://127.0.0.1:{port}\r\n".encode()
    head = head.replace(b"Host: 127.0.0.1\r", f"Host: 127.0.0.1:{port}\r".encode())
    with capture_logs() as logs:
        async with serving(make_app(site, Seats(site, None).routes()), bound):
            for _ in range(3):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(head + b"Content-Type: application/json\r\n\r\n{")
                await writer.drain()
                assert (await Door(site, port).ask("/api/lobby")).status == 200
                writer.close()
                await writer.wait_closed()
                assert (await Door(site, port).ask("/api/lobby")).status == 200
    assert logs == []


UPGRADE = b"\r\n".join(
    (
        b"Upgrade: websocket",
        b"Connection: Upgrade",
        b"Sec-WebSocket-Version: 13",
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        b"\r\n",
    )
)
NO_TEXT = b"\x81\x81\x00\x00\x00\x00\xff"  # a text frame that is no UTF-8


@pytest.mark.parametrize(
    ("more", "then"),
    [(b"Transfer-Encoding: chunked\r\n\r\nZZZ\r\n", b""), (UPGRADE, NO_TEXT)],
    ids=["a piece without a length", "a frame that is no text"],
)
async def test_what_is_no_request_in_its_middle_fills_no_log(
    more: bytes, then: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(
        logging.StreamHandler, "emit", lambda _, record: said.append(record.getMessage())
    )
    async with hurried(recorded_site()) as door:
        reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
        own = f"Host: 127.0.0.1:{door.port}\r\nOrigin: http://127.0.0.1:{door.port}\r\n"
        line = b"GET /api/live HTTP/1.1\r\n" if then else b"POST / HTTP/1.1\r\n"
        writer.write(line + own.encode() + more)
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101" if then else b"HTTP/1.1 40"), head
        writer.write(then)
        await ended(reader)
        writer.close()
        assert (await door.ask("/api/lobby")).status == 200
    assert said == []


class Secret:
    """A value that tells when it is shown."""

    shown = 0

    def __repr__(self) -> str:
        Secret.shown += 1
        return "a secret"


async def test_a_failure_is_told_without_the_values_around_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def fail(_: Asked) -> Response:
        secret = Secret()
        raise LookupError(f"of {type(secret).__name__}")

    structlog.reset_defaults()  # whose tracebacks tell everything
    site, bound = recorded_site(), bind("127.0.0.1", 0)
    async with serving(make_app(site, [Route("/fail", fail)]), bound):
        assert (await Door(site, bound.getsockname()[1]).ask("/fail")).status == 500
    told = capsys.readouterr()
    assert "LookupError: of Secret" in told.out + told.err
    assert Secret.shown == 0


async def test_a_socket_may_ask_for_what_is_no_name() -> None:
    async with opened(recorded_site()) as door, door.socket() as socket:
        await socket.send(json.dumps({"follow": [{"game": [1]}, {"game": {"a": 1}}]}))
        assert (await hear(socket))["error"] == "there is no such game"


async def test_who_does_not_take_an_answer_is_sent_away() -> None:
    asking = Asking(ask_within=1.0, take_within=1.0)
    async with hurried(recorded_site(), asking) as door:
        raw = socket.socket()
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.setblocking(False)  # noqa: FBT003 - the socket's own way
        loop = asyncio.get_running_loop()
        await loop.sock_connect(raw, ("127.0.0.1", door.port))
        asked = b"GET /page/maps/standard.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        await loop.sock_sendall(raw, asked * 200)
        received = 0
        for is_known in (True, False):  # it comes, and is sent away
            async with asyncio.timeout(SOON):
                while bool(asking._known) is not is_known:  # noqa: ASYNC110 - nobody tells
                    await asyncio.sleep(0.05)
        async with asyncio.timeout(SOON):
            with contextlib.suppress(ConnectionResetError):
                while data := await loop.sock_recv(raw, 1 << 20):
                    received += len(data)
        raw.close()
        assert received < 200 * 50_000


async def test_silent_connections_make_room_the_oldest_first() -> None:
    async with hurried(recorded_site(), Asking(ask_within=600.0, most=20)) as door:
        silent = [await asyncio.open_connection("127.0.0.1", door.port) for _ in range(50)]
        assert (await door.ask("/api/lobby")).status == 200
        for reader, _ in silent[:30]:
            assert await ended(reader) == b""
        assert not silent[-1][0].at_eof()
        for _, writer in silent:
            writer.close()


def test_there_are_files_left_for_those_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    for soft, most in ((1024, 524), (100_000, 5_000), (256, 100), (-1, 5_000)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, soft=soft: (soft, soft))
        assert connections.room_for_sockets() == most


async def test_more_sockets_than_there_is_room_for_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tab, "room_for_sockets", lambda: 2)
    async with opened(recorded_site()) as door, door.socket(), door.socket():
        with pytest.raises(InvalidStatus) as refused:
            await door.socket()
        assert refused.value.response.status_code == 503
        assert (await door.ask("/api/lobby")).status == 200


# --- sockets --------------------------------------------------------------------------------------


async def test_a_socket_that_does_not_read_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tab, "SAY_GOODBYE", 0.1)
    lost: list[connections.Socket] = []

    class Hurried(connections.Socket):
        leave_within = 0.3

        def connection_lost(self, exc: Exception | None) -> None:
            lost.append(self)
            super().connection_lost(exc)

    monkeypatch.setattr(served, "Socket", Hurried)
    site = recorded_site()
    async with opened(site) as door, door.socket(max_queue=1) as stuck, door.socket() as other:
        await follow(stuck, {"game": "game-1"})
        await follow(other, {"game": "game-1"})
        await until(other, "following")
        while site.hub.readers < 2:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
        stuck.transport.pause_reading()
        async with asyncio.timeout(SOON):
            while site.sockets == 2:
                for reader in site.hub._followers[next(iter(site.hub._followers))]:
                    reader.tell("x" * 60_000)
                await other.recv()
        assert site.hub.readers == 1
        # The connection is gone as well, though its reader has not read what was sent.
        async with asyncio.timeout(SOON):
            while not lost:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.05)
        stuck.transport.abort()


async def test_a_socket_that_answers_no_ping_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tab, "PING_EVERY", 0.3)
    site, pings = recorded_site(), asyncio.Queue[int]()
    async with opened(site) as door, door.socket() as dead, door.socket() as alive:
        for each in (dead, alive):
            await follow(each, {"game": "game-1"})

        async def answer() -> None:
            async for text in alive:
                told = json.loads(text)
                if "ping" in told:
                    await alive.send(json.dumps({"pong": told["ping"]}))
                    pings.put_nowait(told["ping"])

        answering = asyncio.create_task(answer())
        async with asyncio.timeout(SOON):
            await dead.wait_closed()
            while await pings.get() < 3 * tab.MOST_SILENT:
                pass
        assert not answering.done()
        assert site.sockets == 1
        answering.cancel()
        await asyncio.gather(answering, return_exceptions=True)


async def test_a_socket_that_asks_too_fast_is_ended() -> None:
    async with opened(recorded_site()) as door, door.socket() as flood:
        with contextlib.suppress(ConnectionClosed):
            for _ in range(500):
                await flood.send('{"follow": [], "lobby": true}')
        async with asyncio.timeout(SOON):
            await flood.wait_closed()
        assert flood.close_code == 4429


async def test_who_missed_more_than_fits_is_told_to_read_the_document() -> None:
    site = live_site()
    for fact in FACTS:
        site.library.learn(fact)
    chronicle = site.library.games["game-1"]
    view = chronicle.views["all"]
    while sum(len(json.dumps(each)) for each in view.messages) < MOST_BEHIND:
        view.messages += view.messages
    async with opened(site) as door, door.socket() as tab_of_yesterday:
        wanted = {"game": "game-1", "secret": MASTER, "run": chronicle.run}
        await follow(tab_of_yesterday, wanted | {"after": 0})
        assert await hear(tab_of_yesterday) == {"game": "game-1", "reload": True}
        await follow(tab_of_yesterday, wanted | {"after": view.number})
        assert (await hear(tab_of_yesterday))["following"] == "all"


# --- what every answer says -----------------------------------------------------------------------


async def _raw(port: int, request: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    async with asyncio.timeout(SOON):
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head.lower())
        body = await (reader.readexactly(int(length[1])) if length else reader.read())
    writer.close()
    return head + body


HOST = b"Host: 127.0.0.1\r\n"
SOCKET = (
    b"GET /api/live HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
REFUSED = {
    "no request": (b"\x16\x03\x01 nonsense\r\n\r\n", b"400"),
    "two hosts": (b"GET / HTTP/1.1\r\n" + HOST + HOST + b"\r\n", b"400"),
    "headers without an end": (b"GET / HTTP/1.1\r\nX: " + b"x" * 40_000, b"400"),
    "no host": (b"GET / HTTP/1.0\r\n\r\n", b"403"),
    "a name of somebody else": (b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", b"403"),
    "another way to ask": (b"PUT /api/lobby HTTP/1.1\r\n" + HOST + b"\r\n", b"403"),
    "a whole address": (b"GET http://evil.example/ HTTP/1.1\r\n" + HOST + b"\r\n", b"404"),
    "a failure": (b"GET /api/fails HTTP/1.1\r\n" + HOST + b"\r\n", b"500"),
    "a socket from elsewhere": (
        SOCKET + HOST + b"Origin: http://evil.example\r\n\r\n",
        b"403",
    ),
    "a socket by another name": (SOCKET + b"Host: evil.example\r\n\r\n", b"403"),
}


@pytest.mark.parametrize(("request_", "status"), REFUSED.values(), ids=REFUSED)
async def test_refusals_tell_browsers_as_much_as_answers(request_: bytes, status: bytes) -> None:
    async def fail(_: Asked) -> Response:
        raise ZeroDivisionError(MASTER)

    bound = bind("127.0.0.1", 0)
    app = make_app(recorded_site(), [Route("/api/fails", fail)])
    async with serving(app, bound):
        answer = await _raw(bound.getsockname()[1], request_)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.split()[1] == status
    assert b"content-security-policy: default-src 'none'" in head.lower()
    assert b"x-content-type-options: nosniff" in head.lower()
    assert b"cache-control: no-store" in head.lower()
    assert b"evil" not in head
    assert b"Traceback" not in body
    assert MASTER.encode() not in body
    assert b"game-1" not in body


# --- what is not theirs ---------------------------------------------------------------------------


def _paths(site: Site) -> list[str]:
    """Every address that can be read, of a game; a new one cannot be forgotten here."""
    guard: Any = make_app(site, list(Seats(site, None).routes()))
    paths = [
        route.path
        for route in guard._app.routes
        if isinstance(route, Route) and "GET" in (route.methods or ())
    ]
    filled = {"{game}": "game-1", "{turn}": "F1901M", "{variant}": "standard"}
    for name, value in filled.items():
        paths = [path.replace(name, value) for path in paths]
    return paths


async def test_no_address_tells_the_public_what_is_said_or_who_plays() -> None:
    site = live_site()
    turns = [number for number, fact in enumerate(FACTS) if isinstance(fact, TurnTold)]
    for fact in FACTS[: turns[1]]:  # in the second turn, whose press has been said
        site.library.learn(fact)
    everything = json.dumps(site.library.games["game-1"].document("all"))
    said = [press["text"] for press in json.loads(everything)["now"]["press"]]
    assert said
    paths = _paths(site)
    assert len(paths) >= 9
    async with opened(site) as door:
        for path in paths:
            for headers in ({}, {"Authorization": "Basic x"}, {"Cookie": f"secret={MASTER}"}):
                answer = await door.ask(path, headers=headers)
                text = answer.body.decode()
                assert not has_press(text), path
                assert not [each for each in said if each in text], path
                assert "banker" not in text, path
                assert MASTER not in text, path
        # Nor does a secret open anything where a log would keep it.
        for asked in (f"{GAME}?secret={MASTER}", f"{GAME}?Authorization=Bearer%20{MASTER}"):
            assert (await door.ask(asked)).json["view"] == "public"


async def test_numbers_and_tags_do_not_tell_how_much_is_said() -> None:
    site = live_site()
    for fact in FACTS[:5]:
        site.library.learn(fact)
    async with opened(site) as door:
        before = await door.ask(GAME)
        for fact in FACTS[5:40]:
            if not isinstance(fact, TurnTold):
                site.library.learn(fact)
        after = await door.ask(GAME)
        assert before.headers["etag"] == after.headers["etag"]
        assert before.json["n"] == after.json["n"]
        assert len(before.body) == len(after.body)


@pytest.mark.parametrize(
    "name",
    [
        "../../etc/passwd",
        "..",
        "a/b",
        "<img src=x onerror=alert(1)>",
        "\u202egnp.exe",
        "\x00\x1b[2J",
    ],
)
async def test_names_of_games_lead_nowhere_else(name: str) -> None:
    from urllib.parse import quote  # noqa: PLC0415 - for this one

    async with opened(recorded_site()) as door:
        for path in (f"/api/games/{quote(name, safe='')}", f"/g/{quote(name, safe='')}"):
            answer = await door.ask(path)
            assert answer.status in (200, 404)
            if answer.status == 200:  # the page itself, which then asks for the game
                assert answer.headers["content-type"].startswith("text/html")
                assert answer.body == (await door.ask("/")).body
            else:
                assert answer.headers["content-type"] == "application/json"
            assert b"root:" not in answer.body

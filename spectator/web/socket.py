"""The one WebSocket of a tab: what it asks to follow, and what it is told."""

import asyncio
import json
import time
from contextlib import suppress
from typing import Any

from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from server.limits import TokenBucket
from spectator.web.connections import room_for_sockets
from spectator.web.hub import Reader
from spectator.web.site import Site

HELLO_WITHIN = 10.0
PING_EVERY = 15.0
SAY_GOODBYE = 1.0
LONGEST_MESSAGE = 16_000
MOST_GAMES = 50
MOST_SILENT = 3
"""So many pings may stay without an answer."""
ASKS_PER_SECOND, ASKS_AT_ONCE = 5.0, 50.0


async def serve_socket(site: Site, socket: WebSocket) -> None:
    """Serve a tab until it leaves; that it leaves, however it does, is nothing special."""
    host, origin = socket.headers.get("host", ""), socket.headers.get("origin")
    if not site.origins.is_ours(host) or (origin and not site.origins.is_same(origin, host)):
        await socket.send_denial_response(Response(status_code=403))
        return
    if site.sockets >= room_for_sockets():
        await socket.send_denial_response(Response(status_code=503))
        return
    site.sockets += 1
    try:
        await _serve(site, socket)
    finally:
        site.sockets -= 1


async def _serve(site: Site, socket: WebSocket) -> None:
    await socket.accept()
    reader = Reader(socket)
    writing = asyncio.create_task(reader.write(), name="socket.write")
    pinging = asyncio.create_task(_ping(reader), name="socket.ping")
    hearing = asyncio.create_task(_hear(site, socket, reader), name="socket.hear")
    dropping = asyncio.create_task(reader.dropped.wait(), name="socket.drop")
    tasks = [writing, pinging, hearing, dropping]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        site.hub.leave(reader)
        for task in tasks:
            task.cancel()
        # Whichever way they ended, the reader is gone.
        await asyncio.gather(*tasks, return_exceptions=True)
    if reader.dropped.is_set():
        # It may take no more, not even that.
        with suppress(TimeoutError):
            await asyncio.wait_for(socket.close(1013, "too far behind"), SAY_GOODBYE)


async def _ping(reader: Reader) -> None:
    number = 0
    while reader.silence < MOST_SILENT:
        await asyncio.sleep(PING_EVERY)
        number += 1
        reader.silence += 1
        reader.tell_json({"ping": number})


async def _hear(site: Site, socket: WebSocket, reader: Reader) -> None:
    try:
        text = await asyncio.wait_for(socket.receive_text(), HELLO_WITHIN)
        allowed = TokenBucket(ASKS_PER_SECOND, ASKS_AT_ONCE)
        while True:
            reader.silence = 0
            if not allowed.take(time.monotonic()):
                await socket.close(4429, "too fast")
                return
            if not await _heed(site, socket, reader, text):
                await socket.close(4400, "cannot be read")
                return
            text = await socket.receive_text()
    except TimeoutError:
        await socket.close(4408, "say what to follow")
    except (WebSocketDisconnect, KeyError):
        pass  # KeyError: bytes where text is expected


async def _heed(site: Site, socket: WebSocket, reader: Reader, text: str) -> bool:
    """Do what a message asks; return whether it could be read."""
    if len(text) > LONGEST_MESSAGE:
        return False
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return False
    match message:
        case {"pong": _}:
            return True
        case {"follow": list(wanted), **rest} if len(wanted) <= MOST_GAMES:
            games = [each for each in wanted if isinstance(each, dict)]
            named = {each["game"] for each in games if isinstance(each.get("game"), str)}
            for game in set(reader.follows) - named:
                site.hub.unfollow(reader, game)
            for each in games:
                await _follow(site, socket, reader, each)
            if "lobby" in rest:
                site.hub.look_at_lobby(reader, wanted=bool(rest["lobby"]))
            return True
        case {"lobby": wanted_too}:
            site.hub.look_at_lobby(reader, wanted=bool(wanted_too))
            return True
    return False


async def _follow(site: Site, socket: WebSocket, reader: Reader, wanted: dict[str, Any]) -> None:
    game, secret = wanted.get("game"), wanted.get("secret")
    if not isinstance(game, str) or not isinstance(secret, str | None):
        reader.tell_json({"game": game, "error": "there is no such game"})
        return
    chronicle = await site.library.find(game)
    if chronicle is None:
        reader.tell_json({"game": game, "error": f"there is no game {game!r}"})
        return
    who = site.reader_of(secret, game)
    if who is None:
        await site.slow_down(socket.client.host if socket.client else "")
        reader.tell_json({"game": game, "error": "this link does not open this game"})
        return
    run, after = wanted.get("run"), wanted.get("after")
    is_number = isinstance(after, int) and not isinstance(after, bool)
    site.hub.follow(reader, chronicle, who, run, after if is_number else None)

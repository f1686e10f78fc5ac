"""A page's server on a real port, and those who ask it."""

import asyncio
import http.client
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from attrs import define, frozen
from websockets.asyncio.client import ClientConnection, connect

from server.record_file import read_record
from spectator.web.app import make_app
from spectator.web.facts_from_record import chronicle_of, facts_of
from spectator.web.keys import Keys
from spectator.web.library import Library
from spectator.web.serving import bind, serving
from spectator.web.site import Site

DATA = Path(__file__).resolve().parents[2] / "data" / "page"
MASTER = "0123456789abcdef" * 2
RECORD = read_record(DATA / "record.json")
FACTS = list(facts_of(RECORD))


@frozen
class Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@define
class Door:
    """A running server, as somebody outside sees it."""

    site: Site
    port: int

    async def ask(
        self,
        path: str,
        *,
        method: str = "GET",
        secret: str | None = None,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> Reply:
        sent = {"Host": f"127.0.0.1:{self.port}", **(headers or {})}
        if secret is not None:
            sent["Authorization"] = f"Bearer {secret}"
        return await asyncio.to_thread(self._ask, path, method, sent, body)

    def _ask(self, path: str, method: str, headers: Mapping[str, str], body: bytes | None) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body=body, headers=dict(headers))
            answer = connection.getresponse()
            names = {name.lower(): value for name, value in answer.getheaders()}
            return Reply(answer.status, names, answer.read())
        finally:
            connection.close()

    async def post(self, path: str, fields: object, secret: str | None, **more: str) -> Reply:
        headers = {
            "Content-Type": "application/json",
            "Origin": f"http://127.0.0.1:{self.port}",
            **{name.replace("_", "-"): value for name, value in more.items()},
        }
        body = json.dumps(fields).encode()
        return await self.ask(path, method="POST", secret=secret, headers=headers, body=body)

    def socket(self, **more: Any) -> connect:
        return connect(f"ws://127.0.0.1:{self.port}/api/live", proxy=None, **more)


@asynccontextmanager
async def opened(site: Site) -> AsyncIterator[Door]:
    bound = bind("127.0.0.1", 0)
    port = bound.getsockname()[1]
    async with serving(make_app(site), bound):
        yield Door(site, port)


def recorded_site() -> Site:
    library = Library()
    library.add(chronicle_of(RECORD, "record.json"))
    return Site(library, Keys(MASTER))


def live_site() -> Site:
    """Return a site that knows nothing yet; tell it with `site.library.learn(fact)`."""
    return Site(Library(), Keys(MASTER))


async def hear(socket: ClientConnection) -> Any:
    return json.loads(await asyncio.wait_for(socket.recv(), 60))


async def follow(socket: ClientConnection, *games: dict[str, Any], **more: object) -> None:
    await socket.send(json.dumps({"follow": list(games), **more}))


async def until(socket: ClientConnection, name: str) -> list[Any]:
    """Return the messages up to the first that has a field of that name."""
    heard = [await hear(socket)]
    while name not in heard[-1]:
        heard.append(await hear(socket))
    return heard

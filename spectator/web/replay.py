"""Serves the records of a file: the same page as for a live game, all of it to see."""

import asyncio
from pathlib import Path
from typing import Any

from daide import LOOPBACK
from rules.errors import BadInputError
from server.record_file import read_records
from spectator.web.app import make_app
from spectator.web.facts_from_record import chronicle_of
from spectator.web.keys import Keys, new_secret
from spectator.web.library import Library
from spectator.web.serving import address_of, bind, open_browser, serving
from spectator.web.site import Site


async def replay(path: Path, game: str | None, port: int) -> int:
    """Serve a file until Ctrl-C."""
    library = Library()
    for name, record in _named(path):
        library.add(chronicle_of(record, str(path), name=name))
    names = list(library.games)
    if not names:
        raise BadInputError(f"{path}: is empty; `daide play --record` makes a record of a game")
    if game is not None and game not in names:
        raise BadInputError(f"{path}: has no game {game!r}; it has {', '.join(names)}")
    keys = Keys(new_secret())
    bound = bind(LOOPBACK, port)
    shown = game or (names[0] if len(names) == 1 else None)
    address = address_of(bound, shown, keys.all_games)
    async with serving(make_app(Site(library, keys)), bound):
        print(address, flush=True)  # noqa: T201 - what the command is for
        open_browser(address)
        await asyncio.Event().wait()
    return 0


def _named(path: Path) -> list[tuple[str, dict[str, Any]]]:
    """Give every game of a file a name of its own."""
    named: dict[str, dict[str, Any]] = {}
    for number, record in enumerate(read_records(path), 1):
        name = _readable(str(record["setup"].get("name", "")))
        named[name if name not in named else f"{name} ({number})"] = record
    return list(named.items())


def _readable(name: str) -> str:
    """Return a name that can stand in an address, where slashes and dots lead elsewhere."""
    kept = "".join(each if each.isprintable() and each not in "/\\" else "-" for each in name)
    return kept.strip(". ") or "game"

"""All games of which the page can tell: those that are played, and those that are kept."""

import asyncio
import gzip
import json
import time
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Any, TypeAlias

from attrs import Factory, define

from feed.events import PhaseBegun
from feed.facts import BookEnded, EventTold, Fact, GameForgotten, GameOpened, TurnTold
from spectator.web.chronicle import Chronicle, News

MOST_KEPT = 30
"""So many games that are over stay in memory."""


@define(eq=False)
class Document:
    """A document, ready to be sent."""

    body: bytes
    tag: str
    _packed: bytes | None = None

    def packed(self) -> bytes:
        """Return the body compressed; once for all who ask for the same."""
        if self._packed is None:
            self._packed = gzip.compress(self.body, compresslevel=5, mtime=0)
        return self._packed


OnNews: TypeAlias = Callable[[Chronicle, list[News]], None]
Fetch: TypeAlias = Callable[[str], Awaitable[Chronicle | None]]


async def _fetch_nothing(_game: str) -> Chronicle | None:
    return None


def _ignore(_chronicle: Chronicle, _news: list[News]) -> None:
    pass


def _no_seats(_game: str) -> int:
    return 0


@define
class Library:
    """Keeps chronicles by the names of their games."""

    games: dict[str, Chronicle] = Factory(dict)
    on_news: OnNews = _ignore
    on_reload: Callable[[Chronicle], None] = lambda _chronicle: None
    """Is told of a game whose readers must get its document again."""
    on_card: Callable[[dict[str, Any]], None] = lambda _card: None
    fetch: Fetch = _fetch_nothing
    """Finds a game that is not in memory."""
    stored: dict[str, dict[str, Any]] = Factory(dict)
    """The cards of games that are not in memory."""
    on_forgotten: Callable[[str], None] = lambda _game: None
    """Is told of a game that has left the memory."""
    free_seats: Callable[[str], int] = _no_seats
    may_play: bool = False
    """Whether people can take seats here."""
    tells_press_after: bool = False
    """Whether everybody may read the press of a game that is over."""
    _numbers: dict[int, str] = Factory(dict)
    """The names of the games that a server tells of, by its numbers."""
    _ends: dict[str, float] = Factory(dict)
    """When the turn of a game is over, by our clock."""
    _cards: dict[str, str] = Factory(dict)
    """The cards as they were told last."""
    _heads: dict[tuple[str, str], tuple[str, Document]] = Factory(dict)
    _fetching: asyncio.Lock = Factory(asyncio.Lock)

    # --- what a server tells ----------------------------------------------------------------------

    def learn(self, fact: Fact) -> None:
        """Take note of what a server tells of its games."""
        match fact:
            case GameOpened():
                self._numbers[fact.game] = fact.name
                self.games[fact.name] = Chronicle(fact)
                self.stored.pop(fact.name, None)
                return
            case GameForgotten():
                self._numbers.pop(fact.game, None)
                self._make_room()
                return
        chronicle = self.games[self._numbers[fact.game]]
        news = chronicle.learn(fact)
        self._note_time(chronicle, fact)
        self.on_news(chronicle, news)
        if isinstance(fact, BookEnded) and self.tells_press_after:
            chronicle.open_press()
            self.on_reload(chronicle)
        self.tell_card(chronicle)

    def _note_time(self, chronicle: Chronicle, fact: Fact) -> None:
        seconds: float | None = None
        match fact:
            case EventTold(event=PhaseBegun() as begun):
                seconds = begun.seconds if begun.left is None else begun.left
            case TurnTold(goes_on=True):
                seconds = fact.seconds
            case TurnTold():
                pass
            case _:
                return
        self._ends.pop(chronicle.name, None)
        if seconds is not None:
            self._ends[chronicle.name] = time.monotonic() + seconds

    def tell_card(self, chronicle: Chronicle) -> None:
        """Tell those who look at the lobby, if there is something new."""
        card = self._card(chronicle)
        text = json.dumps(card)
        if self._cards.get(chronicle.name) != text:
            self._cards[chronicle.name] = text
            self.on_card(card)

    def _make_room(self) -> None:
        """Forget the oldest of the games that are over and can be had again."""
        told = set(self._numbers.values())
        over = [name for name in self.games if name not in told]
        for name in over[: max(0, len(over) - MOST_KEPT)]:
            if self.fetch is not _fetch_nothing:
                self.stored[name] = self.games.pop(name).card()
                self.on_forgotten(name)

    def add(self, chronicle: Chronicle) -> None:
        """Take in a game that is not being played."""
        self.games[chronicle.name] = chronicle

    # --- what the page asks -----------------------------------------------------------------------

    async def find(self, game: str) -> Chronicle | None:
        """Return a game, if there is one of that name."""
        found = self.games.get(game)
        if found is None and game in self.stored:
            async with self._fetching:  # one at a time: it takes a while, and many may ask
                found = self.games.get(game)
                if found is None:
                    found = await self.fetch(game)
                    if found is not None:
                        self.games[game] = found
                        self._make_room()
        return found

    def left(self, game: str) -> float | None:
        """Return the seconds until the deadline, None if there is none."""
        ends = self._ends.get(game)
        return None if ends is None else round(max(0.0, ends - time.monotonic()), 1)

    def lobby(self, server: str) -> Document:
        """Return the cards of all games, the newest first."""
        cards = [self._card(each) for each in self.games.values()]
        cards += [card for name, card in self.stored.items() if name not in self.games]
        cards.sort(key=_lobby_order)
        return answer({"server": server, "play": self.may_play, "games": cards})

    def _card(self, chronicle: Chronicle) -> dict[str, Any]:
        return chronicle.card() | {"free": self.free_seats(chronicle.name)}

    def document(self, chronicle: Chronicle, reader: str) -> Document:
        """Return a game for a reader; all but the clock is kept until something happens."""
        view = chronicle.views[reader]
        tag = f'"{chronicle.run}-{reader}-{view.number}"'
        key = chronicle.name, reader
        known = self._heads.get(key)
        if known is None or known[0] != tag:
            document = chronicle.document(reader)
            document.pop("now", None)
            known = tag, Document(encode(document), tag)
            self._heads[key] = known
            if len(self._heads) > 4 * MOST_KEPT:
                del self._heads[next(iter(self._heads))]
        now = view.document.get("now")
        if now is None:
            return known[1]
        left = self.left(chronicle.name)
        ticking = now if left is None else {**now, "left": left}
        body = known[1].body[:-1] + b',"now":' + encode(ticking) + b"}"
        return Document(body, tag)

    def turn(self, chronicle: Chronicle, reader: str, code: str) -> Document | None:
        """Return one turn of a game, None if it was not played."""
        view = chronicle.views[reader]
        for played in view.document["turns"]:
            if turn_code(played["turn"]) == code:
                return answer(played)
        return None


def _lobby_order(card: dict[str, Any]) -> tuple[int, list[int]]:
    """Sort key: games that are played before those that are over, the newest first."""
    digits = "".join(each if each.isdigit() else " " for each in card["game"]).split()
    return int(card.get("stage") == "ended"), [-int(each) for each in digits[:3]]


_LETTERS = {"SPR": "S{}M", "SUM": "S{}R", "FAL": "F{}M", "AUT": "F{}R", "WIN": "W{}A"}


def turn_code(turn: list[Any]) -> str:
    """Return a turn as it stands in addresses."""
    return _LETTERS[turn[0]].format(turn[1])


def encode(value: object) -> bytes:
    """Write JSON."""
    return json.dumps(value, separators=(",", ":")).encode()


def answer(document: dict[str, Any]) -> Document:
    """Return a document with the tag of its contents."""
    body = encode(document)
    return Document(body, f'"{sha256(body).hexdigest()[:20]}"')

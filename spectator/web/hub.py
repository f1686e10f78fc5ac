"""Those who follow games live, and what they are told: each message is written once a view.

A reader that does not read fills its own queue and is dropped; it comes back by itself and asks for
what came after the last number it saw.
"""

import asyncio
import json
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Any, Protocol

from attrs import Factory, define, frozen

from spectator.web.chronicle import Chronicle, News

MOST_BEHIND = 256_000
"""So many characters may wait for a reader."""


class Channel(Protocol):
    """Where a reader is told something."""

    async def send_text(self, data: str) -> None:
        """Send a message."""

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        """End the connection."""


@frozen
class Place:
    """What a reader follows: a game, as somebody."""

    game: str
    reader: str


@define(eq=False)
class Reader:
    """One open socket."""

    channel: Channel
    follows: dict[str, Place] = Factory(dict)
    """By game."""
    silence: int = 0
    """How many pings it has left without a word."""
    dropped: asyncio.Event = Factory(asyncio.Event)
    _waiting: deque[str] = Factory(deque)
    _size: int = 0
    _has_more: asyncio.Event = Factory(asyncio.Event)

    def tell(self, text: str) -> None:
        """Send something soon; never waits."""
        if self.dropped.is_set():
            return
        self._waiting.append(text)
        self._size += len(text)
        if self._size > MOST_BEHIND and len(self._waiting) > 1:
            self.dropped.set()
            self._waiting.clear()
        self._has_more.set()

    def has_room(self, size: int) -> bool:
        """Whether so many characters can be told at once."""
        return self._size + size <= MOST_BEHIND // 2

    def tell_json(self, fields: dict[str, Any]) -> None:
        """Send an object soon."""
        self.tell(json.dumps(fields, separators=(",", ":")))

    async def write(self) -> None:
        """Send what waits, for ever."""
        while True:
            await self._has_more.wait()
            self._has_more.clear()
            while self._waiting:
                text = self._waiting.popleft()
                await self.channel.send_text(text)
                self._size -= len(text)


@define
class Hub:
    """Passes news on to whoever follows."""

    _followers: dict[Place, set[Reader]] = Factory(lambda: defaultdict(set))
    _in_lobby: set[Reader] = Factory(set)
    left: Callable[[str], float | None] = lambda _game: None

    @property
    def readers(self) -> int:
        """How many places are followed."""
        return sum(map(len, self._followers.values()))

    def news(self, chronicle: Chronicle, news: list[News]) -> None:
        """Tell those who follow a game what is new."""
        for each in news:
            readers = self._followers.get(Place(chronicle.name, each.reader))
            if readers:
                text = chronicle.envelope(each.number, each.message)
                for reader in readers:
                    reader.tell(text)

    def reload(self, chronicle: Chronicle) -> None:
        """Let everybody who follows a game get its document again."""
        for reader in chronicle.views:
            self.tell(Place(chronicle.name, reader), {"game": chronicle.name, "reload": True})

    def card(self, card: dict[str, Any]) -> None:
        """Tell those who look at the lobby how a game stands."""
        if self._in_lobby:
            text = json.dumps({"lobby": card}, separators=(",", ":"))
            for reader in self._in_lobby:
                reader.tell(text)

    def tell(self, place: Place, fields: dict[str, Any]) -> None:
        """Tell those who follow a game as somebody something that has no number."""
        readers = self._followers.get(place)
        if readers:
            text = json.dumps(fields, separators=(",", ":"))
            for reader in readers:
                reader.tell(text)

    # --- coming and going -------------------------------------------------------------------------

    def look_at_lobby(self, reader: Reader, *, wanted: bool) -> None:
        """Begin or end to tell a reader of all games."""
        (self._in_lobby.add if wanted else self._in_lobby.discard)(reader)

    def follow(
        self, reader: Reader, chronicle: Chronicle, who: str, run: str | None, after: int | None
    ) -> None:
        """Tell a reader what it missed, and everything from now on."""
        place = Place(chronicle.name, who)
        if reader.follows.get(chronicle.name) != place:
            self.unfollow(reader, chronicle.name)
            reader.follows[chronicle.name] = place
            self._followers[place].add(reader)
        view = chronicle.views[who]
        if after is not None:
            if run != chronicle.run or not 0 <= after <= view.number:
                reader.tell_json({"game": chronicle.name, "reload": True})
                return
            missed = [
                chronicle.envelope(number, view.messages[number - 1])
                for number in range(after + 1, view.number + 1)
            ]
            if not reader.has_room(sum(map(len, missed))):
                # The document is smaller, and as long as the reader likes it may take to read it.
                reader.tell_json({"game": chronicle.name, "reload": True})
                return
            for text in missed:
                reader.tell(text)
        told: dict[str, Any] = {
            "game": chronicle.name,
            "run": chronicle.run,
            "n": view.number,
            "following": who,
        }
        if (left := self.left(chronicle.name)) is not None:
            told["left"] = left
        reader.tell_json(told)

    def unfollow(self, reader: Reader, game: str) -> None:
        """Tell a reader no more of a game."""
        place = reader.follows.pop(game, None)
        if place is not None:
            self._followers[place].discard(reader)
            if not self._followers[place]:
                del self._followers[place]

    def leave(self, reader: Reader) -> None:
        """Forget a reader."""
        for game in tuple(reader.follows):
            self.unfollow(reader, game)
        self._in_lobby.discard(reader)

"""A game that is over, as one value: ending, orders, press, promises and how its bots fared.

However it was staged, in this process or over TCP, the same match gives the same value but for
`seconds`, `mode` and the times in its `record`.
"""

from collections import Counter
from collections.abc import Mapping
from enum import Enum
from functools import cached_property
from typing import Any

from attrs import define, frozen

from bots.failures import Failure
from matches.match import Match
from promises.book import PromiseBook
from rules.board import Board
from rules.outcome import Ending, center_counts
from rules.places import Power, Province
from rules.position import Position
from rules.position_json import turn_to_json
from rules.turns import Turn, at_year_ends
from server.game import Game
from server.history import History, PlayedTurn, RelayedPress, promise_book
from server.record import GameRecord


class FaultKind(Enum):
    """What can go wrong with a bot."""

    FAILED = "failed"
    """Its strategy raised exceptions; its units held then."""
    CRASHED = "crashed"
    HUNG = "hung"
    SENT_AWAY = "sent away"
    """It broke the protocol."""
    LEFT = "left"


@frozen
class BotFault:
    """Something that went wrong with a bot; its power went on without it, or with less of it."""

    power: str
    kind: FaultKind
    turn: Turn | None
    """When it was noticed."""
    failures: tuple[Failure, ...] = ()
    """The exceptions of its strategy, as far as they are known."""
    said: str = ""
    """The last lines that its process has written to standard error."""
    ending: str = ""
    """How its process ended, or why we ended it."""

    @property
    def sentence(self) -> str:
        """Say it in one line."""
        when = f" in {self.turn}" if self.turn is not None else ""
        when += f", {self.ending}" if self.ending else ""
        if self.failures:
            return f"{self.kind.value}: {self.failures[0].sentence}"
        return f"{self.kind.value}{when}" + (f": {self.last_words}" if self.last_words else "")

    @property
    def last_words(self) -> str:
        """The last line that its process has written."""
        line = self.said.strip().rpartition("\n")[2]
        return line.removeprefix("daide: ").removeprefix("daide bot: ")


def fault_to_json(fault: BotFault) -> dict[str, Any]:
    """Write a fault; `errors` are there if the strategy has raised any."""
    told: dict[str, Any] = {
        "power": fault.power,
        "what": fault.kind.value,
        "turn": None if fault.turn is None else turn_to_json(fault.turn),
    }
    errors = [
        {"error": each.error, "where": list(each.where), "turn": each.turn, "times": each.times}
        for each in fault.failures
    ]
    if fault.ending:
        told["ending"] = fault.ending
    return {**told, "errors": errors} if errors else told


@frozen
class PlayerAtEnd:
    """How a power has fared."""

    power: Power
    bot: str
    name: str
    version: str
    centers: int
    eliminated: int | None
    """The year in which it lost its last center, None if it has any."""


@define(frozen=True, slots=False, eq=False, repr=False)
class FinishedGame:
    """Everything about a game that is over."""

    match: Match
    ending: Ending
    history: History
    players: tuple[PlayerAtEnd, ...]
    record: GameRecord
    """Every message, with its sender: from it the game can be played again."""
    faults: tuple[BotFault, ...] = ()
    why_aborted: str = ""
    mode: str = ""
    """How it was staged."""
    seconds: float = 0.0

    def __repr__(self) -> str:
        """Say in a line what it is: a notebook shows the value of a cell, and this one is large."""
        told = ", ".join(f"{each.power} {each.centers}" for each in self.players)
        return f"<{self.match.name}: {self.ending.kind.value} in {self.ending.year}: {told}>"

    @property
    def board(self) -> Board:
        """The map."""
        return self.history.board

    @property
    def turns(self) -> list[PlayedTurn]:
        """Every turn: its orders with their results, and the position that followed."""
        return self.history.turns

    @property
    def positions(self) -> list[Position]:
        """The position at the start and after every turn."""
        return self.history.positions

    @property
    def press(self) -> list[RelayedPress]:
        """Everything that was said, and the turn it was said in."""
        return self.history.press

    @cached_property
    def promises(self) -> PromiseBook:
        """Who promised what, who kept it, and who stabbed whom."""
        book = promise_book(self.history)
        book.finish(self.history.position.turn, drawn=bool(self.ending.draw))
        return book

    @cached_property
    def press_counts(self) -> dict[str, int]:
        """How often each power has spoken."""
        said = Counter(relayed.press.sender.name for relayed in self.press)
        return {power.name: said[power.name] for power in self.board.powers}

    @cached_property
    def centers_by_year(self) -> dict[int, dict[str, int]]:
        """The centers at the end of every year, the one before the start included."""
        start = self.history.start
        counted = at_year_ends(
            (start.turn, start.owners),
            ((each.turn, each.position.turn, each.position.owners) for each in self.turns),
        )
        return {year: self._counts(owners) for year, owners in counted.items()}

    def _counts(self, owners: Mapping[Province, Power]) -> dict[str, int]:
        counts = center_counts(self.board, owners)
        return {power.name: count for power, count in counts.items()}


def finished(match: Match, game: Game, record: GameRecord) -> FinishedGame:
    """Return what is to be said of a game that is over, but for how it was staged."""
    assert game.ending is not None
    counts = center_counts(game.board, game.position.owners)
    players = tuple(
        PlayerAtEnd(
            power=power,
            bot=match.bot_name(power.name),
            name=seat.name,
            version=seat.version,
            centers=counts[power],
            eliminated=None if counts[power] else seat.eliminated_in,
        )
        for power, seat in game.seats.items()
    )
    return FinishedGame(
        match=match,
        ending=game.ending,
        history=game.history,
        players=players,
        record=record,
    )

"""How a game stands and ends: who has won, who is out, who is left, and why it is over."""

from collections import Counter
from collections.abc import Mapping
from enum import Enum
from typing import Literal, TypeAlias, TypedDict

from attrs import frozen

from rules.board import Board
from rules.errors import BadInputError
from rules.places import Power, Province
from rules.position import Position
from rules.position_json import TurnJson, turn_from_json, turn_to_json
from rules.turns import Turn

Outcome: TypeAlias = Literal["solo", "draw", "year-limit", "aborted"]


class EndingKind(Enum):
    """Why a game is over."""

    SOLO = "solo"
    AGREED_DRAW = "agreed-draw"
    YEAR_LIMIT = "year-limit"
    YEARS_WITHOUT_CHANGE = "years-without-change"
    ENDED_BY_HOST = "ended-by-host"
    ABORTED = "aborted"

    @property
    def is_at_year_end(self) -> bool:
        """Whether it comes when the centers of a year have been counted, and never in between."""
        return self in (self.SOLO, self.YEAR_LIMIT, self.YEARS_WITHOUT_CHANGE)


# The four words in which results are told: what is shared is a draw, whoever declared it, but for
# the year limit, under which nobody has given anything away.
OUTCOMES: Mapping[EndingKind, Outcome] = {
    EndingKind.SOLO: "solo",
    EndingKind.AGREED_DRAW: "draw",
    EndingKind.YEAR_LIMIT: "year-limit",
    EndingKind.YEARS_WITHOUT_CHANGE: "draw",
    EndingKind.ENDED_BY_HOST: "draw",
    EndingKind.ABORTED: "aborted",
}


class EndingJson(TypedDict):
    """An ending: its kind, the powers that it concerns, the last turn that was played."""

    kind: Literal[
        "solo", "agreed-draw", "year-limit", "years-without-change", "ended-by-host", "aborted"
    ]
    powers: list[str]
    turn: TurnJson


@frozen
class Ending:
    """How a game ended."""

    kind: EndingKind
    powers: tuple[Power, ...]
    """The winner of a solo, those who share a draw or are left at a limit; nobody if aborted."""
    turn: Turn
    """The last turn that was played; the first one of the game if none was."""

    @property
    def outcome(self) -> Outcome:
        """The word that results are told in."""
        return OUTCOMES[self.kind]

    @property
    def winner(self) -> Power | None:
        """The power that has won alone."""
        return self.powers[0] if self.kind is EndingKind.SOLO else None

    @property
    def draw(self) -> tuple[Power, ...]:
        """Those who share the draw that was declared, also by a limit; empty if none was."""
        return () if self.kind is EndingKind.SOLO else self.powers

    @property
    def winners(self) -> tuple[Power, ...]:
        """Those to whom a result gives the game: nobody where a year limit cuts it off."""
        return self.powers if self.outcome in ("solo", "draw") else ()

    @property
    def year(self) -> int:
        """The year of the last turn that was played."""
        return self.turn.year


def ending_to_json(ending: Ending) -> EndingJson:
    """Write an ending."""
    return {
        "kind": ending.kind.value,
        "powers": [power.name for power in ending.powers],
        "turn": turn_to_json(ending.turn),
    }


class ResultJson(TypedDict):
    """How a game ended, in the words that results are told in, and exactly."""

    outcome: Outcome
    winners: list[str]
    year: int
    ending: EndingJson


def result_to_json(ending: Ending) -> ResultJson:
    """Write an ending as every result tells it: of a game, of a tournament, of one watched."""
    return {
        "outcome": ending.outcome,
        "winners": [power.name for power in ending.winners],
        "year": ending.year,
        "ending": ending_to_json(ending),
    }


def ending_from_json(powers: Mapping[str, Power], data: EndingJson) -> Ending:
    """Read an ending; raises BadInputError for a name that there is not."""
    try:
        return Ending(
            EndingKind(data["kind"]),
            tuple(powers[name] for name in data["powers"]),
            turn_from_json(data["turn"]),
        )
    except KeyError as error:
        raise BadInputError(f"ending: no such power: {error}") from None
    except ValueError as error:
        raise BadInputError(f"ending: {error}") from None


def center_counts(board: Board, owners: Mapping[Province, Power]) -> dict[Power, int]:
    """Return how many centers each power owns."""
    counts = Counter(owners.values())
    return {power: counts[power] for power in board.powers}


def solo_winner(board: Board, owners: Mapping[Province, Power]) -> Power | None:
    """Return the power with enough centers to win and more than any other.

    Ask after an ownership update only: centers count when the year is over.
    """
    counts = center_counts(board, owners)
    most = max(counts.values())
    leaders = [power for power, count in counts.items() if count == most]
    return leaders[0] if most >= board.centers_to_win and len(leaders) == 1 else None


def survivors(board: Board, position: Position) -> tuple[Power, ...]:
    """Return the powers that own a center or have a unit; they share a draw."""
    alive = {owner.name for owner in position.owners.values()}
    alive.update(unit.power.name for unit in position.units)
    alive.update(out.unit.power.name for out in position.dislodged)
    return tuple(power for power in board.powers if power.name in alive)


def eliminated(board: Board, owners: Mapping[Province, Power]) -> tuple[Power, ...]:
    """Return the powers without centers, who are out after an ownership update."""
    return tuple(power for power, count in center_counts(board, owners).items() if not count)

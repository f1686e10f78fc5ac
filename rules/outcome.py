"""How a game stands and ends: who has won, who is out, who is left."""

from collections import Counter
from collections.abc import Mapping

from rules.board import Board
from rules.places import Power, Province
from rules.position import Position


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
    alive = set(position.owners.values())
    alive.update(unit.power for unit in position.units)
    alive.update(out.unit.power for out in position.dislodged)
    return tuple(power for power in board.powers if power in alive)


def eliminated(board: Board, owners: Mapping[Province, Power]) -> tuple[Power, ...]:
    """Return the powers without centers, who are out after an ownership update."""
    return tuple(power for power, count in center_counts(board, owners).items() if not count)

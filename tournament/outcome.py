"""The line of one game in `games.jsonl`, from the game itself: the same in every mode."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from promises.export import book_to_json
from rules.outcome import center_counts, result_to_json
from rules.places import Power, Province
from rules.position_json import turn_to_json
from rules.turns import Turn, at_year_ends
from server.game import Game
from server.history import promise_book
from tournament.schedule import GameJob
from tournament.scoring import scores

Line = dict[str, Any]


def fault(power: str, what: str, turn: Turn | None) -> Line:
    """Return the note of something that went wrong with a bot."""
    return {"power": power, "what": what, "turn": None if turn is None else turn_to_json(turn)}


def game_line(job: GameJob, game: Game, *, mode: str, faults: Sequence[Line] = ()) -> Line:
    """Return the line of a game that has come to its end; the caller adds the seconds."""
    ending = game.ending
    assert ending is not None
    result = result_to_json(ending)
    centers = _centers_by_year(game)
    final = center_counts(game.board, game.position.owners)
    eliminated = {
        power.name: seat.eliminated_in
        for power, seat in game.seats.items()
        if final[power] == 0 and seat.eliminated_in is not None
    }
    said = Counter(relayed.press.sender for relayed in game.history.press)
    book = promise_book(game.history)
    book.finish(game.position.turn, drawn=bool(ending.draw))
    return {
        **_heading(job),
        **result,
        "phases": len(game.history.turns),
        "seconds": 0.0,
        "mode": mode,
        "centers": centers,
        "eliminated": eliminated,
        "scores": scores(result["outcome"], result["winners"], centers, eliminated),
        "press": {power.name: said[power] for power in game.seats},
        **book_to_json(book, game.representation),
        "faults": list(faults),
    }


def aborted_line(job: GameJob, error: str, *, mode: str, seconds: float = 0.0) -> Line:
    """Return the line of a game that could not be played."""
    return {
        **_heading(job),
        "outcome": "aborted",
        "winners": [],
        "year": 0,
        "phases": 0,
        "seconds": round(seconds, 3),
        "mode": mode,
        "centers": {},
        "eliminated": {},
        "scores": {},
        "press": {},
        "promises": [],
        "offers": [],
        "stabs": [],
        "faults": [],
        "error": error,
    }


def _heading(job: GameJob) -> Line:
    return {
        "game": job.number,
        "field": job.field,
        "seed": job.seed,
        "players": dict(job.players),
    }


def _centers_by_year(game: Game) -> dict[str, dict[str, int]]:
    """Count the centers at the end of every year, the one before the start included."""
    start = game.history.start
    counted = at_year_ends(
        (start.turn, start.owners),
        ((each.turn, each.position.turn, each.position.owners) for each in game.history.turns),
    )
    return {str(year): _named(game, owners) for year, owners in counted.items()}


def _named(game: Game, owners: Mapping[Province, Power]) -> dict[str, int]:
    counts = center_counts(game.board, owners)
    return {power.name: count for power, count in counts.items()}

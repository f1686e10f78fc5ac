"""The line of one game in `games.jsonl`, from the game itself: the same in every mode."""

from typing import Any

from matches.finished_game import FinishedGame, fault_to_json
from promises.export import book_to_json
from rules.outcome import result_to_json
from server.game import representation_of
from tournament.schedule import GameJob
from tournament.scoring import scores

Line = dict[str, Any]


def game_line(job: GameJob, game: FinishedGame) -> Line:
    """Return the line of a game that has come to its end."""
    result = result_to_json(game.ending)
    centers = {str(year): counts for year, counts in game.centers_by_year.items()}
    eliminated = {
        each.power.name: each.eliminated for each in game.players if each.eliminated is not None
    }
    is_scored = result["outcome"] != "aborted"
    line: Line = {
        **_heading(job),
        **result,
        "phases": len(game.turns),
        "seconds": round(game.seconds, 3),
        "mode": game.mode,
        "centers": centers,
        "eliminated": eliminated,
        "scores": scores(result["outcome"], result["winners"], centers, eliminated)
        if is_scored
        else {},
        "press": game.press_counts,
        **book_to_json(game.promises, representation_of(game.board)),
        "faults": [fault_to_json(fault) for fault in game.faults],
    }
    return {**line, "error": game.why_aborted} if game.why_aborted else line


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

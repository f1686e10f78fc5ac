"""One job, one result: the function that every engine runs."""

import time

from attrs import evolve

from bots.registry import ENTRIES
from matches.finished_game import FinishedGame, fault_to_json
from matches.in_process import IN_PROCESS, OnTurn, do_nothing, play_in_process
from matches.whole_record import packed_record
from promises.export import book_to_json
from rules.outcome import result_to_json
from server.game import representation_of
from tournament.game_result import GameResult
from tournament.schedule import GameJob

PROCESSES = "processes"


def mode_of(job: GameJob) -> str:
    """Return how a job is played: `auto` trusts the bots that we ship to share a process."""
    if job.mode != "auto":
        return job.mode
    parts = (part for power in job.players for part in job.bot_of(power).split("+"))
    names = {part.partition("/")[0] for part in parts}
    return IN_PROCESS if names <= set(ENTRIES) else PROCESSES


def play_game(job: GameJob, on_turn: OnTurn = do_nothing) -> GameResult:
    """Play a game and return its result; one that cannot be played has a result that says why."""
    started = time.monotonic()
    try:
        game = staged(job, on_turn)
        record = packed_record(game) if job.keeps_record else b""
        return evolve(result_of(job, game), record=record)
    except Exception as error:  # noqa: BLE001 - a bug costs one game, and its result says so
        why = f"{type(error).__name__}: {error}"
        return aborted_result(job, why, seconds=time.monotonic() - started)


def staged(job: GameJob, on_turn: OnTurn = do_nothing) -> FinishedGame:
    """Play the match of a job."""
    if mode_of(job) == IN_PROCESS:
        return play_in_process(job.match, on_turn)
    from matches.over_tcp import play_over_tcp  # noqa: PLC0415 - sockets only if needed

    return play_over_tcp(job.match, on_turn)


def second_try(job: GameJob) -> GameJob:
    """Return how to play a job again whose worker was lost, perhaps because of one of its bots.

    Where we may choose, every bot gets a process of its own now, so that the guilty one is found.
    """
    return evolve(job, mode=PROCESSES) if job.mode == "auto" else job


def result_of(job: GameJob, game: FinishedGame) -> GameResult:
    """Return the result of a game that has come to its end: the same in every mode."""
    result = result_of_play(game, job.number)
    return evolve(result, field_name=job.field, players=dict(job.players))


def result_of_play(game: FinishedGame, number: int) -> GameResult:
    """Return the result of a game that was played outside of any tournament."""
    told = result_to_json(game.ending)
    book = book_to_json(game.promises, representation_of(game.board))
    return GameResult(
        number=number,
        field_name=game.match.name,
        seed=game.match.seed,
        players={each.power.name: each.bot for each in game.players},
        **told,
        phases=len(game.turns),
        seconds=round(game.seconds, 3),
        mode=game.mode,
        centers=game.centers_by_year,
        eliminated={
            each.power.name: each.eliminated for each in game.players if each.eliminated is not None
        },
        press=game.press_counts,
        promises=book["promises"],
        offers=book["offers"],
        stabs=book["stabs"],
        faults=[fault_to_json(fault) for fault in game.faults],
        error=game.why_aborted,
    )


def aborted_result(job: GameJob, error: str, *, seconds: float = 0.0) -> GameResult:
    """Return the result of a game of which nothing is known but why it could not be played."""
    return GameResult(
        number=job.number,
        field_name=job.field,
        seed=job.seed,
        players=dict(job.players),
        outcome="aborted",
        winners=[],
        year=0,
        centers={},
        seconds=round(seconds, 3),
        mode=mode_of(job),
        error=error,
    )

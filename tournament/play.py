"""One job, one line: the function that every engine runs."""

import time

from attrs import evolve

from bots.registry import ENTRIES
from matches.finished_game import FinishedGame
from matches.in_process import IN_PROCESS, OnTurn, do_nothing, play_in_process
from tournament.outcome import Line, aborted_line, game_line
from tournament.schedule import GameJob

PROCESSES = "processes"


def mode_of(job: GameJob) -> str:
    """Return how a job is played: `auto` trusts the bots that we ship to share a process."""
    if job.mode != "auto":
        return job.mode
    parts = (part for power in job.players for part in job.bot_of(power).split("+"))
    names = {part.partition("/")[0] for part in parts}
    return IN_PROCESS if names <= set(ENTRIES) else PROCESSES


def play_game(job: GameJob, on_turn: OnTurn = do_nothing) -> Line:
    """Play a game and return its line; a game that cannot be played has a line that says why."""
    started = time.monotonic()
    mode = mode_of(job)
    try:
        return game_line(job, staged(job, on_turn))
    except Exception as error:  # noqa: BLE001 - a bug costs one game, and its line says so
        why = f"{type(error).__name__}: {error}"
        return aborted_line(job, why, mode=mode, seconds=time.monotonic() - started)


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

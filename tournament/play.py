"""One job, one line: the function that every engine runs."""

import time

from attrs import evolve

from tournament.arena import (
    IN_PROCESS,
    PROCESSES,
    GameStuckError,
    OnTurn,
    do_nothing,
    mode_of,
    play_in_process,
)
from tournament.outcome import Line, aborted_line
from tournament.schedule import GameJob


def play_game(job: GameJob, on_turn: OnTurn = do_nothing) -> Line:
    """Play a game and return its line; a game that cannot be played has a line that says why."""
    started = time.monotonic()
    mode = mode_of(job)
    try:
        line = play_in_process(job, on_turn) if mode == IN_PROCESS else _apart(job, on_turn)
    except GameStuckError as error:
        return aborted_line(job, str(error), mode=mode, seconds=time.monotonic() - started)
    except Exception as error:  # noqa: BLE001 - a bug costs one game, and its line says so
        why = f"{type(error).__name__}: {error}"
        return aborted_line(job, why, mode=mode, seconds=time.monotonic() - started)
    line["seconds"] = round(time.monotonic() - started, 3)
    return line


def second_try(job: GameJob) -> GameJob:
    """Return how to play a job again whose worker was lost, perhaps because of one of its bots.

    Where we may choose, every bot gets a process of its own now, so that the guilty one is found.
    """
    return evolve(job, mode=PROCESSES) if job.mode == "auto" else job


def _apart(job: GameJob, on_turn: OnTurn) -> Line:
    from tournament.processes import play_in_processes  # noqa: PLC0415 - sockets only if needed

    return play_in_processes(job, on_turn)

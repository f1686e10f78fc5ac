"""Small tournaments for tests."""

from collections.abc import Sequence

from attrs import evolve

from tournament.game_result import GameResult
from tournament.schedule import GameJob, jobs_of
from tournament.spec import read_spec

LAGOON = 'variant = "lagoon"\nlast_year = 1903\npress_level = 10\n'


def jobs(text: str) -> list[GameJob]:
    return jobs_of(read_spec(text))


def lagoon_jobs(players: str, games: int = 1, more: str = "") -> list[GameJob]:
    """Return games on a map of three powers."""
    return jobs(
        f"{LAGOON}games = {games}\nbalance = false\n{more}\n[[fields]]\nplayers = {players}"
    )


def in_mode(job: GameJob, mode: str) -> GameJob:
    return evolve(job, mode=mode)


def comparable(result: GameResult) -> GameResult:
    """Return a result without what depends on the machine and the mode."""
    return evolve(result, seconds=0.0, mode="")


def table(lines: Sequence[GameResult]) -> list[GameResult]:
    return [comparable(line) for line in sorted(lines, key=lambda line: line.number)]

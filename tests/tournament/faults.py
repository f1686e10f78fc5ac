"""A tournament in which everything goes wrong, and what must be true of it all the same."""

import signal
from pathlib import Path
from random import Random

from attrs import frozen

from tests.tournament.playing import table
from tests.tournament.running import Run
from tournament.game_result import GameResult
from tournament.pool import LocalPool
from tournament.results_file import RECORDS, read_results, record_path
from tournament.runner import SpecFile
from tournament.schedule import jobs_of
from tournament.tidy_tables import read_record

TROUBLES = {"Victim": "crashed", "Hanger": "hung", "Babbler": "sent away"}
"""Bots that are killed, hang and send garbage, and how the server takes it."""


@frozen
class Scenario:
    """How many games of each kind are played, and on which map."""

    healthy: int
    killed: int
    hanging: int
    garbage: int
    variant: str = "lagoon"
    talkers: int = 2
    game_limit: float = 5.0
    seed: int = 1

    @property
    def games(self) -> int:
        return self.healthy + self.killed + self.hanging + self.garbage

    def spec(self) -> str:
        fields = [
            f"[[fields]]\nname = 'healthy'\ngames = {self.healthy}\nplayers = {self._players()}"
        ]
        for bot, games in zip(TROUBLES, (self.killed, self.hanging, self.garbage), strict=True):
            players = self._players(f"tests.tournament.bad_bots:{bot}")
            fields.append(f"[[fields]]\nname = '{bot}'\ngames = {games}\nplayers = {players}")
        rules = f"variant = '{self.variant}'\nlast_year = 1903\npress_level = 10\nbalance = false"
        limits = f"mode = 'processes'\ngame_limit = {self.game_limit}\nseed = {self.seed}"
        return "\n".join([rules, limits, *fields, ""])

    def _players(self, bad: str | None = None) -> str:
        seats = 7 if self.variant == "standard" else 3
        lineup = {"blabbot": self.talkers, "dumbbot": seats - self.talkers - (bad is not None)}
        if bad is not None:
            lineup[bad] = 1
        named = (f'"{name}" = {count}' for name, count in lineup.items() if count)
        return f"{{ {', '.join(named)} }}"


def run_with_kills(
    scenario: Scenario, folder: Path, kills: int = 2, *more: str
) -> list[GameResult]:
    """Run a scenario to its end, killing the runner at random on the way; return its games.

    Every game is kept whole: what is started with --records goes on with them.
    """
    spec = folder / "faults.toml"
    spec.write_text(scenario.spec())
    random = Random(scenario.seed)
    for number, at in enumerate(sorted(random.sample(range(1, scenario.games // 2), kills))):
        asked = () if number else ("--records",)
        running = Run(spec, folder / "out", "--resume", *asked, *more)
        running.wait_for_games(at)
        running.send(signal.SIGKILL)
        running.wait_for_silence()
    running = Run(spec, folder / "out", "--resume", *more)
    code, said = running.finish()
    assert code == 1, said  # bots failed, and each kind is named
    assert all(f"bad_bots:{bot} {what}" in said for bot, what in TROUBLES.items()), said
    running.wait_for_silence()
    return read_results(folder / "out")


def check(scenario: Scenario, lines: list[GameResult], folder: Path) -> None:
    """Every game once, every fault told, and healthy games as if nothing had happened."""
    assert sorted(line.number for line in lines) == list(range(scenario.games))
    assert {line.outcome for line in lines} <= {"solo", "draw", "year-limit"}
    for line in lines:
        bad = [power for power, bot in line.players.items() if ":" in bot]
        told = [(fault["power"], fault["what"]) for fault in line.faults]
        assert told == [(power, TROUBLES[line.field_name]) for power in bad]
    jobs = jobs_of(SpecFile.load(folder / "faults.toml").spec)
    quiet: list[GameResult] = []
    with LocalPool(2) as pool:
        pool.play([job for job in jobs if job.field == "healthy"], quiet.append)
    assert table([line for line in lines if line.field_name == "healthy"]) == table(quiet)
    check_records(lines, folder / "out")


def check_records(lines: list[GameResult], out: Path) -> None:
    """Every game has its record, whole, and there is nothing else."""
    names = sorted(path.name for path in (out / RECORDS).iterdir())
    assert names == sorted(record_path(out, line.number).name for line in lines)
    for line in lines:
        record = read_record(out, line.number)
        assert record is not None
        assert record["ending"] == line.ending
        assert len(record["turns"]) == line.phases
        assert record["promises"] == line.promises

"""Run a tournament into a folder: what is left of it is played, and every game is kept once."""

import json
import re
from collections.abc import Collection
from pathlib import Path

from attrs import evolve, frozen

from cli.parsing import suggestion
from cli.whole_files import write_whole
from rules.errors import BadInputError, unreadable
from tournament.game_result import GameResult
from tournament.pool import Engine
from tournament.progress import Display
from tournament.results_file import SPEC, ResultsFile, keeps_records, remove_unfinished
from tournament.schedule import jobs_of
from tournament.spec import Spec, check_bots, read_spec

SHIPPED = Path(__file__).resolve().parent.parent / "experiments"
"""The specs that come with us; they are installed beside this package."""
_FIRST_TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)


@frozen
class SpecFile:
    """A spec, and its text, which is kept beside the games."""

    spec: Spec
    text: str
    source: str = SPEC
    keeps_records: bool = False
    """Whether every game is kept whole."""

    @classmethod
    def load(
        cls, path: str | Path, *, seed: int | None = None, size: str | None = None
    ) -> "SpecFile":
        """Read a spec, a file or the name of one that we ship.

        What is given here replaces what the file says, also in the copy.
        """
        file = Path(path)
        if not file.is_file():
            file = shipped(str(path)) or file
        if not file.exists():
            meant = suggestion(str(path), (each.stem for each in SHIPPED.glob("*.toml")))
            raise BadInputError(f"{path}: there is no such file, nor a plan of ours{meant}")
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise unreadable(path, error) from None
        spec = read_spec(text, file.name)
        for key, value in (("seed", seed), ("size", size)):
            if value is not None:
                text = with_value(text, key, value)
                spec = read_spec(text, file.name)
        return cls(spec, text, file.name)


def shipped(name: str) -> Path | None:
    """Return the file of a spec that comes with us, None if there is none of that name."""
    return next((file for file in SHIPPED.glob("*.toml") if file.stem == name), None)


def with_value(text: str, key: str, value: int | str) -> str:
    """Put a value into the text of a spec, in place of the one that is there."""
    found = _FIRST_TABLE.search(text)
    head, tables = (text[: found.start()], text[found.start() :]) if found else (text, "")
    head = re.sub(rf"^{key}[ \t]*=.*\n?", "", head, flags=re.MULTILINE)
    return f"{key} = {json.dumps(value)}\n{head}{tables}"


def run(
    plan: SpecFile,
    folder: Path,
    engine: Engine,
    display: Display,
    *,
    resume: bool,
) -> list[GameResult]:
    """Play the games that the folder does not have yet, and return all of them by their number.

    Raises BadInputError if there are games and nobody asked to resume, or if they are of another
    tournament.
    """
    check_bots(plan.spec, plan.source)
    results = ResultsFile(folder)
    try:
        _settle_spec(plan, folder, results, resume=resume)
        remove_unfinished(folder)
        # What was begun with whole games is finished with them.
        keeps = plan.keeps_records or keeps_records(folder)
        jobs = [
            evolve(job, keeps_record=keeps)
            for job in jobs_of(plan.spec)
            if job.number not in results.played
        ]
        display.start(results.results, len(jobs))
        try:
            engine.play(jobs, lambda result: _keep(result, results, display))
        finally:
            display.stop()
        return sorted(results.results, key=lambda result: int(result.number))
    finally:
        results.close()


def _keep(result: GameResult, results: ResultsFile, display: Display) -> None:
    results.append(result)
    display.update(result)


def _settle_spec(plan: SpecFile, folder: Path, results: ResultsFile, *, resume: bool) -> None:
    """Put the spec beside the games; games that are there must be of the same one."""
    copy = folder / SPEC
    if results.results and not resume:
        raise BadInputError(
            f"{folder}: has {len(results.results)} games already; finish them with --resume, "
            "or choose another --out"
        )
    is_same = bool(results.results) and not check_games(plan, folder, results.played)
    if not is_same:
        write_whole(copy, plan.text)


def check_games(plan: SpecFile, folder: Path, played: Collection[int]) -> bool:
    """Return whether a plan was made longer; BadInputError if the folder has games of another.

    The games that are there must have kept their numbers, their seats and all the rest.
    """
    copy = folder / SPEC
    planned, before = jobs_of(plan.spec), jobs_of(SpecFile.load(copy).spec)
    if planned == before:
        return False
    known = {job.number: job for job in planned}
    if any(job != known.get(job.number) for job in before if job.number in played):
        raise BadInputError(
            f"{folder}: its games are of another tournament than {plan.source}; see {copy}, and "
            "move the folder away to begin anew"
        )
    return True

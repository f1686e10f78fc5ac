"""`daide tournament reproduce`: published experiments played again, beside the paper's figures.

Games that are there are not played again, so a run that was stopped goes on where it was. In the
full size the results are kept beside the plans, and tables and curves of the documents are written
anew.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from attrs import asdict, frozen
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cli.parsing import command_parser, jobs
from cli.whole_files import write_whole
from rules.errors import BadInputError
from tournament.experiment_curves import write_pictures
from tournament.experiment_page import figure, keep, kept, with_tables
from tournament.game_result import GameResult
from tournament.pool import Engine, LocalPool, cores
from tournament.progress import NoDisplay, duration, shown_on_stderr
from tournament.published import Experiment, Outcome, Row, experiments, outcome, rows_of
from tournament.results_file import results_so_far
from tournament.runner import SHIPPED, SpecFile, check_games, run
from tournament.schedule import jobs_of
from tournament.spec import SIZES, check_bots

EXAMPLE = """examples:
  daide tournament reproduce                        all of them, in the small size
  daide tournament reproduce D1 D2 --size full      two of them, as large as they should be
  daide tournament reproduce --all --size full      all of them; says first how long it will take
  daide tournament reproduce --all --size full --tables    play nothing, write the tables
  daide tournament reproduce --list

Games that are there already, in --out, are not played again. With --size full the results are kept
beside the plans, and tables and curves of the documents are written anew."""
FOLDER = "results/reproduce"
PAGE = Path("docs") / "experiments.md"
PICTURES = Path("docs") / "images"
WIDTH = 140


@frozen
class Task:
    """An experiment with its plan, and where its games go."""

    experiment: Experiment
    plan: SpecFile
    folder: Path
    results: Sequence[GameResult]
    """The games that were there when the command began; they are of this plan."""

    @property
    def left(self) -> int:
        """How many games were not there."""
        there = {result.number for result in self.results}
        return sum(job.number not in there for job in jobs_of(self.plan.spec))

    def seconds_left(self, before: Outcome | None) -> float | None:
        """Return how long they will take one after the other; None if nobody has played any."""
        if self.results:
            # They were played here, and perhaps more slowly than those that are kept.
            return self.left * fmean(result.seconds for result in self.results)
        return self.left * before.seconds_a_game if before is not None else None


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    given = _parser().parse_args(arguments)
    known = experiments(given.experiments)
    if given.list:
        sources = {each.id: each.source for each in known.values()}
        lines = "\n".join(f"{name:<6} {source}" for name, source in sources.items())
        print(json.dumps(sources) if given.json else lines)  # noqa: T201 - the command's output
        return 0
    _check(given, known)
    skipped: dict[str, str] = {}
    tasks = list(_tasks([known[name] for name in given.ids or known], given, skipped))
    if not given.json and not given.tables:
        _tell_estimate(tasks, kept(given.experiments), given.jobs)
    if given.tables:
        found = _found(tasks)
        if given.size == "full":
            _publish(found, given.experiments)
    else:
        found = _played(tasks, given)
    _tell([row for each in found for row in each.rows], skipped, as_json=given.json)
    return 0


def _check(given: argparse.Namespace, known: Mapping[str, Experiment]) -> None:
    if given.all and given.ids:
        raise BadInputError(f"--all: name experiments or take all, not both: {given.ids[0]}")
    for name in given.ids:
        if name not in known:
            raise BadInputError(f"no such experiment: {name!r}; there are {', '.join(known)}")
    if given.out.exists() and not given.out.is_dir():
        raise BadInputError(f"--out: {given.out} is no folder; name another")


def _tasks(
    chosen: Sequence[Experiment], given: argparse.Namespace, skipped: dict[str, str]
) -> Iterator[Task]:
    """Return what can be played; what cannot is noted."""
    for each in chosen:
        plan = SpecFile.load(each.path, size=given.size)
        rows_of(plan)
        try:
            check_bots(plan.spec, plan.source)
        except BadInputError as error:
            skipped[each.id] = str(error)
            continue
        folder = given.out / given.size / each.id
        results = results_so_far(folder)
        if results:
            check_games(plan, folder, {result.number for result in results})
        yield Task(each, plan, folder, results)


def _found(tasks: Sequence[Task]) -> list[Outcome]:
    """Return the figures of the games that are there."""
    return [outcome(task.experiment, task.plan, task.results) for task in tasks if task.results]


def _played(tasks: Sequence[Task], given: argparse.Namespace) -> list[Outcome]:
    """Play what is not there yet, and return all figures; each is kept as soon as it is known."""
    found = []
    engine = LocalPool(given.jobs)
    try:
        for task in tasks:
            found.append(_play(task, given, engine))
            if given.size == "full":
                _publish(found[-1:], given.experiments)
    finally:
        engine.close()
    return found


def _play(task: Task, given: argparse.Namespace, engine: Engine) -> Outcome:
    if not given.json:
        sys.stderr.write(f"{task.experiment.id}: {task.experiment.source}\n")
    display = NoDisplay() if given.json else shown_on_stderr()
    results = run(task.plan, task.folder, engine, display, resume=True)
    return outcome(task.experiment, task.plan, results)


def _publish(found: Sequence[Outcome], folder: Path) -> None:
    """Keep results beside the plans, and write tables and curves of documents that are there."""
    page = folder.parent / PAGE
    try:
        for each in found:
            keep(each, folder)
        if page.is_file():
            text = page.read_text(encoding="utf-8")
            write_whole(page, with_tables(text, kept(folder)))
        if (folder.parent / PICTURES).is_dir():
            write_pictures(folder.parent / PICTURES, kept(folder))
    except OSError as error:
        # The games are there: whoever may write can make the tables with --tables.
        sys.stderr.write(f"{page}: tables and curves are not written: {error}\n")


def _tell_estimate(tasks: Sequence[Task], before: Mapping[str, Outcome], jobs: int) -> None:
    """Say how many games there are to play, and how long that took the last time."""
    left = [task for task in tasks if task.left]
    times = {task.experiment.id: task.seconds_left(before.get(task.experiment.id)) for task in left}
    unknown = [name for name, seconds in times.items() if seconds is None]
    told = f"{sum(task.left for task in left)} games to play in {len(left)} experiments"
    if len(unknown) < len(left):
        seconds = sum(each for each in times.values() if each is not None)
        told += f", about {duration(seconds / jobs)} with {jobs} at once"
        told += f", besides {', '.join(unknown)}" if unknown else ""
    sys.stderr.write(f"{told}\n")


# --- output ---------------------------------------------------------------------------------------


def _tell(rows: Sequence[Row], skipped: Mapping[str, str], *, as_json: bool) -> None:
    if as_json:
        document = {"rows": [asdict(row) for row in rows], "skipped": dict(skipped)}
        sys.stdout.write(json.dumps(document) + "\n")
        return
    console = Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH)
    table = Table("experiment", "field", "bot", "metric", "games", "paper", "ours", box=None)
    for row in rows:
        cells = (row.experiment, row.field, row.bot, row.metric, str(row.games))
        table.add_row(*map(Text, (*cells, _told(row.paper, row), _told(row.ours, row))))
    console.print(table)
    for name, why in skipped.items():
        console.print(f"{name} was left out: {why}", markup=False)


def _told(value: float | str | None, row: Row) -> str:
    if value is None or isinstance(value, str):
        return value or "no game"
    if value is not row.ours or row.interval is None:
        return figure(value, row.metric)
    low, high = (figure(each, row.metric) for each in row.interval)
    return f"{figure(value, row.metric)} [{low}, {high}]"


def _parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "tournament reproduce",
        "Play published experiments again, and print ours beside the paper's figures.",
        EXAMPLE,
    )
    parser.add_argument("ids", nargs="*", metavar="ID", help="which ones (default: all)")
    parser.add_argument("--all", action="store_true", help="all of them, as without any ID")
    parser.add_argument("--size", choices=SIZES, default="small", help="default: small")
    parser.add_argument(
        "--tables", action="store_true", help="play nothing: figures of the games that are there"
    )
    parser.add_argument("--out", type=Path, default=Path(FOLDER), metavar="DIR")
    parser.add_argument("--experiments", type=Path, default=SHIPPED, metavar="DIR")
    parser.add_argument("--jobs", type=jobs, default=cores(), metavar="N")
    parser.add_argument("--list", action="store_true", help="say which there are")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser

"""`daide tournament`: run many games by a plan, and see what came of them."""

import argparse
import json
import sys
from importlib import import_module
from pathlib import Path

from attrs import evolve

from cli.parsing import command_parser, jobs, seed, suggestion
from rules.errors import BadInputError
from tournament.complaints import complaints
from tournament.game_result import GameResult
from tournament.pool import Engine, LocalPool, WorkersFailedError
from tournament.progress import NoDisplay, shown_on_stderr, summary
from tournament.results_file import FILE_NAME
from tournament.runner import SpecFile, run

EXAMPLE = """examples:
  daide tournament run quick --out results/quick
  daide tournament run quick --out results/quick --resume
  daide tournament report results/quick
  daide tournament reproduce D1 --size small
  daide tournament matrix --players dumbbot,dbrane,probable --games 70 --out results/matrix
  daide tournament collect --mqtt mqtt://referee@broker --out results/course

`run` plays the games of a spec, writes a result for each into DIR/games.jsonl, and ends with the
report. A run that was cut off is finished with --resume. The same seed gives the same table,
whatever the number of jobs. Exit code 1 if a game was aborted, or a bot failed, crashed or hung."""
COMMANDS = ("run", "report", "reproduce", "collect", "matrix")
FOLDER = "results"


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    command, *rest = arguments or ["--help"]
    if command in ("-h", "--help"):
        print(_usage())
        return 0
    if command == "run":
        return _run(_parser().parse_args(rest))
    if command in COMMANDS:
        return _call(command, rest)
    what = f"no such command: {command!r}{suggestion(command, COMMANDS)}"
    raise BadInputError(f"{what}; the commands are {', '.join(COMMANDS)}")


def _call(command: str, arguments: list[str]) -> int:
    """Import only what is asked for, and run it."""
    code: int = import_module(f"tournament.{command}").main(arguments)
    return code


def _usage() -> str:
    return f"usage: daide tournament {{{','.join(COMMANDS)}}} ...\n\n{EXAMPLE}"


def _parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "tournament run", "Play the games of a spec, and report on them.", EXAMPLE
    )
    parser.add_argument(
        "spec", metavar="SPEC", help="what is to be played: a file, or a name such as `quick`"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help=f"default: {FOLDER}/NAME")
    parser.add_argument("--jobs", type=jobs, metavar="N", help="games at once (default: cores)")
    parser.add_argument("--dask", metavar="ADDRESS", help="play on a dask cluster: tcp://...")
    parser.add_argument("--resume", action="store_true", help="finish what is left")
    parser.add_argument("--seed", type=seed, metavar="N", help="in place of the spec's own")
    parser.add_argument(
        "--records", action="store_true", help="keep every game whole, compressed, in DIR/records"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--no-report", action="store_true", help="end without the report")
    return parser


def _run(options: argparse.Namespace) -> int:
    plan = SpecFile.load(options.spec, seed=options.seed)
    plan = evolve(plan, keeps_records=options.records)
    for warning in plan.spec.warnings:
        print(f"daide tournament: {plan.source}: {warning}", file=sys.stderr)
    folder = options.out or Path(FOLDER) / plan.spec.name
    display = NoDisplay() if options.json else shown_on_stderr()
    engine = _engine(options)
    try:
        results = run(plan, folder, engine, display, resume=options.resume)
    except WorkersFailedError as error:
        print(f"daide tournament: {error}", file=sys.stderr)
        return 1
    finally:
        engine.close()
    _tell(folder, results, options)
    for line in complaints(results):
        print(f"daide tournament: {line}", file=sys.stderr)
    return 1 if any(result.outcome == "aborted" or result.faults for result in results) else 0


def _engine(options: argparse.Namespace) -> Engine:
    if options.dask is None:
        return LocalPool(options.jobs)
    if options.jobs is not None:
        raise BadInputError("--jobs: with --dask the cluster decides how many games run at once")
    from tournament.dask_engine import DaskEngine  # noqa: PLC0415 - an extra

    return DaskEngine(options.dask)


def _tell(folder: Path, results: list[GameResult], options: argparse.Namespace) -> None:
    aborted = sum(result.outcome == "aborted" for result in results)
    if options.json:
        faults = sum(len(result.faults) for result in results)
        print(
            json.dumps(
                {
                    "out": str(folder),
                    "games": len(results),
                    "aborted": aborted,
                    "faults": faults,
                    "bots": summary(results),
                }
            )
        )
        return
    if not options.no_report and aborted < len(results):
        _call("report", [str(folder)])
    print(f"{len(results)} games in {folder / FILE_NAME}, {aborted} aborted")

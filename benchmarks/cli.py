"""`daide bench`: how fast the parts are on this machine, beside the peers that are installed here.

The other modules of this folder are commands of their own and measure longer; these figures are
rougher.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from attrs import Factory, asdict, frozen

from benchmarks import adjudication, language, lines
from cli.parsing import command_parser
from rules.errors import BadInputError
from rules.kernel import IS_COMPILED, Simulator
from rules.maps import load_map

EXAMPLE = """examples:
  daide bench                       all parts, about a minute
  daide bench rules --json          one part, as one JSON document
"""
REPEATS, GAMES = 60, 20
"""Of the rules; a plain kernel does with fewer."""
PLAIN_REPEATS, PLAIN_GAMES = 5, 2
SECONDS = 0.3
"""For each figure of the language."""
GAMES_OF_LINES = 8


@frozen
class Figure:
    """One thing that was measured, and how many times as fast we are as each peer."""

    part: str
    name: str
    value: float
    unit: str
    times: dict[str, float] = Factory(dict)


def main(arguments: list[str] | None = None) -> int:
    """Measure, and print the figures."""
    parser = command_parser("bench", "Say how fast the parts are here.", EXAMPLE)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args(arguments)
    if unknown := [part for part in options.parts if part not in PARTS]:
        raise BadInputError(f"no such part: {unknown[0]!r}; name some of {', '.join(PARTS)}")
    found: list[Figure] = []
    for part in options.parts or PARTS:
        print(f"{part} ...", file=sys.stderr, flush=True)
        for figure in PARTS[part]():
            found.append(figure)
            if not options.json:
                show(figure)
    if options.json:
        told = {
            "kernel": "compiled" if IS_COMPILED else "plain",
            "peers": {name: name in installed_peers() for name in adjudication.PEERS},
            "figures": [asdict(each) for each in found],
        }
        print(json.dumps(told))
    return 0


def show(figure: Figure) -> None:
    """Print a line."""
    ratios = "".join(f"  {times:,.1f} x {peer}" for peer, times in figure.times.items())
    print(
        f"{figure.part:<9} {figure.name:<24} {figure.value:>12,.2f} {figure.unit}{ratios}",
        flush=True,
    )


def installed_peers() -> list[str]:
    """Return the peers that can be measured in the same run."""
    return [name for name in adjudication.PEERS if find_spec(name) is not None]


def rules_figures() -> Iterator[Figure]:
    """Measure adjudication on the kernel and on values, beside the peers."""
    board = load_map()
    repeats, games = (REPEATS, GAMES) if IS_COMPILED else (PLAIN_REPEATS, PLAIN_GAMES)
    ours = adjudication.measure(board, Simulator, repeats, games)
    ours["values"] = adjudication.measure_values(board, lambda done: done.position)
    theirs = {name: measured_peer(name) for name in installed_peers()}
    for name, figure in ours.items():
        same = adjudication.AS_PEERS.get(name, name)
        times = {
            peer: round(figures[same] / figure, 1)
            for peer, figures in theirs.items()
            if same in figures
        }
        yield Figure("rules", name, figure, "us", times)


def measured_peer(name: str) -> adjudication.Figures:
    """Let an installed peer measure itself; raises BadInputError if it cannot."""
    program = Path(__file__).with_name(adjudication.PEERS[name])
    done = subprocess.run(
        [sys.executable, "-P", str(program)], check=False, capture_output=True, text=True
    )
    if done.returncode:
        why = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
        raise BadInputError(f"the installed package {name!r} cannot be measured: {why[0]}")
    figures: adjudication.Figures = json.loads(done.stdout)
    return figures


def language_figures() -> Iterator[Figure]:
    """Measure reading messages to values and writing them, beside Lark's own parser."""
    for name, (start, tokens) in language.messages().items():
        found = language.measure(name, start, tokens, SECONDS)
        times = {"lark": round(found.ratio, 1)}
        yield Figure("language", f"{name}, read and written", found.read_and_written, "/s", times)


def line_figures() -> Iterator[Figure]:
    """Measure `daide adjudicate` by phase."""
    board = load_map()
    for phase, found in lines.lines_of_games(board, GAMES_OF_LINES).items():
        yield Figure("lines", phase, lines.rate(board, found, explain=False), "/s")


PARTS: dict[str, Callable[[], Iterator[Figure]]] = {
    "rules": rules_figures,
    "language": language_figures,
    "lines": line_figures,
}

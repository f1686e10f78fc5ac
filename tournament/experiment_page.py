"""The figures of experiments in files, and the tables of a page that are made of them.

`results/ID.json` beside the plans keeps what came of an experiment. A page has places for tables,
each between two marks; what stands there is made from these files and from nothing else.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from cli.whole_files import write_whole
from rules.errors import BadInputError, unreadable
from tournament.published import CURE, Outcome, Row, outcome_from_json, outcome_to_json

RESULTS = "results"
NOT_RUN = "Not run yet."
_HEAD = "| field | player | metric | games | seeds | paper | ours |\n|---|---|---|---|---|---|---|"
_PLACE = re.compile(
    r"(<!-- table (?P<id>\w+): .*?-->\n).*?(<!-- end of table (?P=id) -->)", re.DOTALL
)


def keep(found: Outcome, folder: Path) -> Path:
    """Write the results of an experiment beside its plan; an OSError says why that cannot be."""
    path = folder / RESULTS / f"{found.id}.json"
    path.parent.mkdir(exist_ok=True)
    text = json.dumps(outcome_to_json(found), indent=1, ensure_ascii=False) + "\n"
    write_whole(path, text)
    return path


def kept(folder: Path) -> dict[str, Outcome]:
    """Return all results that are kept beside the plans of a folder, by the experiment's id."""
    found = {}
    for path in sorted((folder / RESULTS).glob("*.json")):
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise unreadable(path, error) from None
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            raise BadInputError(f"{path}: these are no results of an experiment; {CURE}")
        found[path.stem] = outcome_from_json(data, str(path))
    return found


def with_tables(text: str, found: Mapping[str, Outcome]) -> str:
    """Put the tables into their places in a page."""
    return _PLACE.sub(lambda place: f"{place[1]}{table(found.get(place['id']))}\n{place[3]}", text)


def places(text: str) -> list[str]:
    """Return the experiments for which a page has a place."""
    return [place["id"] for place in _PLACE.finditer(text)]


def table(found: Outcome | None) -> str:
    """Return the figures of an experiment as a table."""
    if found is None:
        return NOT_RUN
    return "\n".join([_HEAD, *map(_line, found.rows)])


def _line(row: Row) -> str:
    games = str(row.games) if row.games >= row.planned else f"{row.games} of {row.planned}"
    cells = (
        row.field,
        f"`{row.player}`",
        row.metric.replace("_", " "),
        games,
        f"{row.seeds[0]} to {row.seeds[1]}",
        row.paper if isinstance(row.paper, str) else figure(row.paper, row.metric),
        _ours(row),
    )
    return f"| {' | '.join(cells)} |"


def _ours(row: Row) -> str:
    if row.ours is None:
        return "no game"
    told = figure(row.ours, row.metric)
    if row.interval is None:
        return told
    low, high = (figure(each, row.metric) for each in row.interval)
    return f"{told} [{low}, {high}]"


def figure(value: float, metric: str) -> str:
    """Write a figure with as many digits as its metric deserves, and a sign if it is a gap."""
    if metric in {"won", "solo", "soloed", "survived"}:
        return f"{100 * value:.0f} %"
    sign = "+" if metric.startswith("difference") or "less" in metric else ""
    digits = 3 if metric.startswith("sum_of_squares") else 2
    return f"{value:{sign}.{digits}f}"

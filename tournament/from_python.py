"""A tournament from a dict, a file or the name of a shipped one, played by one call.

Raises BadInputError for a spec or folder that cannot be used.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from attrs import define, evolve

from cli.parsing import MOST_JOBS
from matches.call_checks import check_hook
from matches.finished_game import FinishedGame
from matches.whole_record import packed_record, unpacked_record, whole_record
from rules.errors import BadInputError
from server.record_file import naming
from server.toml_values import whole
from tournament.game_result import GameResult
from tournament.play_job import result_of_play
from tournament.pool import LocalPool
from tournament.results_file import read_results, record_path
from tournament.runner import SpecFile, run
from tournament.schedule import jobs_of
from tournament.spec import check_bots, read_spec
from tournament.table_columns import TABLES
from tournament.table_files import Row
from tournament.tidy_tables import rows_of

OnGame = Callable[[GameResult], None]
SOURCE = "spec"
"""What complaints call a tournament that came as a dict."""


@define(frozen=True, slots=False)
class Games:
    """Games that were played: their results, and with their records everything about them."""

    results: Sequence[GameResult]

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[GameResult]:
        return iter(self.results)

    def __repr__(self) -> str:
        return f"<{len(self.results)} games>"

    @cached_property
    def tables(self) -> dict[str, list[Row]]:
        """Every table of `docs/tables.md` as a list of rows, for pandas, polars or yourself."""
        found: dict[str, list[Row]] = {name: [] for name in TABLES}
        for result in self.results:
            record = record_of(result) if result.record else None
            with naming(f"game {result.number}"):
                rows = list(rows_of(result, record))
            for name, row in rows:
                found[name].append(row)
        return found


def tournament(
    spec: Mapping[str, Any] | str | Path,
    *,
    out: str | Path | None = None,
    jobs: int | None = None,
    resume: bool = False,
    on_game: OnGame = lambda _: None,
) -> Games:
    """Play a tournament, as many games at once as there are cores, and return its games whole.

    `spec` is a dict with the keys of `docs/running-a-tournament.md`, a file, or a name such as
    `quick`. With `out`, games and records are kept in that folder, as `daide tournament run
    --records` does. `on_game` is called with every result as it comes.
    """
    check_hook("on_game", on_game)
    plan = _plan(spec)
    with LocalPool(_jobs(jobs)) as pool:
        if out is not None:
            run(plan, Path(out), pool, _Told(on_game), resume=resume)
            return read_games(out)
        check_bots(plan.spec, plan.source)
        results: list[GameResult] = []

        def keep(result: GameResult) -> None:
            results.append(result)
            on_game(result)

        pool.play([evolve(job, keeps_record=True) for job in jobs_of(plan.spec)], keep)
    return Games(sorted(results, key=lambda result: result.number))


def _jobs(asked: int | None) -> int | None:
    if asked is None:
        return None
    try:
        return int(whole(1, MOST_JOBS)(asked))
    except BadInputError as error:
        raise BadInputError(f"jobs: {error}") from None


def read_games(folder: str | Path) -> Games:
    """Read the games of a tournament, with their records where they were kept."""
    return Games([evolve(each, record=_kept(folder, each)) for each in read_results(Path(folder))])


def games_of(played: Sequence[FinishedGame]) -> Games:
    """Return games that were played one by one, numbered in their order."""
    for game in played:
        if not isinstance(game, FinishedGame):
            raise BadInputError(f"{_short(game)} is no game that `play` gave")
    return Games(
        [
            evolve(result_of_play(game, number), record=packed_record(game))
            for number, game in enumerate(played)
        ]
    )


def record_of(game: FinishedGame | GameResult | Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of a game, however it was come by."""
    if isinstance(game, FinishedGame):
        return whole_record(game)
    if isinstance(game, GameResult):
        if not game.record:
            raise BadInputError(f"game {game.number} was not kept whole; play it with records")
        return unpacked_record(game.record, f"game {game.number}")
    if not isinstance(game, Mapping):
        raise BadInputError(f"{_short(game)} is neither a game nor the record of one")
    return dict(game)


def _short(value: object) -> str:
    return repr(value)[:80]


def _kept(folder: str | Path, result: GameResult) -> bytes:
    try:
        return record_path(Path(folder), result.number).read_bytes()
    except FileNotFoundError:
        return b""


def _plan(spec: Mapping[str, Any] | str | Path) -> SpecFile:
    if not isinstance(spec, Mapping | str | Path):
        raise BadInputError(f"{SOURCE}: {_short(spec)} is neither a dict, a file nor a name")
    if not isinstance(spec, Mapping):
        return evolve(SpecFile.load(spec), keeps_records=True)
    text = "".join(f"{_toml(str(key))} = {_toml(value)}\n" for key, value in spec.items())
    return SpecFile(read_spec(text, SOURCE), text, SOURCE, keeps_records=True)


def _toml(value: object) -> str:
    """Write a value as TOML on one line; what TOML has no word for stays for the reader to name."""
    match value:
        case Mapping():
            pairs = (f"{_toml(str(key))} = {_toml(each)}" for key, each in value.items())
            return f"{{ {', '.join(pairs)} }}"
        case list() | tuple():
            return f"[{', '.join(map(_toml, value))}]"
        case Path():
            return json.dumps(str(value))
        case bool() | int() | float() | str():
            # JSON's words for these are TOML's too, but for characters beyond the first plane.
            return json.dumps(value, ensure_ascii=False)
    raise BadInputError(f"{SOURCE}: {value!r} is not a value of a spec")


class _Told:
    """Hears of the games of a run, and tells no one but the caller."""

    def __init__(self, on_game: OnGame) -> None:
        self._on_game = on_game

    def start(self, results: Sequence[GameResult], left: int) -> None:
        """Begin."""

    def update(self, result: GameResult) -> None:
        """Take note of a game."""
        self._on_game(result)

    def stop(self) -> None:
        """End."""

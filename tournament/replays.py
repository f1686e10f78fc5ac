"""The games of a tournament, each a click from its replay, if they were kept whole."""

import sys
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from tournament.game_result import GameResult
from tournament.results_file import record_path

FOLDER = "replays"
MOST_LISTED = 2_000
"""So many games a page lists; more would make it slow to open."""
_RESULTS = {"solo": "solo", "draw": "draw", "year-limit": "year limit", "aborted": "aborted"}


def replays_of(directory: Path, games: Sequence[GameResult], home: str) -> dict[int, str]:
    """Write the replays of games that were kept; return their places by the games' numbers."""
    records = {game.number: record_path(directory, game.number) for game in games[:MOST_LISTED]}
    kept = {number: path for number, path in records.items() if path.exists()}
    if not kept:
        return {}
    from spectator.replay_folder import write_replays  # noqa: PLC0415 - few keep their games

    paths = list(kept.values())
    files, complaints = write_replays(
        directory / FOLDER, paths, f"../{home}", lambda number: _progress(number, len(paths))
    )
    for complaint in complaints:
        print(f"daide tournament: no replay: {complaint}", file=sys.stderr)  # noqa: T201 - for people
    return {number: f"{FOLDER}/{files[path]}" for number, path in kept.items() if path in files}


def _progress(number: int, count: int) -> None:
    if sys.stderr.isatty() and (number == count or number % 20 == 0):
        end = "\n" if number == count else ""
        sys.stderr.write(f"\rreplay {number} of {count}{end}")
        sys.stderr.flush()


def games_section(games: Sequence[GameResult], replays: Mapping[int, str]) -> str:
    """Return the list of games as HTML; nothing if there is no replay to lead to."""
    if not replays:
        return ""
    rows = "".join(_row(game, replays.get(game.number)) for game in games[:MOST_LISTED])
    left = len(games) - MOST_LISTED
    more = (
        f" The list ends after {MOST_LISTED:,} games; {left:,} more were played."
        if left > 0
        else ""
    )
    head = "".join(
        f"<th scope=col{' class=number' if is_number else ''}>{name}</th>"
        for name, is_number in (
            ("game", False),
            ("field", False),
            ("result", False),
            ("first", False),
            ("centers", True),
            ("year", True),
            ("press", True),
            ("stabs", True),
        )
    )
    return (
        "<section id=games><h2>Games</h2><div class=table id=table-games>"
        f"<div class=scroll><table><thead><tr>{head}</tr></thead><tbody>\n{rows}</tbody>"
        "</table></div>"
        "<p class=note>A click on a game opens its replay: the board, all orders and reasons, the "
        f"press.{more}</p></div></section>\n"
    )


def _row(game: GameResult, replay: str | None) -> str:
    name = f"game {game.number}"
    shown = f'<a href="{escape(replay)}">{name}</a>' if replay else name
    first, centers = _first(game)
    numbers = (centers, game.year or None, sum(game.press.values()), len(game.stabs))
    cells = "".join(
        f'<td class=number data-sort="{number}">{number}</td>'
        if number is not None
        else "<td class=number></td>"
        for number in numbers
    )
    texts = "".join(
        f"<td>{escape(text)}</td>"
        for text in (game.field_name, _RESULTS.get(game.outcome, game.outcome), first)
    )
    return f"<tr><th scope=row data-sort={game.number}>{shown}</th>{texts}{cells}</tr>\n"


def _first(game: GameResult) -> tuple[str, int | None]:
    """Return who has most centers at the end, and how many."""
    if not game.centers:
        return "", None
    last = game.centers[max(game.centers)]
    most = max(last.values(), default=0)
    powers = [power for power, count in last.items() if count == most]
    names = [f"{power} {game.players.get(power, '')}".strip() for power in powers]
    return ", ".join(names), most

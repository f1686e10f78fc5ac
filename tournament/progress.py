"""How a tournament goes, for those who wait: a live table on a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from attrs import define
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from tournament.game_result import GameResult

PAUSE = 10.0


class Display(Protocol):
    """Shows how a tournament goes."""

    def start(self, played: Sequence[GameResult], left: int) -> None:
        """Begin to show, with the games that were played before."""

    def update(self, result: GameResult) -> None:
        """Show that a game is over."""

    def stop(self) -> None:
        """Stop showing."""


@define
class BotTotals:
    """What is known of one bot so far."""

    games: int = 0
    seats: int = 0
    centers: int = 0
    squares: float = 0.0
    solos: int = 0


class Standings:
    """Counts the games, and how fast they come."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.bots: dict[str, BotTotals] = {}
        self.played = 0
        self.aborted = 0
        self.faults = 0
        self.total = 0
        self._now = now
        self._began = now()
        self._before = 0

    def start(self, played: Sequence[GameResult], left: int) -> None:
        """Take the games that were played before."""
        for result in played:
            self.add(result)
        self._before = self.played
        self.total = self.played + left
        self._began = self._now()

    def add(self, result: GameResult) -> None:
        """Count a game."""
        self.played += 1
        self.aborted += result.outcome == "aborted"
        self.faults += len(result.faults)
        for bot in set(result.players.values()) if result.scores else ():
            totals = self.bots.setdefault(bot, BotTotals())
            mine = [result.scores[power] for power in result.players if _is(result, power, bot)]
            totals.games += 1
            totals.seats += len(mine)
            totals.centers += sum(each["centers"] for each in mine)
            totals.squares += sum(each["sum_of_squares"] for each in mine)
            totals.solos += sum(each["solo"] for each in mine)

    @property
    def per_hour(self) -> float:
        """How many games an hour are played at present."""
        elapsed = self._now() - self._began
        return 3600 * (self.played - self._before) / elapsed if elapsed > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """How long it will still take, None while nobody knows."""
        rate = self.per_hour
        return 3600 * (self.total - self.played) / rate if rate else None

    def headline(self) -> str:
        """Say all in one result."""
        left = self.seconds_left
        pieces = [f"{self.played} of {self.total} games", f"{self.per_hour:,.0f} an hour"]
        pieces += [f"{duration(left)} left"] if left is not None else []
        pieces += [f"{self.aborted} aborted"] if self.aborted else []
        pieces += [f"{self.faults} faults"] if self.faults else []
        return ", ".join(pieces)


def _is(result: GameResult, power: str, bot: str) -> bool:
    return bool(result.players[power] == bot)


def duration(seconds: float) -> str:
    """Write a time as 1:02:03 or 2:03."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class LiveProgress:
    """A bar and a table that are drawn anew with every game."""

    def __init__(self) -> None:
        self._standings = Standings()
        self._live = Live(console=Console(stderr=True), refresh_per_second=4)

    def start(self, played: Sequence[GameResult], left: int) -> None:
        """Take over the terminal's last lines."""
        self._standings.start(played, left)
        self._live.start()

    def update(self, result: GameResult) -> None:
        """Draw anew."""
        self._standings.add(result)
        self._live.update(self._draw())

    def stop(self) -> None:
        """Leave the last state on the screen."""
        self._live.update(self._draw())
        self._live.stop()

    def _draw(self) -> RenderableType:
        standings = self._standings
        bar = ProgressBar(total=max(1, standings.total), completed=standings.played, width=60)
        # The bar stands last, for it does not end its result.
        return Group(standings_table(standings), Text(standings.headline()), bar)


class PlainLines:
    """A result every few seconds, and one at the end."""

    def __init__(self) -> None:
        self._standings = Standings()
        self._told = time.monotonic()

    def start(self, played: Sequence[GameResult], left: int) -> None:
        """Say how much there is to do."""
        self._standings.start(played, left)
        self._tell(f"{left} games to play, {len(played)} are there")

    def update(self, result: GameResult) -> None:
        """Say how it goes, now and then."""
        self._standings.add(result)
        if result.outcome == "aborted":
            self._tell(f"game {result.number} was aborted: {result.error}")
        is_last = self._standings.played == self._standings.total
        if is_last or time.monotonic() - self._told > PAUSE:
            self._told = time.monotonic()
            self._tell(self._standings.headline())

    def stop(self) -> None:
        """Say nothing more."""

    def _tell(self, text: str) -> None:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()


class NoDisplay:
    """Shows nothing."""

    def start(self, played: Sequence[GameResult], left: int) -> None:
        """Say nothing."""

    def update(self, result: GameResult) -> None:
        """Say nothing."""

    def stop(self) -> None:
        """Say nothing."""


def shown_on_stderr() -> Display:
    """Return a live table for a terminal, and plain lines for everything else."""
    return LiveProgress() if sys.stderr.isatty() else PlainLines()


def standings_table(standings: Standings) -> Table:
    """Return the running table, the best bot first."""
    table = Table("bot", "games", "centers", "sum of squares", "solos", box=None)
    ranked = sorted(
        standings.bots.items(), key=lambda each: -each[1].squares / max(1, each[1].seats)
    )
    for bot, totals in ranked:
        seats = max(1, totals.seats)
        table.add_row(
            Text(bot),
            str(totals.games),
            f"{totals.centers / seats:.2f}",
            f"{totals.squares / seats:.3f}",
            str(totals.solos),
        )
    return table


def summary(lines: Sequence[GameResult]) -> dict[str, dict[str, float]]:
    """Return the running table as numbers, by the name of the bot."""
    standings = Standings()
    standings.start(lines, 0)
    return {
        bot: {
            "games": totals.games,
            "seats": totals.seats,
            "centers": totals.centers / totals.seats,
            "sum_of_squares": totals.squares / totals.seats,
            "solos": totals.solos,
        }
        for bot, totals in sorted(standings.bots.items())
    }

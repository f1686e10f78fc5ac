"""What `daide play` shows: a live table on a terminal, plain lines elsewhere, JSON for machines."""

from collections.abc import Mapping
from typing import Any, Protocol

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from grammar.shown import shown
from rules.phrases import listed, power_name, turn_name
from rules.places import Power
from spectator.observed_game import ObservedGame, stab_sentence

BAR = "█"
STABS = 3


class Display(Protocol):
    """Shows how a game goes."""

    def start(self) -> None:
        """Begin to show."""

    def update(self, watch: ObservedGame) -> None:
        """Show a change."""

    def stop(self) -> None:
        """Stop showing."""


class LiveTable:
    """A table that is drawn anew with every turn."""

    def __init__(self, players: Mapping[Power, str]) -> None:
        self._players = players
        self._live = Live(console=Console(stderr=True), refresh_per_second=8, transient=False)

    def start(self) -> None:
        """Take over the terminal's last lines."""
        self._live.start()

    def update(self, watch: ObservedGame) -> None:
        """Draw the table."""
        self._live.update(self._draw(watch))

    def stop(self) -> None:
        """Leave the last state on the screen."""
        self._live.stop()

    def _draw(self, watch: ObservedGame) -> RenderableType:
        title = turn_name(watch.turn).capitalize() if watch.turn else "Waiting for players"
        table = Table(title=title, title_justify="left", expand=False)
        numbers = ("centers", "units", "kept", "stabs")
        for heading in ("power", "bot", "centers", "", *numbers[1:]):
            table.add_column(heading, justify="right" if heading in numbers else "left")
        for power, bot in self._players.items():
            centers = watch.centers[power]
            style = "" if centers or watch.units[power] else "dim"
            bar = Text(BAR * centers, style="cyan")
            word = watch.book.tally(power)
            stabs = sum(stab.by == power for stab in watch.book.stabs)
            kept = f"{word.kept} of {word.settled}" if word.settled else ""
            counts = watch.units[power], kept, stabs
            table.add_row(
                power_name(power), shown(bot), str(centers), bar, *map(str, counts), style=style
            )
        stabs_seen = [stab_sentence(stab) for stab in watch.book.stabs[-STABS:]]
        return Group(
            table,
            *(Text.from_markup(f"  [dim]{escape(line)}[/]") for line in watch.news),
            *(Text.from_markup(f"  [red]{escape(line)}[/]") for line in stabs_seen),
        )


class PlainLines:
    """A line for every year and every stab, for pipes and logs."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False, soft_wrap=True)
        self._year: int | None = None
        self._stabs = 0

    def start(self) -> None:
        """Nothing is to be prepared."""

    def update(self, watch: ObservedGame) -> None:
        """Print the stabs, and the centers when a new year has begun."""
        for stab in watch.book.stabs[self._stabs :]:
            self._console.print(f"{stab_sentence(stab)}", markup=False)
        self._stabs = len(watch.book.stabs)
        if watch.turn is None or watch.turn.year == self._year:
            return
        self._year = watch.turn.year
        counts = " ".join(f"{power} {count}" for power, count in sorted_counts(watch))
        self._console.print(f"{watch.turn}: {counts}", markup=False)

    def stop(self) -> None:
        """Nothing is to be put away."""


class NoDisplay:
    """Nothing at all, for those who read the JSON."""

    def start(self) -> None:
        """Show nothing."""

    def update(self, watch: ObservedGame) -> None:
        """Show nothing."""

    def stop(self) -> None:
        """Show nothing."""


def sorted_counts(watch: ObservedGame) -> list[tuple[str, int]]:
    """Return the centers of each power by name."""
    return sorted((power.name, count) for power, count in watch.centers.items())


def result_sentence(result: Mapping[str, Any], players: Mapping[Power, str]) -> str:
    """Say how the game ended."""
    names = {power.name: f"{power_name(power)} ({bot})" for power, bot in players.items()}
    winners = [names[name] for name in result["winners"]]
    match result["outcome"]:
        case "solo":
            return f"{winners[0]} wins in {result['year']}."
        case "year-limit":
            leader = max(result["players"], key=lambda player: player["centers"])
            most = f"{names[leader['power']]} leads with {leader['centers']} centers"
            return f"The year limit ends the game in {result['year']}: {most}."
        case "draw":
            return f"The game is drawn in {result['year']} by {listed(winners)}."
        case _:
            return "The game was aborted."

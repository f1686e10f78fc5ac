"""What `daide play` shows: a live table on a terminal, plain lines elsewhere, JSON for machines."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from shutil import get_terminal_size
from textwrap import fill
from typing import Any, Protocol

from rich.console import Console
from rich.live import Live

from grammar.shown import shown
from rules.phrases import counted, listed, power_name
from rules.places import Power
from rules.turns import Turn
from spectator.live_table import view_of
from spectator.observed_game import ObservedGame, stab_sentence


class Display(Protocol):
    """Shows how a game goes."""

    def start(self) -> None:
        """Begin to show."""

    def update(self, watch: ObservedGame) -> None:
        """Show a change."""

    def stop(self) -> None:
        """Stop showing, if that has not happened yet."""


class LiveTable:
    """A table that is drawn anew with every turn."""

    def __init__(self, players: Mapping[Power, str], console: Console | None = None) -> None:
        self._players = players
        self._live = Live(
            console=console or Console(stderr=True), refresh_per_second=8, transient=False
        )

    def start(self) -> None:
        """Take over the terminal's last lines."""
        self._live.start()

    def update(self, watch: ObservedGame) -> None:
        """Draw the table."""
        self._live.update(view_of(watch, self._players))

    def stop(self) -> None:
        """Leave the last state on the screen."""
        self._live.stop()


class PlainLines:
    """A line for every year that was played and every stab, on standard output."""

    def __init__(self, powers: Iterable[Power]) -> None:
        self._powers = powers
        self._began: Turn | None = None
        """The turn with which the year began that is being played."""
        self._watch: ObservedGame | None = None
        self._stabs = 0

    def start(self) -> None:
        """Nothing is to be prepared."""

    def update(self, watch: ObservedGame) -> None:
        """Print the stabs, and the centers when a year is over."""
        self._watch = watch
        for stab in watch.book.stabs[self._stabs :]:
            _print_line(stab_sentence(stab))
        self._stabs = len(watch.book.stabs)
        if watch.turn is None or (self._began and watch.turn.year == self._began.year):
            return
        self._print_year(watch)
        self._began = watch.turn

    def stop(self) -> None:
        """Print the centers of a year that the game has ended in."""
        if self._watch and self._watch.turn != self._began:
            self._print_year(self._watch)
            self._began = self._watch.turn

    def _print_year(self, watch: ObservedGame) -> None:
        year = self._began.year if self._began else "Start"
        counts = ", ".join(f"{power_name(each)} {watch.centers[each]}" for each in self._powers)
        _print_line(f"{year}: {counts}")


class NoDisplay:
    """Nothing at all, for those who read the JSON."""

    def start(self) -> None:
        """Show nothing."""

    def update(self, watch: ObservedGame) -> None:
        """Show nothing."""

    def stop(self) -> None:
        """Show nothing."""


class Unheeding:
    """Shows a game that is to go on when its reader has left."""

    def __init__(self, display: Display) -> None:
        self._display = display

    def start(self) -> None:
        """Begin to show."""
        self._display.start()

    def update(self, watch: ObservedGame) -> None:
        """Show a change to whoever is there."""
        with for_whoever_reads():
            self._display.update(watch)

    def stop(self) -> None:
        """Stop showing."""
        with for_whoever_reads():
            self._display.stop()


@contextmanager
def for_whoever_reads() -> Iterator[None]:
    """Go on when the reader of our output has left, as `head` does; the rest goes nowhere."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def display_for(players: Mapping[Power, str], *, as_json: bool) -> Display:
    """Return what suits the reader: a table where nothing else is written between its lines."""
    if as_json:
        return NoDisplay()
    on_terminal = sys.stdout.isatty() and sys.stderr.isatty()
    return LiveTable(players) if on_terminal else PlainLines(players)


def _print_line(line: str) -> None:
    """Print at once: who reads a pipe wants to see a game go on, too."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def standing_lines(result: Mapping[str, Any], players: Mapping[Power, str]) -> Iterator[str]:
    """Say what became of each power: its player, its centers, and whether it kept its word."""
    names = {power.name: power_name(power) for power in players}
    bots = {power.name: shown(bot) for power, bot in players.items()}
    width, bot_width = max(map(len, names.values())), max(map(len, bots.values()))
    for each in result["players"]:
        name, kept = each["power"], each["promises_kept"]
        promises = kept + each["promises_broken"]
        who = f"{names[name]:{width}}  {bots[name]:{bot_width}}"
        word = f"kept {kept} of {counted(promises, 'promise')}, {counted(each['stabs'], 'stab')}"
        yield f"{who}  {counted(each['centers'], 'center'):>10}  {word}"


def fitted(sentence: str) -> str:
    """Break a sentence between words where a narrow terminal would break one of them."""
    if not sys.stdout.isatty():
        return sentence
    return fill(sentence, get_terminal_size().columns, break_long_words=False)


def result_sentence(result: Mapping[str, Any], players: Mapping[Power, str]) -> str:
    """Say how the game ended."""
    names = {power.name: f"{power_name(power)} ({bot})" for power, bot in players.items()}
    winners = [names[name] for name in result["winners"]]
    match result["outcome"]:
        case "solo":
            return f"{winners[0]} wins in {result['year']}."
        case "year-limit":
            most = max(player["centers"] for player in result["players"])
            first = [names[each["power"]] for each in result["players"] if each["centers"] == most]
            lead = "leads" if len(first) == 1 else "lead"
            leaders = f"{listed(first)} {lead} with {counted(most, 'center')}"
            return f"The year limit ends the game in {result['year']}: {leaders}."
        case "draw":
            return f"The game is drawn in {result['year']} by {listed(winners)}."
        case _:
            return "The game was aborted."

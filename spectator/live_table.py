"""The table of a game in a terminal: it takes the room there is, and drops what does not fit."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from attrs import frozen
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from grammar.shown import shown
from rules.phrases import power_name, turn_name
from rules.places import Power
from spectator.observed_game import ObservedGame, stab_sentence
from spectator.stills import theme_colours

SCALE = 18
"""So many centers fill a bar; on the standard map they win."""
GAP = 2
SHORTEST_BOT = 8
SHADES = 24
"""So many colours the map has for powers."""


class PowerRow(NamedTuple):
    """What is shown of one power."""

    name: str
    bot: str
    centers: int
    units: int
    kept: str
    stabs: int
    colour: str


class Column(NamedTuple):
    """One column: its heading, what stands in it, and which columns go before this one does."""

    heading: str
    cell: Callable[[PowerRow], str]
    rank: int
    justify: Literal["left", "right"] = "right"


COLUMNS = (
    Column("power", lambda row: row.name, 0, "left"),
    Column("bot", lambda row: row.bot, 2, "left"),
    Column("centers", lambda row: str(row.centers), 0),
    Column("", lambda _: " " * SCALE, 1, "left"),
    Column("units", lambda row: str(row.units), 5),
    Column("kept", lambda row: row.kept, 4),
    Column("stabs", lambda row: str(row.stabs), 3),
)
BOT, BAR = COLUMNS[1], COLUMNS[3]


@frozen
class TableView:
    """A game at one moment; what is drawn does not change while it is drawn."""

    title: str
    rows: Sequence[PowerRow]
    stabs: Sequence[str]
    press: Sequence[str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw the table, and below it as much of the last turn as there is room for."""
        yield self._table(options)
        # One line for the heading, one for the title, and one that the cursor stands in.
        yield from self._news(console, options.max_width, console.height - len(self.rows) - 3)

    def _table(self, options: ConsoleOptions) -> Table:
        widths = self._widths(options.max_width)
        table = Table(
            title=self.title,
            title_justify="left",
            title_style="bold",
            box=None,
            padding=(0, GAP, 0, 0),
            pad_edge=False,
        )
        for column in widths:
            table.add_column(
                column.heading,
                justify=column.justify,
                width=widths[column],
                no_wrap=True,
                overflow="ellipsis",
            )
        for row in self.rows:
            style = "" if row.centers or row.units else "dim"
            cells = (
                _bar(row, is_ascii=options.ascii_only) if each is BAR else Text(each.cell(row))
                for each in widths
            )
            table.add_row(*cells, style=style)
        return table

    def _widths(self, room: int) -> dict[Column, int]:
        """Choose the columns that fit, the most important ones first."""
        chosen: dict[Column, int] = {}
        for column in sorted(COLUMNS, key=lambda each: each.rank):
            width = max(len(text) for text in (column.heading, *map(column.cell, self.rows)))
            # The name of a bot may be as long as its author likes, and is cut first.
            least = min(width, SHORTEST_BOT) if column is BOT else width
            if not column.rank or least <= room:
                chosen[column] = least
                room -= least + GAP
        if BOT in chosen:
            longest = max(len(row.bot) for row in self.rows)
            chosen[BOT] += max(0, min(room + GAP, longest - chosen[BOT]))
        return {column: chosen[column] for column in COLUMNS if column in chosen}

    def _news(self, console: Console, width: int, room: int) -> RenderResult:
        """Show the stabs, and of the press what was said last."""
        lines = [Text(line, style="bold red") for line in self.stabs]
        shown_press: list[Text] = []
        for text in lines:
            height = len(text.wrap(console, width))
            if height > room:
                return
            room -= height
            yield text
        for text in (Text(line, style="dim") for line in reversed(self.press)):
            height = len(text.wrap(console, width))
            if height > room:
                break
            room -= height
            shown_press.append(text)
        yield from reversed(shown_press)


def view_of(watch: ObservedGame, players: Mapping[Power, str]) -> TableView:
    """Return what there is to show of a game now."""
    colours = theme_colours(_theme())
    return TableView(
        title=f"After {turn_name(watch.played)}" if watch.played else "The game begins",
        rows=[
            _row(watch, power, bot, colours[f"power-{number % SHADES}"])
            for number, (power, bot) in enumerate(players.items())
        ],
        stabs=[stab_sentence(each) for each in watch.book.stabs if each.turn == watch.played],
        press=list(watch.news),
    )


def _row(watch: ObservedGame, power: Power, bot: str, colour: str) -> PowerRow:
    word = watch.book.tally(power)
    return PowerRow(
        name=power_name(power),
        bot=shown(bot),
        centers=watch.centers[power],
        units=watch.units[power],
        kept=f"{word.kept} of {word.settled}" if word.settled else "",
        stabs=sum(stab.by == power for stab in watch.book.stabs),
        colour=colour,
    )


def _bar(row: PowerRow, *, is_ascii: bool) -> Text:
    full, empty = ("#", ".") if is_ascii else ("█", "·")
    length = min(row.centers, SCALE)
    rest = empty * (SCALE - length)
    return Text.assemble((full * length, row.colour), (rest, "dim"))


def _theme() -> str:
    """Return the map's theme whose colours stand out here: bright ones, unless the ground is."""
    ground = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return "dark" if ground in ("7", "15") else "light"

"""The tables of a report on a terminal or a pipe."""

from collections.abc import Sequence
from typing import Literal

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tournament.report_tables import ReportTable, Value


def print_tables(tables: Sequence[ReportTable], console: Console) -> None:
    """Write tables to a terminal or a pipe; one too wide for it comes in several parts."""
    for table in tables:
        parts = _parts(table, console.width)
        for index, columns in enumerate(parts):
            note = table.note if index == len(parts) - 1 else ""
            console.print(_rich_table(table, columns, again=index > 0))
            if note:
                console.print(f"[dim]{escape(note)}[/]\n")


def _parts(table: ReportTable, width: int) -> list[list[int]]:
    """Share the columns out so that each part fits; all parts begin with the columns of text."""
    widths = [
        max(map(len, [title, *(str(row[index]) for row in table.rows)])) + 3
        for index, title in enumerate(table.columns)
    ]
    texts = list(range(table.texts))
    room = width - sum(widths[: table.texts])
    parts: list[list[int]] = [[]]
    used = 0
    for index in range(table.texts, len(widths)):
        if parts[-1] and used + widths[index] > room:
            parts.append([])
            used = 0
        parts[-1].append(index)
        used += widths[index]
    return [[*texts, *part] for part in parts]


def _rich_table(table: ReportTable, columns: Sequence[int], *, again: bool) -> Table:
    shown = Table(
        title=None if again else escape(table.title),
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    for index in columns:
        justify: Literal["left", "right"] = "left" if index < table.texts else "right"
        shown.add_column(escape(table.columns[index]), justify=justify, overflow="fold")
    for row in table.rows:
        shown.add_row(*(_terminal(row[index]) for index in columns))
    return shown


def _terminal(cell: Value) -> str:
    shown = f"[bold]{escape(cell.text)}[/]" if cell.strong else escape(cell.text)
    return f"{shown} [dim]{escape(cell.detail)}[/]" if cell.detail else shown

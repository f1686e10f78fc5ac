"""Curves of experiments as pictures that stand alone, drawn from the results that are kept.

A picture has panels side by side; a series of a panel takes one figure of an experiment for each
step. What is drawn is written by the command that writes the tables, so that both say the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from attrs import frozen

from cli.whole_files import write_whole
from tournament.plots import (
    Scale,
    element,
    group,
    label,
    line,
    marker,
    nice_scale,
    path,
    svg,
    y_axis,
)
from tournament.published import Outcome, Row
from tournament.scoring import EQUAL_SHARE
from tournament.standalone_colours import FAINT, GRID, INK, LESS, MORE, PAPER

_WIDTH, _HEIGHT = 330.0, 236.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 48.0, 14.0, 62.0, 44.0
_LEGEND_LINE = 18.0
_STYLE = f"""
text {{ font: 12px system-ui, sans-serif; fill: {INK} }}
.tick, .axis, .note {{ fill: {FAINT}; font-size: 11px }}
.panel {{ font-weight: 600; font-size: 13px }}
.grid {{ stroke: {GRID} }}
.equal {{ stroke: #888888; stroke-dasharray: 4 3 }}
.curve {{ fill: none; stroke-width: 2 }}
.whisker {{ stroke-width: 1.4; opacity: 0.65 }}
.c0 {{ stroke: {MORE}; fill: {MORE} }}
.c1 {{ stroke: {LESS}; fill: {LESS} }}
.curve.c0, .curve.c1 {{ fill: none }}
"""


@frozen
class Series:
    """Figures of one experiment along the steps of a panel: a field for each."""

    name: str
    experiment: str
    fields: tuple[str, ...]


@frozen
class Panel:
    """One plot: what its steps are called, and its series."""

    title: str
    axis: str
    steps: tuple[str, ...]
    series: tuple[Series, ...]


@frozen
class Curves:
    """A picture with the name of its file."""

    name: str
    title: str
    panels: tuple[Panel, ...]


_HONESTY = ("0", "0.25", "0.5", "0.75", "1")


def _by_honesty(name: str, experiment: str, field: str) -> Series:
    return Series(name, experiment, tuple(field.format(step) for step in _HONESTY))


PICTURES = (
    Curves(
        "honesty.svg",
        "score against honesty",
        (
            Panel(
                "three bankers of seven, a seat",
                "honesty: 0 cheats, 1 keeps every promise",
                _HONESTY,
                (
                    _by_honesty("among four that remember (bankers, D4)", "D4", "h{}"),
                    _by_honesty("among four that forget (Diplominators, D8)", "D8", "h{}"),
                ),
            ),
            Panel(
                "one Talleyrand of seven",
                "honesty: 0 cheats, 1 keeps every promise",
                _HONESTY,
                (
                    _by_honesty(
                        "among six that remember (Talleyrands, T3)", "T3", "h{} among honest"
                    ),
                    _by_honesty(
                        "among six that forget (Diplominators, T3)", "T3", "h{} among diplominators"
                    ),
                ),
            ),
        ),
    ),
    Curves(
        "searchbot.svg",
        "SearchBot's score against what it is given",
        (
            Panel(
                "candidates",
                "order sets for each unit",
                ("1", "2", "3.5", "5"),
                (Series("", "S4", ("1 a unit", "learned", "3.5 a unit", "5 a unit")),),
            ),
            Panel(
                "iterations",
                "iterations of a turn",
                ("8", "32", "128", "512"),
                (Series("", "S4", ("8 iterations", "32 iterations", "learned", "512 iterations")),),
            ),
            Panel(
                "rollouts",
                "movement turns played on",
                ("0", "1", "2", "3"),
                (Series("", "S4", ("learned", "1 turn", "2 turns", "3 turns")),),
            ),
        ),
    ),
)
"""The pictures of the documents."""


def write_pictures(folder: Path, found: Mapping[str, Outcome]) -> None:
    """Draw what all results are there for; an OSError says why it cannot be written."""
    for curves in PICTURES:
        if all(series.experiment in found for panel in curves.panels for series in panel.series):
            write_whole(folder / curves.name, drawn(curves, found))


def drawn(curves: Curves, found: Mapping[str, Outcome]) -> str:
    """Return a picture as SVG."""
    height = _HEIGHT + _LEGEND_LINE * max(len(panel.series) for panel in curves.panels)
    width = _WIDTH * len(curves.panels)
    parts = [
        element("style", _STYLE),
        element("rect", x=0, y=0, width=width, height=height, fill=PAPER),
    ]
    for place, panel in enumerate(curves.panels):
        inner = "".join(_panel(panel, found))
        parts.append(group(inner, transform=f"translate({_WIDTH * place:.0f} 0)"))
    return svg(width, height, curves.title, *parts) + "\n"


def _panel(panel: Panel, found: Mapping[str, Outcome]) -> Iterator[str]:
    all_rows = [_rows(series, found) for series in panel.series]
    bounds = [bound for rows in all_rows for row in rows for bound in (row.interval or ())]
    y = nice_scale([*bounds, EQUAL_SHARE], _HEIGHT - _BOTTOM, _TOP, zero=True)
    x = Scale(0, len(panel.steps) - 1, _LEFT + 22, _WIDTH - _RIGHT - 22)
    yield label(_LEFT, 22, panel.title, "panel")
    yield y_axis(y, _LEFT, _WIDTH - _RIGHT, "share of the squares")
    yield line(_LEFT, y(EQUAL_SHARE), _WIDTH - _RIGHT, y(EQUAL_SHARE), "equal")
    for place, step in enumerate(panel.steps):
        yield label(x(place), _HEIGHT - _BOTTOM + 16, step, "tick", text_anchor="middle")
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    yield label(middle, _HEIGHT - _BOTTOM + 34, panel.axis, "axis", text_anchor="middle")
    for index, (series, rows) in enumerate(zip(panel.series, all_rows, strict=True)):
        # Two series beside each other: whiskers of one must not hide those of the other.
        shift = 5.0 * (index - (len(all_rows) - 1) / 2)
        yield from _curve(index, rows, x, y, shift)
        if series.name:
            below = _HEIGHT + _LEGEND_LINE * index + 8
            yield marker(index, _LEFT + 4, below - 4, 4)
            yield label(_LEFT + 16, below, series.name)


def _curve(index: int, rows: Sequence[Row], x: Scale, y: Scale, shift: float) -> Iterator[str]:
    points = [(x(place) + shift, row) for place, row in enumerate(rows)]
    known = [(at, y(row.ours)) for at, row in points if row.ours is not None]
    yield element("path", d=path(known), class_=f"curve c{index}")
    for at, row in points:
        if row.ours is None or row.interval is None:
            continue
        low, high = row.interval
        told = f"{row.field}: {row.ours:.3f} [{low:.3f}, {high:.3f}], {row.games} games"
        yield group(
            line(at, y(low), at, y(high), f"whisker c{index}"),
            marker(index, at, y(row.ours), 4),
            tip=told,
        )


def _rows(series: Series, found: Mapping[str, Outcome]) -> list[Row]:
    by_field = {row.field: row for row in found[series.experiment].rows}
    return [by_field[field] for field in series.fields]

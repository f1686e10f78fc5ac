"""Charts that several figures use: forest plots and heat maps."""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from string import ascii_uppercase

from attrs import frozen

from tournament.plots import (
    COLOURS,
    WIDTH,
    Scale,
    element,
    group,
    label,
    line,
    marker,
    nice_scale,
    shortened,
    svg,
    x_axis,
)
from tournament.report_tables import estimated, figure
from tournament.resampling import Estimate

LABELS = 178
CELL = (52, 40)
_VALUES = 138


@frozen
class Form:
    """How numbers are written."""

    digits: int
    percent: bool = False


@frozen
class ForestRow:
    """One row of a forest plot."""

    name: str
    estimate: Estimate
    colour: int
    expected: float | None = None
    group: str = ""


def forest(
    rows: Sequence[ForestRow],
    title: str,
    form: Form,
    *,
    zero: bool = False,
    line_at: tuple[float, str] | None = None,
) -> str:
    """Return rows of values with their intervals, and what is expected of each."""
    groups = len({row.group for row in rows if row.group})
    top = 30.0 if line_at else 12.0
    height = min(46.0, max(30.0, 230.0 / len(rows)))
    bottom = top + height * len(rows) + 26 * groups
    values = [
        value
        for row in rows
        for value in (row.estimate.value, row.estimate.low, row.estimate.high, row.expected)
        if value is not None
    ]
    if line_at:
        values.append(line_at[0])
    x = nice_scale(values, LABELS, WIDTH - _VALUES - 14.0, zero=zero)
    parts = [x_axis(x, top, bottom, title, percent=form.percent)]
    if line_at:
        at = x(line_at[0])
        parts.append(line(at, top - 4, at, bottom, "reference"))
        parts.append(label(at, top - 10, line_at[1], "tick", text_anchor="middle"))
    y = top
    seen = ""
    for row in rows:
        if row.group and row.group != seen:
            seen = row.group
            parts.append(label(8, y + 19, shortened(seen, 60), "group"))
            y += 26
        parts.append(_forest_row(row, x, y + height / 2, form))
        y += height
    return svg(WIDTH, bottom + 44, title, *parts)


def _forest_row(row: ForestRow, x: Scale, y: float, form: Form) -> str:
    each = row.estimate
    shown = estimated(each, form.digits, percent=form.percent)
    parts = [label(LABELS - 14, y + 4, shortened(row.name, 21), "name", text_anchor="end")]
    if each.low is not None and each.high is not None:
        low, high = x(each.low), x(each.high)
        parts.append(line(low, y, high, y, f"whisker c{row.colour % COLOURS}"))
        parts += [
            line(end, y - 4, end, y + 4, f"whisker c{row.colour % COLOURS}") for end in (low, high)
        ]
    if row.expected is not None:
        at = x(row.expected)
        parts.append(line(at, y - 10, at, y + 10, "expected"))
    parts.append(marker(row.colour, x(each.value), y))
    parts.append(
        element(
            "text",
            element("tspan", escape(shown.text), class_="value"),
            element("tspan", escape(shown.detail), class_="small", dx=5),
            x=WIDTH - _VALUES,
            y=y + 4,
        )
    )
    tip = f"{row.name}: {shown}"
    if row.expected is not None:
        tip += f", expected {figure(row.expected, form.digits, percent=form.percent)}"
    return group(*parts, tip=tip)


def letters(names: Sequence[str]) -> dict[str, str]:
    """Return a letter, or two, for each name, to head narrow columns with."""
    many = len(ascii_uppercase)
    return {
        name: ascii_uppercase[index % many] * (1 + index // many)
        for index, name in enumerate(names)
    }


@frozen
class HeatCell:
    """One square: its colour from -1 to 1, what stands in it, and its tooltip."""

    shade: float
    text: str
    tip: str
    strong: bool = False


def heat_map(
    title: str,
    rows: Sequence[str],
    columns: Sequence[tuple[str, str]],
    cell: Callable[[str, str], HeatCell | None],
    *,
    marks: Mapping[str, str] | None = None,
) -> str:
    """Return a cross table as coloured squares; columns are (key, heading) pairs."""
    width, height = CELL
    left, top = LABELS + 12.0, 30.0
    parts = []
    for index, (key, heading) in enumerate(columns):
        middle = left + width * (index + 0.5)
        parts.append(group(label(middle, top - 9, heading, "name", text_anchor="middle"), tip=key))
    for place, row in enumerate(rows):
        y = top + height * place
        mark = f"{marks[row]}" if marks else ""
        parts.append(
            group(
                label(
                    left - 28 if mark else left - 10,
                    y + height / 2 + 4,
                    shortened(row, 19),
                    "name",
                    text_anchor="end",
                ),
                label(left - 14, y + height / 2 + 4, mark, "name strong", text_anchor="middle"),
                tip=row,
            )
        )
        for index, (key, _) in enumerate(columns):
            parts.append(_square(cell(row, key), left + width * index, y))
    return svg(
        max(WIDTH, left + width * len(columns) + 8), top + height * len(rows) + 10, title, *parts
    )


def _square(cell: HeatCell | None, x: float, y: float) -> str:
    width, height = CELL
    if cell is None:
        return element(
            "rect", x=x + 1, y=y + 1, width=width - 2, height=height - 2, rx=3, class_="nothing"
        )
    share = min(1.0, abs(cell.shade))
    side = "more" if cell.shade >= 0 else "less"
    ink = "on" if share > 0.8 else "between" if share > 0.58 else "off"
    return group(
        element(
            "rect",
            x=x + 1,
            y=y + 1,
            width=width - 2,
            height=height - 2,
            rx=3,
            class_=f"heat {side}",
            fill_opacity=0.06 + 0.9 * share,
        ),
        label(
            x + width / 2,
            y + height / 2 + 4.5,
            cell.text,
            f"cell {ink}{' strong' if cell.strong else ''}",
            text_anchor="middle",
        ),
        tip=cell.tip,
    )

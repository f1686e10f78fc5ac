"""A scatter plot as SVG, with its own colours: for notebooks, where no page lends it any."""

from collections.abc import Mapping, Sequence

from spectator.picture import Picture
from tournament.plots import WIDTH, element, group, label, marker, nice_scale, svg, x_axis, y_axis
from tournament.standalone_colours import FAINT, GRID, PAPER, SERIES

LEFT, RIGHT, TOP, BOTTOM = 54.0, 150.0, 30.0, 300.0
STYLE = f"""
text {{ font: 12px "DejaVu Sans", Verdana, sans-serif; fill: {FAINT} }} .axis {{ font-weight: 600 }}
.grid {{ stroke: {GRID} }} rect.paper {{ fill: {PAPER} }} .dot {{ opacity: 0.75 }}
{" ".join(f".c{number} {{ fill: {colour} }}" for number, colour in enumerate(SERIES))}
"""


def scatter(
    points: Mapping[str, Sequence[tuple[float, float]]], *, x: str, y: str, title: str = ""
) -> Picture:
    """Plot points of several series, each with a shape of its own; `x` and `y` name the axes."""
    values = [point for series in points.values() for point in series]
    across = nice_scale([first for first, _ in values], LEFT, WIDTH - RIGHT)
    up = nice_scale([second for _, second in values], BOTTOM, TOP)
    parts = [
        element("style", STYLE),
        element("rect", class_="paper", width="100%", height="100%"),
        x_axis(across, TOP, BOTTOM, x),
        y_axis(up, LEFT, WIDTH - RIGHT, y),
    ]
    for number, (name, series) in enumerate(points.items()):
        place = TOP + 10 + 20 * number
        parts.append(marker(number, WIDTH - RIGHT + 18, place))
        parts.append(label(WIDTH - RIGHT + 30, place + 4, name))
        parts += [
            group(marker(number, across(here), up(there), 4.0), tip=f"{name}: {here:g}, {there:g}")
            for here, there in series
        ]
    return Picture(svg(WIDTH, BOTTOM + 44, title or f"{y} against {x}", *parts))

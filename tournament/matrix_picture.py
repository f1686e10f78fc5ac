"""The one-against-six matrix as a picture that stands alone: light, with its own colours."""

from collections.abc import Mapping, Sequence
from math import sqrt

from tournament.plots import element, group, label, shortened, svg
from tournament.scoring import EQUAL_SHARE
from tournament.standalone_colours import FAINT, INK, LESS, MORE, PAPER

_CELL = 74, 34
_LEFT, _TOP, _RIGHT = 168.0, 118.0, 84.0
"""Right of the last column stands the end of its heading, which leans that way."""
_FONT = "system-ui, sans-serif"
_NOTHING = "#f1f1ee"

Scores = Mapping[tuple[str, str], tuple[float, str]]
"""By who is alone and who is six: a score, and what is said about it."""


def picture(bots: Sequence[str], scores: Scores) -> str:
    """Return an SVG with a row for who is alone and a column for who is six."""
    rows = [bot for bot in bots if any(one == bot for one, _ in scores)]
    columns = [bot for bot in bots if any(six == bot for _, six in scores)]
    width = _LEFT + _CELL[0] * len(columns) + _RIGHT
    height = _TOP + _CELL[1] * len(rows) + 34
    parts = [element("rect", x=0, y=0, width=width, height=height, fill=PAPER)]
    parts += [_heading(six, place) for place, six in enumerate(columns)]
    for place, one in enumerate(rows):
        parts.append(_row_name(one, place))
        for at, six in enumerate(columns):
            parts.append(_square(scores.get((one, six)), at, place, f"one {one}, six {six}"))
    note = "share of the squares of the centers of the one (row) among six (column); equal: 0.143"
    parts.append(label(12, height - 12, note, font_size=11, fill=FAINT))
    body = element("g", *parts, font_family=_FONT)
    return svg(width, height, "one against six", body) + "\n"


def _heading(six: str, place: int) -> str:
    x, y = _LEFT + _CELL[0] * (place + 0.5), _TOP - 10
    turn = f"rotate(-38 {x:.0f} {y:.0f})"
    return label(x, y, shortened(f"6 {six}", 22), font_size=12, fill=INK, transform=turn)


def _row_name(one: str, place: int) -> str:
    y = _TOP + _CELL[1] * (place + 0.5) + 4
    name = shortened(one, 22)
    return label(_LEFT - 10, y, name, font_size=12, fill=INK, text_anchor="end")


def _square(found: tuple[float, str] | None, at: int, place: int, who: str) -> str:
    x, y = _LEFT + _CELL[0] * at + 1, _TOP + _CELL[1] * place + 1
    size = {"width": _CELL[0] - 2, "height": _CELL[1] - 2, "rx": 3}
    if found is None:
        return element("rect", x=x, y=y, fill=_NOTHING, **size)
    score, what = found
    share = _strength(score)
    colour = MORE if score >= EQUAL_SHARE else LESS
    return group(
        element("rect", x=x, y=y, fill=colour, fill_opacity=0.08 + 0.87 * share, **size),
        label(
            x + _CELL[0] / 2 - 1,
            y + _CELL[1] / 2 + 3.5,
            f"{score:.2f}",
            font_size=13,
            fill=PAPER if share > 0.8 else INK,
            text_anchor="middle",
        ),
        tip=f"{who}: {what}",
    )


def _strength(score: float) -> float:
    """Return how far a score is from what all alike would have, from 0 to 1."""
    if score >= EQUAL_SHARE:
        return sqrt(min(1.0, (score - EQUAL_SHARE) / (1 - EQUAL_SHARE)))
    return (EQUAL_SHARE - score) / EQUAL_SHARE

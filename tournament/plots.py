"""Small plots as inline SVG: elements, scales and axes; colours come from the page's style.

Everything that is text passes through `escape` here, so callers may hand over any name.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from math import ceil, floor, log10

from attrs import frozen

WIDTH = 560
COLOURS = 7
"""The page knows so many colours for series; more series begin again with another dash."""
_DASHES = ("", "6 3", "2 3", "8 3 2 3")


def element(name: str, *children: str, **attributes: object) -> str:
    """Return an element; `class_` is class, `stroke_width` is stroke-width, None is left out."""
    shown = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_attribute(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{shown}>{''.join(children)}</{name}>" if children else f"<{name}{shown}/>"


def _attribute(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return escape(str(value))


def label(x: float, y: float, text: str, class_: str = "", **attributes: object) -> str:
    """Return a line of text."""
    return element("text", escape(text), x=x, y=y, class_=class_ or None, **attributes)


def tooltip(text: str) -> str:
    """Return what a browser shows when the mouse rests on the parent."""
    return element("title", escape(text))


def group(*children: str, tip: str = "", **attributes: object) -> str:
    """Return children together, with a tooltip if one is given."""
    first = [tooltip(tip)] if tip else []
    return element("g", *first, *children, **attributes)


def line(x1: float, y1: float, x2: float, y2: float, class_: str, **attributes: object) -> str:
    """Return a straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_, **attributes)


def svg(width: float, height: float, title: str, *children: str) -> str:
    """Return a whole plot; the title is for those who cannot see it."""
    return element(
        "svg",
        *children,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=round(width),
        height=round(height),
        role="img",
        aria_label=title,
        class_="plot",
        xmlns="http://www.w3.org/2000/svg",
    )


@frozen
class Scale:
    """Numbers to pixels."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the pixel of a value."""
        span = self.high - self.low or 1.0
        return self.start + (value - self.low) / span * (self.end - self.start)

    def ticks(self, wanted: int = 5) -> list[float]:
        """Return round values that lie on the scale."""
        step = nice_step(self.high - self.low, wanted)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [index * step for index in range(first, last + 1)]


def nice_step(span: float, wanted: int) -> float:
    """Return a step of 1, 2 or 5 times a power of ten that gives about so many ticks."""
    rough = max(span, 1e-12) / max(wanted, 1)
    unit = 10.0 ** floor(log10(rough))
    return unit * next(each for each in (1, 2, 5, 10) if each * unit >= rough * 0.999)


def nice_scale(values: Iterable[float], start: float, end: float, *, zero: bool = False) -> Scale:
    """Return a scale with round ends that holds all values."""
    known = list(values) or [0.0, 1.0]
    low, high = min(known), max(known)
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
        low = max(low, 0.0) if zero else low
    step = nice_step(high - low, 5)
    return Scale(floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step, start, end)


def tick_text(value: float, step: float, *, percent: bool = False) -> str:
    """Return a tick's text with as many digits as the step needs."""
    if percent:
        value, step = 100 * value, 100 * step
    digits = max(0, -floor(log10(step) + 1e-9)) if step else 0
    shown = f"{value:.{digits}f}"
    if float(shown) == 0:
        shown = shown.removeprefix("-")
    return shown.replace("-", "\u2212") + (" %" if percent else "")


def _told_ticks(scale: Scale, *, percent: bool) -> Iterator[tuple[float, str]]:
    """Give the ticks of an axis: where each is, and what is written at it."""
    ticks = scale.ticks()
    step = ticks[1] - ticks[0] if len(ticks) > 1 else 1.0
    for tick in ticks:
        yield scale(tick), tick_text(tick, step, percent=percent)


def x_axis(scale: Scale, top: float, bottom: float, title: str, *, percent: bool = False) -> str:
    """Return an axis below a plot with its grid."""
    parts = []
    for x, shown in _told_ticks(scale, percent=percent):
        parts.append(line(x, top, x, bottom, "grid"))
        parts.append(label(x, bottom + 16, shown, "tick", text_anchor="middle"))
    middle = (scale.start + scale.end) / 2
    parts.append(label(middle, bottom + 34, title, "axis", text_anchor="middle"))
    return "".join(parts)


def y_axis(scale: Scale, left: float, right: float, title: str, *, percent: bool = False) -> str:
    """Return an axis at the left of a plot with its grid; the title stands above it."""
    parts = []
    for y, shown in _told_ticks(scale, percent=percent):
        parts.append(line(left, y, right, y, "grid"))
        parts.append(label(left - 7, y + 4, shown, "tick", text_anchor="end"))
    parts.append(label(left - 7, min(scale.start, scale.end) - 10, title, "axis"))
    return "".join(parts)


def years_axis(scale: Scale, years: Sequence[int], top: float, bottom: float) -> str:
    """Return an axis of years, as many of them as there is room for."""
    room = max(1, int(abs(scale.end - scale.start) // 42))
    step = next(each for each in (1, 2, 5, 10, 20, 50, 100) if len(years) / each <= room)
    parts = []
    for year in years:
        if (year - years[0]) % step == 0:
            x = scale(year)
            parts.append(line(x, top, x, bottom, "grid"))
            parts.append(label(x, bottom + 16, str(year), "tick", text_anchor="middle"))
    return "".join(parts)


def dash(index: int) -> str | None:
    """Return the dash of a series, so that none is known by its colour alone."""
    return _DASHES[index // COLOURS % len(_DASHES)] or None


def marker(index: int, x: float, y: float, size: float = 5.0) -> str:
    """Return a mark whose shape differs from series to series as well as its colour."""
    shapes: tuple[Callable[[], str], ...] = (
        lambda: element("circle", cx=x, cy=y, r=size),
        lambda: element("rect", x=x - size, y=y - size, width=2 * size, height=2 * size),
        lambda: _polygon(
            (x, y - size * 1.3), (x + size * 1.2, y + size), (x - size * 1.2, y + size)
        ),
        lambda: _polygon(
            (x, y - size * 1.4), (x + size * 1.4, y), (x, y + size * 1.4), (x - size * 1.4, y)
        ),
        lambda: _polygon(
            (x, y + size * 1.3), (x + size * 1.2, y - size), (x - size * 1.2, y - size)
        ),
        lambda: _polygon(
            (x - size * 1.3, y), (x + size, y - size * 1.2), (x + size, y + size * 1.2)
        ),
        lambda: _polygon(
            (x + size * 1.3, y), (x - size, y - size * 1.2), (x - size, y + size * 1.2)
        ),
    )
    return group(shapes[index % COLOURS](), class_=f"dot c{index % COLOURS}")


def _polygon(*points: tuple[float, float]) -> str:
    return element("polygon", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points))


def path(points: Sequence[tuple[float, float]], *, close: bool = False) -> str:
    """Return the description of a line through points."""
    shown = " L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return f"M{shown}{' Z' if close else ''}"


def shortened(name: str, length: int = 24) -> str:
    """Return a name that fits, its middle left out if it is too long."""
    if len(name) <= length:
        return name
    head = (length - 1) * 3 // 5
    return f"{name[:head]}…{name[len(name) - (length - 1 - head) :]}"


def spread(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move labels apart so that none covers another, as little as possible."""
    order = sorted(range(len(places)), key=places.__getitem__)
    moved = list(places)
    previous = low - gap
    for index in order:
        moved[index] = previous = max(moved[index], previous + gap)
    following = high + gap
    for index in reversed(order):
        moved[index] = following = min(moved[index], following - gap)
    return moved

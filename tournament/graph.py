"""The graph of alliance and betrayal: who is at peace with whom, and who stabs whom."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import cos, hypot, pi, sin
from typing import Self

from attrs import frozen

from tournament.analysis import Analysis
from tournament.figures import Figure, sample
from tournament.negotiation import YearLinks
from tournament.plots import WIDTH, element, group, label, line, svg

# Around the ring as around the map, so that neighbours stand beside each other.
_RING = ("ENG", "GER", "RUS", "TUR", "AUS", "ITA", "FRA")
_PANELS = 6
_Places = dict[str, tuple[float, float]]


def ring(powers: Sequence[str], x: float, y: float, radius: float) -> _Places:
    """Return a place on a circle for each power."""
    known = [power for power in _RING if power in powers]
    order = [*known, *(power for power in powers if power not in known)]
    turn = 2 * pi / max(len(order), 1)
    return {
        power: (x + radius * sin(index * turn), y - radius * cos(index * turn))
        for index, power in enumerate(order)
    }


def together(links: Iterable[YearLinks]) -> YearLinks:
    """Return the mean of several years, each weighed by its games."""
    years = list(links)
    weight = sum(each.games for each in years) or 1
    peace: dict[tuple[str, str], float] = defaultdict(float)
    stabs: dict[tuple[str, str], float] = defaultdict(float)
    for each in years:
        for pair, share in each.peace.items():
            peace[pair] += share * each.games / weight
        for pair, share in each.stabs.items():
            stabs[pair] += share * each.games / weight
    games = max((each.games for each in years), default=0)
    return YearLinks(years[0].year if years else 0, games, dict(peace), dict(stabs))


@frozen
class Pen:
    """How thick lines and arrows are: the largest share gets the full width."""

    peace: float
    stabs: float
    width: float
    least: float
    """Links with less than this part of the largest share are left out."""

    @classmethod
    def of(cls, links: Iterable[YearLinks], width: float, least: float = 0.0) -> Self:
        """Return a pen for links that are to be seen together."""
        given = list(links)
        # Late years with a handful of games would make all others look thin.
        enough = max((each.games for each in given), default=0) / 5
        years = [each for each in given if each.games >= enough]
        return cls(
            max((share for each in years for share in each.peace.values()), default=0.0) or 1.0,
            max((share for each in years for share in each.stabs.values()), default=0.0) or 1.0,
            width,
            least,
        )


def draw(links: YearLinks, places: _Places, pen: Pen, when: str) -> str:
    """Return the lines of peace and the arrows of stabs."""
    parts = []
    for (one, other), share in sorted(links.peace.items()):
        part = min(1.0, share / pen.peace)
        if part >= pen.least:
            parts.append(
                group(
                    line(*places[one], *places[other], "peace", **_peace(part, pen)),
                    tip=f"{one} and {other} at peace in {100 * share:.1f} % of games, {when}",
                )
            )
    for (by, victim), share in sorted(links.stabs.items()):
        part = min(1.0, share / pen.stabs)
        if part >= pen.least:
            parts.append(
                group(
                    _arrow(places[by], places[victim], part, pen),
                    tip=f"{by} stabs {victim} {100 * share:.1f} times in 100 games, {when}",
                )
            )
    return "".join(parts)


def _peace(part: float, pen: Pen) -> dict[str, float]:
    return {"stroke_width": 1 + pen.width * part, "opacity": 0.15 + 0.55 * part}


def _arrow(start: tuple[float, float], end: tuple[float, float], part: float, pen: Pen) -> str:
    """Return a bent arrow; the one back bends to the other side."""
    (x1, y1), (x2, y2) = start, end
    length = hypot(x2 - x1, y2 - y1) or 1.0
    along_x, along_y = (x2 - x1) / length, (y2 - y1) / length
    width = 0.8 + 0.36 * pen.width * part
    gap = 5 + 1.5 * pen.width
    bend = 0.16 * length
    middle_x, middle_y = (x1 + x2) / 2 - along_y * bend, (y1 + y2) / 2 + along_x * bend
    tip_x, tip_y = _towards((x2, y2), (middle_x, middle_y), gap)
    tail_x, tail_y = _towards((x1, y1), (middle_x, middle_y), gap)
    head = 3 + 0.35 * pen.width + width
    base_x, base_y = _towards((tip_x, tip_y), (middle_x, middle_y), head)
    out_x, out_y = (base_y - tip_y) / head, (tip_x - base_x) / head
    half = head * 0.48
    points = (
        f"{tip_x:.1f},{tip_y:.1f} {base_x + out_x * half:.1f},{base_y + out_y * half:.1f} "
        f"{base_x - out_x * half:.1f},{base_y - out_y * half:.1f}"
    )
    curve = f"M{tail_x:.1f} {tail_y:.1f} Q{middle_x:.1f} {middle_y:.1f} {base_x:.1f} {base_y:.1f}"
    return group(
        element("path", d=curve, class_="stab", stroke_width=width),
        element("polygon", points=points, class_="stab-head"),
        opacity=0.2 + 0.8 * part,
    )


def _towards(
    point: tuple[float, float], other: tuple[float, float], distance: float
) -> tuple[float, float]:
    length = hypot(other[0] - point[0], other[1] - point[1]) or 1.0
    share = distance / length
    return point[0] + (other[0] - point[0]) * share, point[1] + (other[1] - point[1]) * share


def _nodes(places: _Places, radius: float, class_: str) -> str:
    return "".join(
        group(
            element("circle", cx=x, cy=y, r=radius, class_="node"),
            label(x, y + radius * 0.27, power, class_, text_anchor="middle"),
        )
        for power, (x, y) in places.items()
    )


def years_graph(analysis: Analysis) -> Figure:
    """Return the graph with a group for every year; the page's slider shows one at a time."""
    links = analysis.negotiation.links
    places = ring(analysis.powers, WIDTH / 2, 214, 168)
    whole = together(links)
    spells = f"{links[0].year}\u2013{links[-1].year}"
    pen = Pen.of([whole, *links], 12)
    groups = [
        group(
            draw(whole, places, pen, f"mean of {spells}"),
            class_="year shown",
            data_name=f"{spells}, {whole.games:,} games",
        )
    ]
    groups += [
        group(
            draw(each, places, pen, f"{each.year}, n = {each.games}"),
            class_="year",
            data_name=f"{each.year}, {each.games:,} games still played",
        )
        for each in links
    ]
    legend = _legend(6, 424, pen)
    return Figure(
        "graph",
        "Alliance and betrayal",
        svg(
            WIDTH,
            440,
            "Peace and stabs between powers",
            *groups,
            _nodes(places, 22, "node-name"),
            legend,
        ),
        "Lines: the share of games in which two powers are at peace or allied. Arrows: stabs, from "
        f"the stabber to the victim. Shares of the games still played; {sample(analysis)}. Move "
        "the slider to see one year after the other.",
        section="negotiation",
    )


def _legend(x: float, y: float, pen: Pen) -> str:
    parts = []
    for part in (0.25, 1.0):
        parts.append(line(x + 6, y - 4, x + 34, y - 4, "peace", **_peace(part, pen)))
        parts.append(label(x + 46, y, f"peace in {100 * part * pen.peace:.0f} %", "tick"))
        x += 132
    for part in (0.25, 1.0):
        parts.append(_arrow((x - 22, y - 8), (x + 58, y - 8), part, pen))
        parts.append(label(x + 46, y, f"{100 * part * pen.stabs:.1f} stabs in 100", "tick"))
        x += 146
    return "".join(parts)


def periods(links: Sequence[YearLinks]) -> list[list[YearLinks]]:
    """Share the years out into periods of equal length, the last one perhaps shorter."""
    step = -(-len(links) // _PANELS)
    return [list(links[at : at + step]) for at in range(0, len(links), step)]


def periods_graph(analysis: Analysis) -> Figure:
    """Return the graph of each period side by side, for print."""
    shares = periods(analysis.negotiation.links)
    across = 3
    side = WIDTH / across
    means = [together(years) for years in shares]
    pen = Pen.of(means, 7, 0.2)
    parts = []
    for index, (years, mean) in enumerate(zip(shares, means, strict=True)):
        x, y = (index % across + 0.5) * side, 108 + (index // across) * 205.0
        places = ring(analysis.powers, x, y, 68)
        name = str(years[0].year)
        if len(years) > 1:
            name += f"\u2013{years[-1].year % 100:02d}"
        parts.append(label(x, y - 90, f"{name}, n = {mean.games}", "axis", text_anchor="middle"))
        parts.append(draw(mean, places, pen, name))
        parts.append(_nodes(places, 12, "node-name small"))
    rows = -(-len(shares) // across)
    return Figure(
        "periods",
        "Alliance and betrayal by period",
        svg(WIDTH, 205.0 * rows + 8, "Peace and stabs by period", *parts),
        "The same by period: means over its years; n is the number of games played in its first "
        "year. Lines as before; those below a fifth of the largest are left out.",
        section="negotiation",
    )

"""The figures of a report, each a plot and a caption that says n and the interval."""

from collections.abc import Sequence

from attrs import frozen

from tournament.analysis import Analysis
from tournament.charts import CELL, LABELS, ForestRow, Form, HeatCell, forest, heat_map, letters
from tournament.plots import (
    COLOURS,
    WIDTH,
    Scale,
    dash,
    element,
    group,
    label,
    line,
    marker,
    nice_scale,
    path,
    shortened,
    spread,
    svg,
    y_axis,
    years_axis,
)
from tournament.report_tables import estimated, figure, interval
from tournament.resampling import Estimate


@frozen
class Figure:
    """A plot with its title and caption."""

    key: str
    title: str
    svg: str
    caption: str
    section: str = "results"
    wide: bool = False


def all_figures(analysis: Analysis) -> list[Figure]:
    """Return the figures of the results."""
    figures = [
        centers_over_time(analysis),
        scores(analysis),
        ratings(analysis),
        wins(analysis),
        opponents(analysis),
        differences(analysis),
        powers(analysis),
    ]
    return [each for each in figures if each is not None]


def sample(analysis: Analysis) -> str:
    """Say how many games and seeds there are."""
    seeds = "" if analysis.seeds == analysis.games else f" of {analysis.seeds:,} seeds"
    return f"n = {analysis.games:,} games{seeds}"


def colours(analysis: Analysis) -> dict[str, int]:
    """Return the number of each bot's colour."""
    return {bot: index for index, bot in enumerate(analysis.bots)}


def centers_over_time(analysis: Analysis) -> Figure:
    """Return the mean centers of each bot year by year."""
    top, bottom, left, right = 28.0, 318.0, 40.0, WIDTH - 158.0
    years = sorted({year for each in analysis.centers.values() for year in each})
    ends = [
        value
        for each in analysis.centers.values()
        for one in each.values()
        for value in (one.value, one.high or one.value)
    ]
    x = Scale(years[0], max(years[-1], years[0] + 1), left, right)
    y = nice_scale(ends, bottom, top, zero=True)
    bands, lines, last = [], [], []
    for bot, index in colours(analysis).items():
        series = sorted(analysis.centers[bot].items())
        bands.append(_band(series, x, y, index))
        points = [(x(year), y(each.value)) for year, each in series]
        tip = f"{bot}: {series[-1][1].value:.2f} centers in {series[-1][0]}"
        lines.append(
            group(
                element(
                    "path",
                    d=path(points),
                    class_=f"series c{index % COLOURS}",
                    stroke_dasharray=dash(index),
                ),
                *(
                    group(
                        element("circle", cx=x(year), cy=y(each.value), r=7, class_="hit"),
                        tip=f"{bot}, {year}: {estimated(each, 2)} centers",
                    )
                    for year, each in series
                ),
                tip=tip,
            )
        )
        last.append(points[-1][1])
    names = []
    for (bot, index), place, end in zip(
        colours(analysis).items(), spread(last, 17, top + 4, bottom), last, strict=True
    ):
        names.append(
            group(
                line(right + 3, end, right + 14, place, "leader"),
                marker(index, right + 22, place, 4),
                label(right + 32, place + 4, shortened(bot, 16), "name"),
                tip=bot,
            )
        )
    plot = svg(
        WIDTH,
        348,
        "Mean supply centers per seat by year",
        y_axis(y, left, right, "centers"),
        years_axis(x, years, top, bottom),
        *bands,
        *lines,
        *names,
    )
    return Figure(
        "centers",
        "Centers over time",
        plot,
        f"Mean supply centers per seat at the end of each year; {sample(analysis)}. Bands: 95 % "
        "intervals (normal, clustered by seed). A game that is over keeps its last centers.",
    )


def _band(series: Sequence[tuple[int, Estimate]], x: Scale, y: Scale, index: int) -> str:
    known = [
        (x(year), y(each.low), y(each.high))
        for year, each in series
        if each.low is not None and each.high is not None
    ]
    if not known:
        return ""
    outline = [(at, low) for at, low, _ in known] + [(at, high) for at, _, high in reversed(known)]
    return element("path", d=path(outline, close=True), class_=f"band c{index % COLOURS}")


def scores(analysis: Analysis) -> Figure:
    """Return the main score by bot."""
    score = analysis.score
    shades = colours(analysis)
    rows = [
        ForestRow(each.bot, each.scores[score.key], shades[each.bot]) for each in analysis.standings
    ]
    seats = len(analysis.powers)
    even = score.key in ("sum_of_squares", "draw_size", "win")
    plot = forest(
        rows,
        f"{score.title} per seat",
        Form(score.digits, percent=score.percent),
        zero=True,
        line_at=(1 / seats, f"equal shares, 1/{seats}") if even else None,
    )
    return Figure(
        "scores",
        f"{score.title.capitalize()} by bot",
        plot,
        f"Mean {score.title} per seat with 95 % BCa bootstrap intervals over seeds; "
        f"{sample(analysis)}.",
    )


def ratings(analysis: Analysis) -> Figure:
    """Return the ratings."""
    shades = colours(analysis)
    rows = [
        ForestRow(each.bot, Estimate(each.mu, each.low, each.high), shades[each.bot])
        for each in analysis.ratings
    ]
    return Figure(
        "ratings",
        "Ratings",
        forest(rows, "rating", Form(1), line_at=(25.0, "start")),
        f"Plackett-Luce ratings (openskill) with the model's own 95 % intervals, 1.96 sigma on "
        f"both sides; {sample(analysis)}, rated in their order.",
    )


def wins(analysis: Analysis) -> Figure | None:
    """Return the win rates beside what equals would win."""
    shades = colours(analysis)
    rows = [
        ForestRow(
            f"{each.copies} \u00d7 {each.bot}",
            each.rate,
            shades[each.bot],
            expected=each.expected,
            group=f"{each.field}, n = {each.games}",
        )
        for each in analysis.win_rates
    ]
    if not rows:
        return None
    return Figure(
        "wins",
        "Wins against the expectation",
        forest(rows, "games won", Form(1, percent=True), zero=True),
        "Share of games won by one of a bot's copies, with 95 % Wilson intervals; the upright bar "
        "is what k of equals would win. n in the plot.",
    )


def opponents(analysis: Analysis) -> Figure | None:
    """Return the score of each bot in games with each other."""
    if len(analysis.bots) < 2:
        return None
    known = {(each.row, each.column): each.estimate for each in analysis.by_opponent}
    most = max((each.value for each in known.values()), default=0.0)
    marks = letters(analysis.bots)

    def cell(row: str, column: str) -> HeatCell | None:
        return _score_cell(
            analysis, known.get((row, column)), most, f"{row} in games with {column}"
        )

    return Figure(
        "opponents",
        "Who does well beside whom",
        heat_map(
            "Score by opponent",
            analysis.bots,
            [(bot, marks[bot]) for bot in analysis.bots],
            cell,
            marks=marks,
        ),
        f"Mean {analysis.score.title} of the row's seats in games in which the column plays too; "
        f"{sample(analysis)}. Intervals in the tooltips and the table.",
    )


def _score_cell(
    analysis: Analysis, estimate: Estimate | None, most: float, what: str
) -> HeatCell | None:
    if estimate is None:
        return None
    score = analysis.score
    digits = max(0, score.digits - 1) if score.digits > 1 else 0
    shown = figure(estimate.value, digits, percent=score.percent)
    full = estimated(estimate, score.digits, percent=score.percent)
    shade = max(0.0, estimate.value) / most if most > 0 else 0.0
    return HeatCell(shade, shown, f"{what}: {full}, {estimate.n} seeds")


def differences(analysis: Analysis) -> Figure | None:
    """Return the paired differences of all bots."""
    if not analysis.comparisons:
        return None
    score = analysis.score
    known = {}
    for each in analysis.comparisons:
        turned = each.difference
        sign = -1.0 if score.low_is_good else 1.0
        for one, other, factor in ((each.one, each.other, 1.0), (each.other, each.one, -1.0)):
            shown = figure(factor * turned.value, score.digits, percent=score.percent)
            limits = turned if factor > 0 else _negated(turned)
            known[one, other] = HeatCell(
                shade=sign * factor * turned.value,
                text=shown.replace("0.", ".", 1)
                if shown.lstrip("\u2212").startswith("0.")
                else shown,
                tip=f"{one} less {other}: {shown} "
                f"{interval(limits, score.digits, percent=score.percent)}, {turned.n} seeds, "
                f"p = {each.p:.4f}, by Holm {each.adjusted:.4f}",
                strong=each.is_significant,
            )
    most = max(abs(each.shade) for each in known.values()) or 1.0

    def cell(row: str, column: str) -> HeatCell | None:
        found = known.get((row, column))
        if found is None:
            return None
        star = "*" if found.strong else ""
        return HeatCell(found.shade / most, found.text + star, found.tip, found.strong)

    marks = letters(analysis.bots)
    return Figure(
        "differences",
        "Paired differences",
        heat_map(
            "Paired differences",
            analysis.bots,
            [(bot, marks[bot]) for bot in analysis.bots],
            cell,
            marks=marks,
        ),
        f"{score.title.capitalize()} of the row less that of the column on the same seeds; "
        f"{sample(analysis)}. Blue: the row is better. Bold with *: p < 0.05 in a "
        "permutation test, corrected by Holm.",
    )


def _negated(estimate: Estimate) -> Estimate:
    low = None if estimate.high is None else -estimate.high
    high = None if estimate.low is None else -estimate.low
    return Estimate(-estimate.value, low, high, estimate.n)


def powers(analysis: Analysis) -> Figure:
    """Return the score of each bot with each power."""
    known = {(each.row, each.column): each.estimate for each in analysis.by_power}
    most = max((each.value for each in known.values()), default=0.0)

    def cell(row: str, column: str) -> HeatCell | None:
        return _score_cell(analysis, known.get((row, column)), most, f"{row} as {column}")

    columns = [(power, power) for power in analysis.powers]
    return Figure(
        "powers",
        "Bots and powers",
        heat_map("Score by power", analysis.bots, columns, cell),
        f"Mean {analysis.score.title} of each bot with each power; {sample(analysis)}. Intervals "
        "in the tooltips and the table.",
        wide=len(columns) * CELL[0] + LABELS > WIDTH,
    )

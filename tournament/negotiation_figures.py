"""The figures about promises, stabs and honesty."""

from math import fsum

from tournament.analysis import Analysis
from tournament.charts import HeatCell, heat_map, letters
from tournament.figures import Figure, colours
from tournament.graph import periods_graph, years_graph
from tournament.negotiation import PairNegotiation
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
    spread,
    svg,
    x_axis,
    y_axis,
    years_axis,
)
from tournament.report_tables import estimated
from tournament.resampling import Estimate


def negotiation_figures(analysis: Analysis) -> list[Figure]:
    """Return the figures of the negotiation, if there was any."""
    told = analysis.negotiation
    if told.is_silent:
        return []
    figures = []
    if any(each.peace or each.stabs for each in told.links):
        figures += [years_graph(analysis), periods_graph(analysis)]
    if told.promises_by_kind:
        figures.append(kept_promises(analysis))
    if told.has_stabs:
        figures += [stabs_between(analysis), stabs_by_year(analysis)]
    if told.lying.points:
        figures.append(honesty(analysis))
    return figures


def kept_promises(analysis: Analysis) -> Figure:
    """Return the share of promises kept between bots."""
    pairs = {(each.maker, each.other): each for each in analysis.negotiation.pairs}

    def cell(row: str, column: str) -> HeatCell | None:
        each = pairs.get((row, column))
        if each is None or each.honesty is None:
            return None
        tip = f"{row} to {column}: {each.kept} promises kept, {each.broken} broken"
        return HeatCell(each.honesty, f"{100 * each.honesty:.0f} %", tip)

    judged = sum(each.kept + each.broken for each in analysis.negotiation.bots)
    bots, marks, columns = _talkers(analysis)
    return Figure(
        "promises",
        "Promises kept",
        heat_map("Promises kept", bots, columns, cell, marks=marks),
        f"Share of the row's promises to the column that were kept, of those kept or broken; "
        f"n = {judged:,} promises in {analysis.games:,} games. Counts in the tooltips; intervals "
        "by bot in the table.",
        section="negotiation",
    )


def stabs_between(analysis: Analysis) -> Figure:
    """Return how often bots stab each other, for each year of peace."""
    pairs = {(each.maker, each.other): each for each in analysis.negotiation.pairs}
    rates = {pair: _rate(each) for pair, each in pairs.items() if each.spells}
    most = max(rates.values(), default=0.0)

    def cell(row: str, column: str) -> HeatCell | None:
        each = pairs.get((row, column))
        if each is None or not each.spells:
            return None
        rate = rates[row, column]
        tip = (
            f"{row} stabs {column}: {each.stabs} times in {each.spells} spells of peace, "
            f"{each.spells * each.spell_years:.0f} years"
        )
        return HeatCell(-rate / most if most else 0.0, f"{rate:.2f}", tip)

    total = sum(each.stabs for each in analysis.negotiation.stabs_by_year)
    bots, marks, columns = _talkers(analysis)
    return Figure(
        "stabbing",
        "Stabs per year of peace",
        heat_map("Stabs per year of peace", bots, columns, cell, marks=marks),
        f"How often the row stabs the column in a year of peace between two of their seats; "
        f"n = {total:,} stabs in {analysis.games:,} games. Counts in the tooltips.",
        section="negotiation",
    )


def _talkers(analysis: Analysis) -> tuple[list[str], dict[str, str], list[tuple[str, str]]]:
    """Return the bots that have to do with promises, their letters, and columns for them."""
    known = {
        each.bot
        for each in analysis.negotiation.bots
        if each.promises or each.spells or each.stabs or each.suffered
    }
    letter_of = letters(analysis.bots)
    bots = [bot for bot in analysis.bots if bot in known]
    marks = {bot: letter_of[bot] for bot in bots}
    return bots, marks, list(marks.items())


def _rate(pair: PairNegotiation) -> float:
    years = pair.spells * pair.spell_years
    if pair.maker == pair.other:
        years *= 2  # either of the two may stab
    return pair.stabs / years if years else 0.0


def stabs_by_year(analysis: Analysis) -> Figure:
    """Return the stabs of each year and what they brought."""
    stabs = [each for each in analysis.negotiation.stabs_by_year if each.games]
    years = [each.year for each in stabs]
    left, right = 48.0, WIDTH - 12.0
    step = (right - left) / len(years)
    x = Scale(years[0], max(years[-1], years[0] + 1), left + step / 2, right - step / 2)
    rates = [100 * each.stabs / each.games for each in stabs]
    y = nice_scale([*rates, 0.0], 160, 28, zero=True)
    gains = [each.gain for each in stabs if each.gain is not None]
    ends = [
        value for each in gains for value in (each.value, each.low, each.high) if value is not None
    ]
    z = nice_scale([*ends, 0.0], 330, 222, zero=True)
    bars = [
        group(
            element(
                "rect",
                x=x(each.year) - step * 0.36,
                width=step * 0.72,
                y=y(rate),
                height=y(0) - y(rate),
                class_="bar",
            ),
            tip=f"{each.year}: {each.stabs} stabs in {each.games} games",
        )
        for each, rate in zip(stabs, rates, strict=True)
    ]
    dots = [
        _upright(
            x(each.year),
            z,
            each.gain,
            1,
            f"{each.year}: {estimated(each.gain, 2)} centers in two years",
        )
        for each in stabs
        if each.gain is not None
    ]
    plot = svg(
        WIDTH,
        360,
        "Stabs by year",
        y_axis(y, left, right, "stabs in 100 games"),
        *bars,
        y_axis(z, left, right, "centers gained two years later"),
        line(left, z(0), right, z(0), "reference"),
        years_axis(x, years, 330, 330),
        *dots,
    )
    count = fsum(each.stabs for each in stabs)
    return Figure(
        "stabs",
        "Stabs and what they bring",
        plot,
        f"Above: stabs in 100 games still played. Below: the stabber's centers two years later "
        f"less those at the stab, mean with 95 % intervals (normal, clustered by seed). "
        f"n = {count:,.0f} stabs in {analysis.games:,} games.",
        section="negotiation",
    )


def _upright(x: float, scale: Scale, estimate: Estimate, colour: int, tip: str) -> str:
    whisker = ""
    if estimate.low is not None and estimate.high is not None:
        whisker = line(x, scale(estimate.low), x, scale(estimate.high), f"whisker c{colour}")
    return group(
        whisker, marker(0, x, scale(estimate.value), 4).replace("c0", f"c{colour}"), tip=tip
    )


def honesty(analysis: Analysis) -> Figure:
    """Return the score of each bot against its honesty."""
    told = analysis.negotiation.lying
    score = analysis.score
    left, right, top, bottom = 52.0, WIDTH - 20.0, 28.0, 300.0
    ends = [
        value
        for _, _, each in told.points
        for value in (each.value, each.low, each.high)
        if value is not None
    ]
    x = Scale(0.0, 1.0, left, right)
    y = nice_scale(ends, bottom, top, zero=True)
    shades = colours(analysis)
    places = [y(each.value) - 12 for _, _, each in told.points]
    moved = spread(places, 15, top, bottom)
    parts = []
    for (bot, honest, value), name_y in zip(told.points, moved, strict=True):
        index = shades[bot]
        at_x, at_y = x(honest.value), y(value.value)
        class_ = f"whisker c{index % COLOURS}"
        whiskers = []
        if honest.low is not None and honest.high is not None:
            whiskers.append(line(x(honest.low), at_y, x(honest.high), at_y, class_))
        if value.low is not None and value.high is not None:
            whiskers.append(line(at_x, y(value.low), at_x, y(value.high), class_))
        anchor, side = ("end", -9) if honest.value > 0.6 else ("start", 9)
        parts.append(
            group(
                *whiskers,
                marker(index, at_x, at_y),
                label(at_x + side, name_y, shortened(bot, 26), "name", text_anchor=anchor),
                tip=f"{bot}: honesty {estimated(honest, 1, percent=True)}, "
                f"{score.title} {estimated(value, score.digits, percent=score.percent)}",
            )
        )
    plot = svg(
        WIDTH,
        bottom + 44,
        "Score against honesty",
        x_axis(x, top, bottom, "promises kept, of those kept or broken", percent=True),
        y_axis(y, left, right, score.title, percent=score.percent),
        *parts,
    )
    return Figure(
        "honesty",
        "Does lying pay?",
        plot,
        f"Mean {score.title} against honesty by bot, with 95 % intervals (normal, clustered by "
        f"seed); n = {told.seats:,} seats with promises kept or broken. {_correlations(analysis)}",
        section="negotiation",
    )


def _correlations(analysis: Analysis) -> str:
    told = analysis.negotiation.lying
    parts = [
        f"{name} r = {estimated(each, 2)}"
        for name, each in (("over all seats", told.overall), ("within bots", told.within))
        if each is not None
    ]
    if not parts:
        return ""
    return f"Correlation of a seat's score with its honesty: {', '.join(parts)} (95 % BCa)."

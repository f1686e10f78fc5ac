"""The tables of a report: the same on the terminal and in the page."""

from collections import Counter
from collections.abc import Sequence
from math import isfinite

from attrs import frozen

from tournament.analysis import Analysis
from tournament.negotiation import ANSWERS
from tournament.resampling import Estimate
from tournament.scoring import SCORES, Score

MISSING = "\u2013"
_BESIDE = ("win", "centers")
"""The scores that stand beside the main one on the first screen."""
_WISHED_SHARES = (0.02, 0.05, 0.1)
_WISHED = {"centers": (0.5, 1.0, 2.0), "rank": (0.25, 0.5, 1.0), "daide": (0.2, 0.5, 1.0)}


@frozen
class Value:
    """One cell: what stands in it, small print beside it, and by what it is sorted."""

    text: str
    detail: str = ""
    sort: float | None = None
    strong: bool = False

    def __str__(self) -> str:
        return f"{self.text} {self.detail}".strip()


@frozen
class ReportTable:
    """A table with a title and a sentence about how to read it."""

    key: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]
    note: str = ""
    texts: int = 1
    """How many of the first columns hold text; the others hold numbers."""
    section: str = "results"


def text(value: object) -> Value:
    """Return a cell of text."""
    return Value(str(value))


def number(value: float | None, digits: int = 0, *, percent: bool = False) -> Value:
    """Return a cell of a number."""
    if value is None or not isfinite(value):
        return Value(MISSING)
    return Value(figure(value, digits, percent=percent), sort=value)


def figure(value: float, digits: int, *, percent: bool = False) -> str:
    """Write a number, with a true minus and no negative zero."""
    shown = f"{100 * value if percent else value:,.{digits}f}"
    if float(shown.replace(",", "")) == 0:
        shown = shown.removeprefix("-")
    return shown.replace("-", "\u2212") + (" %" if percent else "")


def interval(estimate: Estimate, digits: int, *, percent: bool = False) -> str:
    """Write an interval in square brackets."""
    if estimate.low is None or estimate.high is None:
        return ""
    low, high = (
        figure(each, digits, percent=percent).removesuffix(" %")
        for each in (estimate.low, estimate.high)
    )
    return f"[{low}, {high}]"


def estimated(estimate: Estimate | None, digits: int, *, percent: bool = False) -> Value:
    """Return a cell of a value and its interval."""
    if estimate is None:
        return Value(MISSING)
    shown = figure(estimate.value, digits, percent=percent)
    detail = interval(estimate, digits, percent=percent)
    return Value(shown, detail, sort=estimate.value)


def scored(estimate: Estimate | None, score: Score) -> Value:
    """Return a cell of a score and its interval."""
    return estimated(estimate, score.digits, percent=score.percent)


def p_value(value: float) -> Value:
    """Return a cell of a p-value."""
    shown = "< 0.001" if value < 0.001 else f"{value:.3f}"
    return Value(shown, sort=value, strong=value < 0.05)


def all_tables(analysis: Analysis) -> list[ReportTable]:
    """Return every table that has something to tell."""
    tables = [
        by_bot(analysis),
        ratings(analysis),
        win_rates(analysis),
        comparisons(analysis),
        cross(analysis, "opponents"),
        cross(analysis, "powers"),
        power_analysis(analysis),
        faults(analysis),
    ]
    if not analysis.negotiation.is_silent:
        tables += [
            negotiators(analysis),
            pairs(analysis),
            kinds(analysis),
            stabs(analysis),
            lying(analysis),
        ]
    return [table for table in tables if table.rows]


def first_screen(analysis: Analysis) -> list[ReportTable]:
    """Return the one table that matters, and what went wrong if anything did."""
    return [table for table in (standings(analysis), faults(analysis)) if table.rows]


def standings(analysis: Analysis) -> ReportTable:
    """Return how the bots did, in a width that every terminal has."""
    score = analysis.score
    others = [SCORES[key] for key in _BESIDE if key != score.key]
    return ReportTable(
        "standings",
        f"Standings by {score.title}",
        ["bot", "games", score.title, *(each.title for each in others)],
        [
            [
                text(each.bot),
                number(each.games),
                scored(each.scores.get(score.key), score),
                *(_plain(each.scores.get(other.key), other) for other in others),
            ]
            for each in analysis.standings
        ],
        "Means over seats, the first with its 95 % interval.",
    )


def _plain(estimate: Estimate | None, score: Score) -> Value:
    """Return a cell of a score without its interval."""
    return number(estimate.value if estimate else None, score.digits, percent=score.percent)


def by_bot(analysis: Analysis) -> ReportTable:
    """Return the means by bot."""
    return ReportTable(
        "bots",
        "Scores by bot",
        ["bot", "games", "seats", *(score.title for score in SCORES.values())],
        [
            [
                text(each.bot),
                number(each.games),
                number(each.seats),
                *(scored(each.scores.get(key), score) for key, score in SCORES.items()),
            ]
            for each in analysis.standings
        ],
        "Means over seats with 95 % intervals (BCa bootstrap over games, those of one seed "
        "together). A year limit counts as a draw of the survivors; wins go to those with most "
        "centers then. A rank of 1 is best.",
    )


def ratings(analysis: Analysis) -> ReportTable:
    """Return the ratings."""
    return ReportTable(
        "ratings",
        "Ratings",
        ["bot", "rating", "sigma", "games"],
        [
            [
                text(each.bot),
                estimated(Estimate(each.mu, each.low, each.high), 1),
                number(each.sigma, 2),
                number(each.games),
            ]
            for each in analysis.ratings
        ],
        "Plackett-Luce on the ranks of each game, in the order of games; the interval is the "
        "model's own, 1.96 sigma on both sides.",
    )


def win_rates(analysis: Analysis) -> ReportTable:
    """Return the win rates by composition."""
    return ReportTable(
        "wins",
        "Wins against the expectation",
        ["field", "bot", "copies", "games", "won", "expected", "solos", "p"],
        [
            [
                text(each.field),
                text(each.bot),
                Value(f"{each.copies} of {each.seats}", sort=each.copies),
                number(each.games),
                estimated(each.rate, 1, percent=True),
                number(each.expected, 1, percent=True),
                number(each.solos),
                p_value(each.p),
            ]
            for each in analysis.win_rates
        ],
        "How often one of a bot's copies won; k of 7 equals would win k/7. Wilson intervals at "
        "95 %; p of a two-sided score test, not corrected for the number of rows.",
        texts=2,
    )


def comparisons(analysis: Analysis) -> ReportTable:
    """Return the paired differences."""
    score = analysis.score
    return ReportTable(
        "pairs",
        f"Paired differences: {score.title}",
        ["bot", "less", "difference", "seeds", "p", "p (Holm)"],
        [
            [
                text(each.one),
                text(each.other),
                scored(each.difference, score),
                number(each.difference.n),
                p_value(each.p),
                p_value(each.adjusted),
            ]
            for each in analysis.comparisons
        ],
        "Mean of the first bot's seats less that of the second's by seed, in games together or, if "
        "there are none, in games of the same seed, with BCa intervals; p of a two-sided "
        "permutation test of the bots' seats within games, exact where all patterns can be "
        "counted, and the same corrected by Holm for all rows.",
        texts=2,
    )


def cross(analysis: Analysis, by: str) -> ReportTable:
    """Return a cross table: bots against bots, or bots against powers."""
    cells = analysis.by_opponent if by == "opponents" else analysis.by_power
    columns = analysis.bots if by == "opponents" else list(analysis.powers)
    known = {(cell.row, cell.column): cell.estimate for cell in cells}
    title = "in games with" if by == "opponents" else "with each power"
    return ReportTable(
        f"cross-{by}",
        f"{analysis.score.title.capitalize()} {title}",
        ["bot", *columns],
        [
            [text(row), *(scored(known.get((row, column)), analysis.score) for column in columns)]
            for row in analysis.bots
        ],
        "The mean of the row's seats, with normal 95 % intervals clustered by seed.",
    )


def power_analysis(analysis: Analysis) -> ReportTable:
    """Return how many games a wished difference needs."""
    score = analysis.score
    wished = _WISHED.get(score.key, _WISHED_SHARES)
    shown = [figure(each, score.digits, percent=score.percent) for each in wished]
    return ReportTable(
        "power",
        "Games needed to find a difference",
        ["bot", "and", "deviation", "found so far", *(f"for {each}" for each in shown)],
        [
            [
                text(each.one),
                text(each.other),
                number(each.deviation, score.digits, percent=score.percent),
                number(
                    each.difference_found if each.deviation else None,
                    score.digits,
                    percent=score.percent,
                ),
                *(
                    number(each.games_for(difference) if each.deviation else None)
                    for difference in wished
                ),
            ]
            for each in analysis.comparisons
        ],
        f"In {score.title}: two-sided paired test at 5 %, found four times in five. The deviation "
        "is that of the paired difference from seed to seed; “found so far” is the smallest true "
        "difference that the games played would find as often.",
        texts=2,
    )


def faults(analysis: Analysis) -> ReportTable:
    """Return what went wrong."""
    return ReportTable(
        "faults",
        "Faults",
        ["bot", "what", "times"],
        [
            [text(bot), text(what), number(times)]
            for bot, each in analysis.faults.items()
            for what, times in each.items()
        ],
        "Seats that crashed, hung or were replaced, in all games.",
        texts=2,
    )


def negotiators(analysis: Analysis) -> ReportTable:
    """Return how each bot negotiates."""
    return ReportTable(
        "negotiators",
        "Negotiation by bot",
        [
            "bot",
            "offers",
            "accepted",
            "promises",
            "kept",
            "broken",
            "honesty",
            "peace spells",
            "years",
            "stabs",
            "suffered",
            "gain",
            "usual gain",
        ],
        [
            [
                text(each.bot),
                number(each.offers),
                number(each.accepted / each.offers if each.offers else None, 0, percent=True),
                number(each.promises),
                number(each.kept),
                number(each.broken),
                estimated(each.honesty, 1, percent=True),
                number(each.spells),
                estimated(each.spell_years, 1),
                number(each.stabs),
                number(each.suffered),
                estimated(each.gain, 2),
                estimated(each.usual_gain, 2),
            ]
            for each in analysis.negotiation.bots
        ],
        "Honesty: promises kept of those kept or broken. A spell of peace or alliance lasts until "
        "one side ends it or the game is over. Gain: centers won from a stab to two years later; "
        "the usual gain is that of any two years. Normal 95 % intervals clustered by seed.",
        section="negotiation",
    )


def pairs(analysis: Analysis) -> ReportTable:
    """Return how the bots deal with each other."""
    return ReportTable(
        "negotiating-pairs",
        "Negotiation by pair",
        [
            "bot",
            "towards",
            "offers",
            "accepted",
            "kept",
            "broken",
            "honesty",
            "spells",
            "years",
            "stabs",
        ],
        [
            [
                text(each.maker),
                text(each.other),
                number(each.offers),
                number(each.accepted / each.offers if each.offers else None, 0, percent=True),
                number(each.kept),
                number(each.broken),
                number(each.honesty, 1, percent=True),
                number(each.spells),
                number(each.spell_years if each.spells else None, 1),
                number(each.stabs),
            ]
            for each in analysis.negotiation.pairs
        ],
        "The first bot offers, promises and stabs; spells are those between the two.",
        texts=2,
        section="negotiation",
    )


def kinds(analysis: Analysis) -> ReportTable:
    """Return offers and promises by kind."""
    told = analysis.negotiation
    names = sorted({*told.offers_by_kind, *told.promises_by_kind})
    verdicts = ("kept", "broken", "open", "void")
    nothing = Counter[str]()
    return ReportTable(
        "kinds",
        "Offers and promises by kind",
        ["kind", *(f"answer {each}" for each in ANSWERS), *verdicts],
        [
            [
                text(name),
                *(number(told.offers_by_kind.get(name, nothing)[each]) for each in ANSWERS),
                *(number(told.promises_by_kind.get(name, nothing)[each]) for each in verdicts),
            ]
            for name in names
        ],
        "Answers to offers, then what became of the promises.",
        section="negotiation",
    )


def stabs(analysis: Analysis) -> ReportTable:
    """Return the stabs by year."""
    return ReportTable(
        "stabs",
        "Stabs by year",
        ["year", "games", "stabs", "per 100 games", "gain"],
        [
            [
                Value(str(each.year), sort=each.year),
                number(each.games),
                number(each.stabs),
                number(100 * each.stabs / each.games if each.games else None, 1),
                estimated(each.gain, 2),
            ]
            for each in analysis.negotiation.stabs_by_year
            if analysis.negotiation.has_stabs
        ],
        "Attacks on a partner while at peace or allied. Gain: the stabber's centers two years "
        "later less those at the stab, where the game lasted so long.",
        section="negotiation",
    )


def lying(analysis: Analysis) -> ReportTable:
    """Return whether lying pays."""
    told = analysis.negotiation.lying
    rows = [
        [text(bot), estimated(honesty, 1, percent=True), scored(value, analysis.score)]
        for bot, honesty, value in told.points
    ]
    for name, estimate in (("all seats", told.overall), ("within bots", told.within)):
        if estimate is not None:
            rows.append([text(f"correlation, {name}"), Value(""), estimated(estimate, 2)])
    return ReportTable(
        "lying",
        "Does lying pay?",
        ["bot", "honesty", f"{analysis.score.title} / correlation"],
        rows,
        f"Honesty and score of the {told.seats} seats with promises that were kept or broken. "
        "Pearson's correlation of the two with BCa intervals over seeds; within bots, each bot's "
        "means are taken out. A positive one says that honesty pays; neither proves a cause.",
        section="negotiation",
    )

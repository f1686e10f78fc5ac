"""One page with all tables and figures: no network, nothing beside it, opens from a file."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from tournament.analysis import Analysis
from tournament.figures import Figure, all_figures, sample
from tournament.negotiation_figures import negotiation_figures
from tournament.report_tables import ReportTable, Value, all_tables
from tournament.resampling import FEWER_PERMUTATIONS, PERMUTATIONS, RESAMPLES

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
_OUTCOMES = {
    "solo": "solos",
    "draw": "draws",
    "year-limit": "ended by the year limit",
    "aborted": "aborted, not counted",
}


def page(analysis: Analysis, games: str = "") -> str:
    """Return the whole page; the same numbers give the same bytes.

    `games` is the section that lists them, if they were kept.
    """
    figures = [*all_figures(analysis), *negotiation_figures(analysis)]
    tables = all_tables(analysis)
    numbers = {figure.key: index for index, figure in enumerate(figures, start=1)}
    sections = [
        _section("results", "Results", figures, tables, numbers),
        _section("negotiation", "Negotiation", figures, tables, numbers),
        games,
        _methods(analysis),
    ]
    style, script = (_static(name) for name in ("report.css", "report.js"))
    title = escape(f"{analysis.name}: tournament report")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f"{_header(analysis, has_games=bool(games))}\n<main>\n{''.join(sections)}</main>\n"
        f"<script>\n{script}</script>\n</body>\n</html>\n"
    )


def _static(name: str) -> str:
    return files("tournament").joinpath("static", name).read_text(encoding="utf-8")


def _header(analysis: Analysis, *, has_games: bool) -> str:
    cards = [
        (f"{analysis.games:,}", "games"),
        (f"{analysis.seeds:,}", "seeds"),
        (f"{len(analysis.bots):,}", "bots"),
        *((f"{count:,}", _OUTCOMES.get(name, name)) for name, count in _outcomes(analysis)),
    ]
    faults = sum(times for each in analysis.faults.values() for times in each.values())
    if faults:
        cards.append((f"{faults:,}", "faults"))
    shown = "".join(f"<div><dt>{name}</dt><dd>{count}</dd></div>" for count, name in cards)
    fields = ", ".join(f"{escape(name)} ({games:,})" for name, games in analysis.fields.items())
    sections = _section_names(analysis, has_games=has_games)
    links = "".join(f'<a href="#{key}">{title}</a>' for key, title in sections)
    return (
        f"<header><div class=bar><p class=kicker>Diplomacy tournament report</p>"
        f"<nav>{links}</nav>"
        "<button type=button id=theme hidden>dark</button></div>"
        f"<h1>{escape(analysis.name)}</h1>"
        f"<p class=lead>{_lead(analysis)}</p>"
        f"<dl class=cards>{shown}</dl>"
        f"<p class=fields><b>Fields</b> {fields}</p></header>"
    )


def _section_names(analysis: Analysis, *, has_games: bool) -> list[tuple[str, str]]:
    talk = [] if analysis.negotiation.is_silent else [("negotiation", "Negotiation")]
    games = [("games", "Games")] if has_games else []
    return [("results", "Results"), *talk, *games, ("methods", "Methods")]


def _outcomes(analysis: Analysis) -> list[tuple[str, int]]:
    return [(name, analysis.outcomes[name]) for name in _OUTCOMES if analysis.outcomes.get(name)]


def _lead(analysis: Analysis) -> str:
    """Say in a sentence who is ahead, and whether that is sure."""
    best, *others = analysis.standings
    value = best.scores[analysis.score.key]
    title = escape(analysis.score.title)
    if not others:
        return f"One bot, <b>{escape(best.bot)}</b>, plays all seats."
    sure = [each for each in analysis.comparisons if each.is_significant]
    low, high = value.low, value.high
    limits = "" if low is None or high is None else f" (95 % interval {low:.3f} to {high:.3f})"
    return (
        f"<b>{escape(best.bot)}</b> leads with a mean {title} of {value.value:.3f}{limits}. "
        f"{len(sure)} of {len(analysis.comparisons)} paired comparisons are significant at 5 % "
        "after Holm's correction."
    )


def _section(
    key: str,
    title: str,
    figures: Sequence[Figure],
    tables: Sequence[ReportTable],
    numbers: dict[str, int],
) -> str:
    own = [figure for figure in figures if figure.section == key]
    lists = [table for table in tables if table.section == key]
    if not own and not lists:
        return ""
    return (
        f'<section id="{key}"><h2>{title}</h2>'
        f"<div class=figures>{''.join(_figure(each, numbers[each.key]) for each in own)}</div>"
        f"{''.join(map(_table, lists))}</section>\n"
    )


def _figure(figure: Figure, number: int) -> str:
    controls = ""
    if figure.key == "graph":
        controls = (
            "<div class=slider hidden><button type=button class=play>play</button>"
            '<input type=range min=0 value=0 step=1 aria-label="year"><output></output></div>'
        )
    kind = " class=wide" if figure.wide else ""
    return (
        f'<figure id="figure-{figure.key}"{kind}><h3>{escape(figure.title)}</h3>{controls}'
        f"<div class=scroll>{figure.svg}</div>"
        f"<figcaption><b>Figure {number}.</b> {escape(figure.caption)} "
        f'<button type=button class=save hidden data-name="{figure.key}">save SVG</button>'
        "</figcaption></figure>\n"
    )


def _table(table: ReportTable) -> str:
    head = "".join(
        f"<th scope=col{_align(index, table)}>{_breakable(name)}</th>"
        for index, name in enumerate(table.columns)
    )
    kind = " class=tight" if len(table.columns) > 7 else ""
    body = "".join(f"<tr>{_row(row, table)}</tr>\n" for row in table.rows)
    return (
        f'<div class=table id="table-{table.key}"><h3>{escape(table.title)}</h3>'
        f"<div class=scroll><table{kind}><thead><tr>{head}</tr></thead>"
        f"<tbody>\n{body}</tbody></table></div><p class=note>{escape(table.note)}</p></div>\n"
    )


def _row(row: Iterable[Value], table: ReportTable) -> str:
    cells = []
    for index, cell in enumerate(row):
        sort = "" if cell.sort is None else f' data-sort="{cell.sort!r}"'
        shown = _breakable(cell.text) if index < table.texts else escape(cell.text)
        if cell.strong:
            shown = f"<b>{shown}</b>"
        if cell.detail:
            shown += f" <small>{escape(cell.detail)}</small>"
        tag = "th scope=row" if index == 0 else "td"
        cells.append(f"<{tag}{sort}{_align(index, table)}>{shown}</{tag[:2]}>")
    return "".join(cells)


def _breakable(name: str) -> str:
    """Let a long name go on in the next line after each of its parts."""
    return re.sub(r"([/:])(?=.)", r"\1<wbr>", escape(name))


def _align(index: int, table: ReportTable) -> str:
    return "" if index < table.texts else " class=number"


def _methods(analysis: Analysis) -> str:
    text = _static("methods.html").format(
        sample=escape(sample(analysis)),
        resamples=f"{RESAMPLES:,}",
        permutations=f"{PERMUTATIONS:,}",
        fewer=f"{FEWER_PERMUTATIONS:,}",
    )
    return f"<section id=methods><h2>Methods</h2><div class=prose>\n{text}</div></section>\n"

from pathlib import Path
from typing import Any

import pytest

from tests.tournament.simulated import SMALL, Plan, write_tournament
from tests.tournament.tiny import game
from tournament.game_result import GameResult
from tournament.negotiation import Spell, lying_pays, negotiation, spells_of
from tournament.results_file import read_results

PLAYERS = {"AUS": "liar", "ENG": "saint", "FRA": "saint"}
FINAL = {"AUS": 6, "ENG": 2, "FRA": 1}


def promise(maker: str, to: str, verdict: str, **more: Any) -> dict[str, Any]:
    return {
        "kind": "peace",
        "maker": maker,
        "to": [to],
        "text": f"PCE ( {maker} {to} )",
        "made": ["SPR", 1901],
        "ended": None,
        "verdict": verdict,
        "breach": None,
        **more,
    }


def offer(sender: str, to: str, answer: str) -> dict[str, Any]:
    return {"turn": ["SPR", 1901], "sender": sender, "to": to, "kind": "peace", "answer": answer}


def stab(by: str, victim: str, year: int, *centers: int | None) -> dict[str, Any]:
    return {"turn": ["FAL", year], "by": by, "victim": victim, "order": "", "centers": centers}


def told() -> GameResult:
    """A game in which Austria breaks its peace with England in the fall, and France keeps its."""
    fall = {"ended": ["FAL", 1901]}
    return game(
        1,
        PLAYERS,
        FINAL,
        promises=[
            promise("AUS", "ENG", "broken", **fall, breach="A BUR - BEL"),
            promise("ENG", "AUS", "kept", **fall),
            promise("ENG", "FRA", "open"),
            promise("FRA", "ENG", "kept"),
            promise("AUS", "FRA", "void", kind="dmz"),
        ],
        offers=[offer("AUS", "ENG", "yes"), offer("ENG", "FRA", "yes"), offer("AUS", "FRA", "rej")],
        stabs=[stab("AUS", "ENG", 1901, 3, 6)],
    )


def test_offers_promises_and_stabs_are_counted_by_bot() -> None:
    liar, saint = negotiation([told()], "centers", seed="x").bots
    assert (liar.bot, liar.offers, liar.accepted) == ("liar", 2, 1)
    assert (liar.promises, liar.kept, liar.broken, liar.stabs, liar.suffered) == (2, 0, 1, 1, 0)
    assert (saint.promises, saint.kept, saint.broken, saint.stabs, saint.suffered) == (
        3,
        2,
        0,
        0,
        1,
    )
    assert liar.honesty is not None
    assert liar.honesty.value == 0
    assert liar.gain is not None
    assert liar.gain.value == 3
    assert liar.usual_gain is not None
    assert liar.usual_gain.value == 3  # from 3 to 6 in the only two years there are
    assert saint.gain is None


def test_peace_lasts_until_one_side_ends_it_or_the_game_does() -> None:
    assert spells_of(told()) == [
        Spell("AUS", "ENG", 1901.0, 1901.5, is_over=True),
        Spell("ENG", "FRA", 1901.0, 1903.0, is_over=False),
    ]


def test_peace_ends_with_the_first_promise_that_ends() -> None:
    one_sided = game(
        1,
        PLAYERS,
        FINAL,
        promises=[
            promise("AUS", "ENG", "broken", ended=["FAL", 1901]),
            promise("ENG", "AUS", "open"),
            promise("AUS", "ENG", "kept", made=["SPR", 1902], kind="alliance"),
        ],
    )
    assert [(spell.start, spell.end) for spell in spells_of(one_sided)] == [
        (1901.0, 1901.5),
        (1902.0, 1903.0),
    ]


def test_pairs_of_bots_are_told_apart_and_have_a_direction() -> None:
    pairs = {
        (each.maker, each.other): each for each in negotiation([told()], "win", seed="x").pairs
    }
    assert (pairs["liar", "saint"].broken, pairs["liar", "saint"].stabs) == (1, 1)
    assert (pairs["saint", "liar"].kept, pairs["saint", "liar"].stabs) == (1, 0)
    assert pairs["liar", "saint"].honesty == 0
    assert pairs["saint", "saint"].honesty == 1
    assert pairs["liar", "saint"].spells == pairs["saint", "liar"].spells == 1
    assert pairs["saint", "saint"].spell_years == 2
    assert pairs["liar", "saint"].offers == 2


def test_kinds_are_counted_with_answers_and_verdicts() -> None:
    report = negotiation([told()], "win", seed="x")
    assert report.offers_by_kind == {"peace": {"yes": 2, "rej": 1}}
    assert report.promises_by_kind["dmz"] == {"void": 1}
    assert report.promises_by_kind["peace"] == {"broken": 1, "kept": 2, "open": 1}


def test_stabs_have_a_year_and_a_gain_unless_the_game_ended_before() -> None:
    late = game(2, PLAYERS, FINAL, stabs=[stab("AUS", "FRA", 1902, 5, None)])
    first, second = negotiation([told(), late], "win", seed="x").stabs_by_year
    assert (first.year, first.stabs, first.games) == (1901, 1, 2)
    assert first.gain is not None
    assert first.gain.value == 3
    assert (second.year, second.stabs, second.gain) == (1902, 1, None)


def test_links_are_shares_of_the_games_still_played() -> None:
    over = game(2, PLAYERS, FINAL, year=1901)
    first, second = negotiation([told(), over], "win", seed="x").links
    assert (first.games, second.games) == (2, 1)
    assert first.peace == {("AUS", "ENG"): 0.5, ("ENG", "FRA"): 0.5}
    assert second.peace == {("ENG", "FRA"): 1}
    assert first.stabs == {("AUS", "ENG"): 0.5}
    assert second.stabs == {}


def honest_game(number: int, *, honest: bool, centers: int) -> GameResult:
    verdict = "kept" if honest else "broken"
    final = {"AUS": centers, "ENG": 4, "FRA": 4}
    return game(number, PLAYERS, final, promises=[promise("AUS", "ENG", verdict)])


def test_honesty_and_score_that_rise_together_correlate() -> None:
    games = [honest_game(n, honest=n % 2 == 0, centers=4 + 2 * (n % 2 == 0)) for n in range(20)]
    result = lying_pays(games, "centers", seed="x")
    assert result.seats == 20
    assert result.overall is not None
    assert result.overall.value == pytest.approx(1)
    against = [
        honest_game(n, honest=n % 2 == 0, centers=4 + n % 3 - (n % 2 == 0)) for n in range(40)
    ]
    lying = lying_pays(against, "centers", seed="x").overall
    assert lying is not None
    assert lying.high is not None
    assert lying.high < 0


def test_a_bot_that_is_honest_and_strong_does_not_make_honesty_pay_within_bots() -> None:
    games = []
    for number in range(40):
        saintly = number % 2 == 0
        # Within each bot honesty varies, and the score does not care.
        each = honest_game(
            number,
            honest=number % 8 < 2 if not saintly else number % 8 > 1,
            centers=(9 if saintly else 2) + number // 8 % 2,
        )
        each.players["AUS"] = "saint" if saintly else "liar"
        games.append(each)
    result = lying_pays(games, "centers", seed="x")
    assert result.overall is not None
    assert result.within is not None
    assert result.overall.low is not None
    assert result.overall.low > 0.1
    assert result.within.low is not None
    assert result.within.high is not None
    assert result.within.low <= 0 <= result.within.high


def test_without_promises_there_is_no_correlation() -> None:
    silent = [game(number, PLAYERS, FINAL) for number in range(3)]
    report = negotiation(silent, "win", seed="x")
    assert report.is_silent
    assert report.lying.overall is None
    assert report.lying.points == []


def test_simulated_liars_are_seen_as_such(tmp_path: Path) -> None:
    plan = Plan(SMALL.kinds, SMALL.fields, games=14, seed=5)
    report = negotiation(read_results(write_tournament(tmp_path, plan)), "win", seed="x")
    bots = {each.bot: each for each in report.bots}
    honest, liar = bots["banker/honesty=1"].honesty, bots["banker/honesty=0.5"].honesty
    assert honest is not None
    assert liar is not None
    assert liar.high is not None
    assert honest.low is not None
    assert liar.high < honest.low
    assert bots["dumbbot"].honesty is None

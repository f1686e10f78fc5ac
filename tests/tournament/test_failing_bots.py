"""Bots that fail, each in its own way: named once a kind, with the turn and the author's line."""

import json
import re
import sys
from pathlib import Path

import pytest

from cli.main import main
from tests.tournament.tiny import game
from tournament.complaints import MOST, complaints

BAD = "tests.tournament.bad_bots"
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="some of them need Linux")

KINDS = {
    "Raiser": r"failed: ValueError: a bug at bad_bots\.py:\d+ in make_trouble",
    "Garbler": r"failed: TypeError: choose_orders returned 'A PAR - BUR', which is no order",
    "Mumbler": r"failed: LookupError: no words for \w{3} at bad_bots\.py:\d+ in open_turn",
    "Hog": r"failed: MemoryError at bad_bots\.py:\d+ in make_trouble",
    "Hanger": r"hung.*ended after 2 s without a sign of life",
    "Sleeper": r"hung.*ended after 2 s without a sign of life",
    "Crasher": r"crashed.*with exit code 3",
    "Stumbler": r"crashed.*by signal 11 \(Segmentation fault\)",
    "Leaver": r"failed: SystemExit: that is enough at bad_bots\.py:\d+ in make_trouble",
    "Babbler": r"sent away",
}


HANGING = ("Hanger", "Sleeper")


def limit_for(bot: str) -> int:
    """Return the seconds of a turn: short for those who use them up, ample for all others."""
    return 2 if bot in HANGING else 100


def spec(bot: str, mode: str, path: Path, games: int = 2) -> str:
    players = f'{{ "{BAD}:{bot}" = 1, holdbot = 2 }}'
    rules = f"games = {games}\nlast_year = 1902\npress_level = 10\nbalance = false"
    limits = f'variant = "lagoon"\nmode = "{mode}"\ngame_limit = {limit_for(bot)}'
    path.write_text(f"{rules}\n{limits}\n[[fields]]\nplayers = {players}\n")
    return str(path)


@pytest.mark.parametrize("bot", KINDS)
def test_play_names_a_bot_that_fails_in_one_line(
    bot: str, capfd: pytest.CaptureFixture[str]
) -> None:
    lineup = f"{BAD}:{bot},holdbot*2"
    rules = ("--variant", "lagoon", "--last-year", "1902", "--press-level", "10", "--seed", "1")
    limit = ("--turn-limit", str(limit_for(bot)))
    assert main(["play", "--bots", lineup, *rules, *limit, "--json"]) == 1
    out, err = capfd.readouterr()
    assert json.loads(out)["outcome"] == "year-limit"
    # The server has a word of its own for one that sends garbage.
    *before, line = err.splitlines()
    assert len(before) <= (bot == "Babbler")
    assert re.fullmatch(rf"daide play: \w{{3}} \({BAD}:{bot}\) {KINDS[bot]}.*", line)
    assert re.search(r"(SPR|FAL) 1901", line)


@pytest.mark.parametrize("bot", KINDS)
def test_a_tournament_over_tcp_names_each_kind_once(
    bot: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plan = spec(bot, "processes", tmp_path / "plan.toml")
    out = str(tmp_path / "out")
    run = ["tournament", "run", plan, "--out", out, "--jobs", "1", "--json", "--no-report"]
    assert main(run) == 1
    told, err = capfd.readouterr()
    assert json.loads(told)["aborted"] == 0
    [line] = err.splitlines()
    assert re.match(rf"daide tournament: {BAD}:{bot} {KINDS[bot]}", line)
    assert re.search(r"first in (SPR|FAL) 1901 of game 0, \d+ times in all\)$", line)


@pytest.mark.parametrize(
    ("bot", "sentence"),
    [
        ("Raiser", r"failed: ValueError: a bug at bad_bots\.py:\d+ in make_trouble"),
        ("Garbler", "choose_orders returned 'A PAR - BUR', which is no order"),
        ("Leaver", r"failed: SystemExit: that is enough at bad_bots\.py:\d+ in make_trouble"),
        ("Hanger", 'no turn was completed within 2 s; mode = "processes" would name the bot'),
        ("Crasher", 'the last time with code 3; mode = "processes" would name the bot'),
    ],
)
def test_a_tournament_in_one_process_goes_on_and_says_what_it_knows(
    bot: str, sentence: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plan = spec(bot, "in-process", tmp_path / "plan.toml", games=1)
    out = tmp_path / "out"
    assert main(["tournament", "run", plan, "--out", str(out), "--jobs", "1", "--no-report"]) == 1
    assert re.search(sentence, capfd.readouterr().err)


def test_why_games_were_aborted_is_told_beside_a_json_document(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plan = spec("Crasher", "in-process", tmp_path / "plan.toml", games=2)
    out = str(tmp_path / "out")
    assert main(["tournament", "run", plan, "--out", out, "--jobs", "2", "--json"]) == 1
    told, err = capfd.readouterr()
    assert json.loads(told)["aborted"] == 2
    [line] = err.splitlines()
    assert line.startswith("daide tournament: game 0 was aborted: the worker ended twice")
    assert line.endswith("(2 games in all)")


def test_a_bot_that_prints_much_is_no_fault_and_reaches_nobody(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plan = spec("Flooder", "processes", tmp_path / "plan.toml", games=1)
    out = str(tmp_path / "out")
    assert main(["tournament", "run", plan, "--out", out, "--jobs", "1", "--json"]) == 0
    told, err = capfd.readouterr()
    assert (json.loads(told)["faults"], err) == (0, "")


def test_many_kinds_are_counted_after_the_first() -> None:
    players = {"FRA": "mine", "ENG": "other"}
    errors = [
        {"error": f"ValueError: {number}", "where": [f"mine.py:{number} in f"], "turn": "SPR 1901"}
        for number in range(MOST + 3)
    ]
    faults = [{"power": "FRA", "what": "failed", "turn": None, "errors": errors}]
    played = game(4, players, {"FRA": 3, "ENG": 3}, faults=faults)
    told = complaints([played])
    assert len(told) == MOST + 1
    assert told[0] == "mine failed: ValueError: 0 at mine.py:0 in f (first in SPR 1901 of game 4)"
    assert told[-1] == "and 3 more kinds of faults"

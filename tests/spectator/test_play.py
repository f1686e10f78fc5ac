import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.main import main
from matches.match import Match
from rules.phrases import power_name
from rules.variants import load_board
from spectator.live_table import TableView, view_of
from spectator.observed_game import ObservedGame
from spectator.play import Extras, result
from spectator.play import play as play_shown
from spectator.terminal import NoDisplay


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["play", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def play(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    code, out, err = run(capsys, "--variant", "lagoon", "--last-year", "1903", "--json", *arguments)
    assert (code, err) == (0, "")
    result: dict[str, Any] = json.loads(out)
    return result


def test_a_game_is_played_by_processes_and_its_result_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    result = play(capsys, "--bots", "dumbbot*2,holdbot", "--seed", "3")
    assert (result["outcome"], result["winners"], result["year"]) == ("year-limit", [], 1903)
    assert result["ending"]["turn"] == ["FAL", 1903]
    assert result["seed"] == 3
    assert sorted(player["bot"] for player in result["players"]) == [
        "dumbbot",
        "dumbbot",
        "holdbot",
    ]
    assert result["phases"] >= 6


def test_the_same_seed_plays_the_same_game(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    records = []
    for name in ("first", "second"):
        path = tmp_path / name
        play(capsys, "--seed", "11", "--bots", "dumbbot*2,randombot", "--record", str(path))
        records.append(json.loads(path.read_text()))
    assert records[0]["turns"] == records[1]["turns"]
    assert records[0]["players"] == records[1]["players"]


def test_a_game_with_press_is_the_same_every_time(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    records, results = [], []
    for name in ("first", "second"):
        path = tmp_path / name
        results.append(play(capsys, "--seed", "5", "--press-level", "10", "--record", str(path)))
        records.append(json.loads(path.read_text()))
    assert results[0]["press_messages"] == results[1]["press_messages"] > 0
    assert results[0]["players"] == results[1]["players"]
    assert sum(player["promises_kept"] for player in results[0]["players"]) > 0
    assert records[0]["turns"] == records[1]["turns"]
    assert press_by_power(records[0]) == press_by_power(records[1])


def press_by_power(record: dict[str, Any]) -> dict[str, list[str]]:
    """Return what each power said, in its order; how the powers interleave is a matter of luck."""
    said: dict[str, list[str]] = {}
    for message in record["messages"]:
        if message["text"].startswith("SND "):
            said.setdefault(message["power"], []).append(message["text"])
    return said


def test_a_piped_game_is_told_in_lines_on_standard_output(
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = ("--variant", "lagoon", "--last-year", "1902", "--seed", "1")
    code, out, err = run(capsys, *options, "--bots", "dumbbot*2,holdbot")
    assert (code, err) == (0, "")
    told = [line.partition(":")[0] for line in out.splitlines()[:3]]
    assert told == ["Start", "1901", "1902"]
    *standings, sentence, figures = out.splitlines()[3:]
    powers = load_board("lagoon").powers
    assert [line.split()[0] for line in standings] == [power_name(each) for each in powers]
    for line in standings:
        assert re.fullmatch(
            r"\w+ +(dumbbot|holdbot) +\d+ centers?  kept 0 of 0 promises, 0 stabs", line
        )
    assert sentence.startswith("The year limit ends the game in 1902: ")
    assert figures.endswith(" s, seed 1")


def test_the_last_table_tells_of_promises_what_the_result_does() -> None:
    players = dict.fromkeys(load_board("lagoon").powers, "banker")
    match = Match(
        players={power.name: bot for power, bot in players.items()},
        variant="lagoon",
        press_level=20,
        last_year=1903,
        seed=3,
    )
    seen: list[TableView] = []

    class Camera(NoDisplay):
        def update(self, watch: ObservedGame) -> None:
            seen.append(view_of(watch, players))

    told = result(play_shown(match, Camera(), Extras()))
    kept = [(each["promises_kept"], each["promises_broken"]) for each in told["players"]]
    assert any(one for one, _ in kept)
    assert [row.kept for row in seen[-1].rows] == [
        f"{one} of {one + other}" if one + other else "" for one, other in kept
    ]


def test_who_reads_only_the_first_line_sees_no_traceback() -> None:
    command = [sys.executable, "-m", "cli", "play", "--variant", "lagoon", "--last-year", "1903"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as play:
        assert play.stdout
        assert play.stderr
        assert play.stdout.readline().startswith(b"Start: ")
        play.stdout.close()
        assert play.wait() == 0
        # On a busy machine the server may say that it stood still.
        said = [line for line in play.stderr if b"the server stood still" not in line]
        assert said == []


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            ("--bots", "nosuchbot*7"),
            "--bots: no such bot: 'nosuchbot' (did you mean searchbot?); the bots",
        ),
        (("--press-level", "15"), "--press-level: 15 is not one of 0, 10"),
        (("--last-year", "1800"), "--last-year: the game starts in 1901"),
        (("--variant", "nowhere"), "no such variant: 'nowhere'"),
        (("--turn-limit", "0"), "--turn-limit: '0' is not a number of seconds above 0"),
        (("--mqtt", "http://here"), "--mqtt: no such scheme: 'http'"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_sentence(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], complaint: str
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert complaint in err
    assert err.count("\n") == 1


def test_a_bot_that_cannot_be_made_is_told_before_the_game(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ("--variant", "lagoon", "--bots", "COR=no_module:Bot,holdbot*2")
    assert run(capsys, *arguments) == (
        2,
        "",
        "daide play: --bots: no such module: 'no_module' (for the bot 'no_module:Bot')\n",
    )


def test_a_bot_that_raises_is_named_once_with_its_own_lines(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bots = "COR=tests.tournament.bad_bots:AlwaysRaiser,holdbot*2"
    arguments = ("--variant", "lagoon", "--bots", bots, "--last-year", "1903", "--json")
    code, out, err = run(capsys, *arguments)
    assert (code, json.loads(out)["outcome"]) == (1, "year-limit")
    assert err == (
        "daide play: COR (tests.tournament.bad_bots:AlwaysRaiser) failed: KeyError: 'COR' at "
        "bad_bots.py:86 in choose_orders (first in SPR 1901, 6 times)\n"
    )


def test_a_bot_that_hangs_is_ended_and_the_game_goes_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bots = "COR=tests.tournament.bad_bots:Hanger,holdbot*2"
    arguments = ("--variant", "lagoon", "--bots", bots, "--last-year", "1902", "--json")
    code, out, err = run(capsys, *arguments, "--turn-limit", "2", "--press-level", "0")
    assert (code, json.loads(out)["outcome"]) == (1, "year-limit")
    assert err == (
        "daide play: COR (tests.tournament.bad_bots:Hanger) hung in FAL 1901, "
        "ended after 2 s without a sign of life\n"
    )


def test_a_record_that_cannot_be_written_is_told_before_the_game(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, out, err = run(capsys, "--record", str(tmp_path / "no" / "game.json"))
    assert (code, out) == (2, "")
    assert "--record: there is no folder" in err

"""`daide watch`, from a broker, from a server's port and from a record."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.main import main
from tests.feed.brokers import RunningBroker
from tests.feed.fed_host import fed_hosting, play_all, wanderers

SAMPLE = Path(__file__).parents[1] / "data" / "page" / "record.json"


async def watch(*arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cli", "watch", *arguments,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip


async def finished(process: asyncio.subprocess.Process) -> tuple[int | None, Any, str]:
    out, err = await process.communicate()
    # Without a result the sentence that says why is what a failed test should show.
    return process.returncode, json.loads(out or b"null"), err.decode()


async def test_a_game_is_followed_from_the_port_and_from_the_broker(broker: RunningBroker) -> None:
    async with fed_hosting(broker.address) as fed:
        room = fed.hosted.host.new_room()
        port = await watch("--port", str(fed.hosted.port), "--json")
        await fed.is_watched(room.game)
        players = wanderers()
        await play_all(fed.hosted, players)
        code, seen, err = await finished(port)
        assert (code, err) == (0, "")
        # The game is over: what the broker has retained is enough to tell how it ended.
        feed = await watch("--mqtt", broker.url, "--game", "game-1", "--json")
        code, told, err = await finished(feed)
        assert (code, err) == (0, "")
    assert told["outcome"] == seen["outcome"] == "year-limit"
    assert told["ending"] == seen["ending"]
    assert told["year"] == seen["year"] == 1902
    assert told["players"] == seen["players"]
    assert [each["name"] for each in told["players"]] == [
        next(player.name for player in players if str(player.power) == each["power"])
        for each in told["players"]
    ]


PLAY = ("--variant", "lagoon", "--bots", "dumbbot*3", "--last-year", "1902", "--seed", "1")


def test_a_record_is_told_as_the_game_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.json"
    assert main(["play", *PLAY, "--record", str(record)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert main(["watch", str(record)]) == 0
    assert capsys.readouterr().out.splitlines()[:-1] == [line for line in told if ": " in line][:-1]
    assert main(["watch", str(record), "--json"]) == 0
    seen = json.loads(capsys.readouterr().out)
    assert (seen["outcome"], seen["year"]) == ("year-limit", 1902)


def test_a_record_of_a_game_that_goes_on_ends_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = json.loads(SAMPLE.read_text().partition("\n")[0]) | {"stage": "running"}
    (tmp_path / "game.json").write_text(json.dumps(record))
    assert main(["watch", str(tmp_path / "game.json")]) == 1
    assert "game.json: the record ends before the game does" in capsys.readouterr().err

"""`daide watch`, from a broker and from a server's port."""

import asyncio
import json
import sys
from typing import Any

from tests.feed.brokers import RunningBroker
from tests.feed.fed_host import fed_hosting, play_all, wanderers


async def watch(*arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cli", "watch", *arguments,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip


async def finished(process: asyncio.subprocess.Process) -> tuple[int | None, Any, str]:
    out, err = await process.communicate()
    return process.returncode, json.loads(out), err.decode()


async def test_a_game_is_followed_from_the_port_and_from_the_broker(broker: RunningBroker) -> None:
    async with fed_hosting(broker.address) as fed:
        room = fed.hosted.host.new_room()
        port = await watch("--port", str(fed.hosted.port), "--json")
        await fed.becomes(lambda _: len(room.game.clients) == 1)
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

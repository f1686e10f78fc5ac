"""Bot hosts as processes of their own, and the servers that ask them."""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from attrs import evolve

from feed.bot_requests import BotRequest
from feed.outbox import Letter
from server.bot_desk import BotDesk
from server.config import ServerConfig
from server.settings import GameSettings
from server.stage import Stage
from tests.feed.brokers import Listener, RunningBroker
from tests.feed.fed_host import fed_hosting
from tests.server.hosting import LIMITS

ROOT = Path(__file__).resolve().parent.parent.parent


@asynccontextmanager
async def running(*arguments: str) -> AsyncIterator[Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", *arguments, cwd=ROOT, stdin=DEVNULL, stderr=DEVNULL
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


def hosts_there(listener: Listener) -> int:
    there = {each.topic for each in listener.letters if b'"online"' in each.payload}
    return sum("/hosts/" in topic for topic in there)


async def test_three_hosts_answer_twenty_requests_once_each(
    broker: RunningBroker, tmp_path: Path
) -> None:
    files = [tmp_path / name for name in ("one", "two", "three")]
    async with (
        Listener(broker.address, "daide/v1/hosts/+/status", "daide/v1/test/bots/claims") as heard,
        running("tests.feed.quick_host", broker.url, "one", str(files[0])),
        running("tests.feed.quick_host", broker.url, "two", str(files[1])),
        running("tests.feed.quick_host", broker.url, "three", str(files[2])),
    ):
        desk = BotDesk("test", heard.broker.send)

        def pass_on(letter: Letter) -> None:
            if letter.topic in desk.subscriptions:
                desk.receive(letter.topic, letter.payload.decode())

        await heard.until(lambda: hosts_there(heard) == 3)
        heard.on_letter = pass_on
        wanted = BotRequest(id="", server="", bot="holdbot", address="here", port=1, game="g")
        for _ in range(20):
            desk.ask(wanted)
        await heard.until(lambda: desk.book.joined == 20)
    started = [line for file in files if file.exists() for line in file.read_text().split()]
    assert len(started) == len(set(started)) == 20
    assert desk.book.repeated == 0
    assert all(file.exists() for file in files)


async def test_a_host_killed_between_claim_and_join_is_replaced(
    broker: RunningBroker, tmp_path: Path
) -> None:
    settings = GameSettings(last_year=1901, linger=0.01)
    config = ServerConfig(
        port=0, seed=7, variant="lagoon", fill="holdbot", settings=settings, limits=LIMITS
    )
    async with (
        Listener(broker.address, "daide/v1/#") as heard,
        fed_hosting(broker.address, config=evolve(config, bot_hosts=True)) as fed,
    ):
        host = fed.hosted.host
        room = host.new_room()
        await fed.becomes(lambda publisher: publisher.is_connected)
        claimed = tmp_path / "claimed"
        async with running("tests.feed.quick_host", broker.url, "bad", str(claimed), "hang") as bad:
            await heard.until(lambda: hosts_there(heard) == 1)
            assert host.start_bots("game-1", []) == "3 bots of kind holdbot are coming"
            granted = "daide/v1/test/bots/granted/bad"
            await heard.until(lambda: sum(each.topic == granted for each in heard.letters) == 3)
            offer = ("--mqtt", broker.url, "--offer", "holdbot", "--name", "good", "--seed", "1")
            async with running("cli", "bots", "host", *offer):
                await heard.until(lambda: hosts_there(heard) == 2)
                bad.kill()
                await fed.becomes(lambda _: room.stage is Stage.ENDED)
                desk = host.stand_ins.desk
                assert desk is not None
                assert desk.book.repeated == 3
        offline = [each.topic for each in heard.letters if b'"offline"' in each.payload]
        assert "daide/v1/hosts/bad/status" in offline
    assert len(claimed.read_text().split()) == 3

"""Brokers that die, stall and refuse: no game may notice."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from attrs import evolve
from structlog.testing import capture_logs

from feed.broker import BrokerState
from feed.story import GameStory
from server.record import record_to_json
from server.store import Store
from tests.feed.brokers import PASSWORD, USER, Listener, RunningBroker
from tests.feed.fed_host import Gate, Thinker, deadlines, fed_hosting, play_all, wanderers
from tests.server.hosting import hosting, with_settings


@pytest.fixture
async def gate(broker: RunningBroker) -> AsyncIterator[Gate]:
    opened = Gate(broker.address)
    await opened.open()
    yield opened
    await opened.shut()


@pytest.fixture
async def calm() -> tuple[list[list[str]], int]:
    """What the players hear in the same game without a feed, and how often the clock decided."""
    store = Store()
    async with hosting(with_settings(last_year=1902), store) as hosted:
        players = wanderers()
        await play_all(hosted, players)
    ticks = deadlines(store.load(1))
    store.close()
    return [player.results for player in players], ticks


async def test_a_broker_that_is_killed_in_mid_game_gets_everything_when_it_is_back(
    broker: RunningBroker, gate: Gate, calm: tuple[list[list[str]], int]
) -> None:
    thinker = Thinker("P6", ("FAL 1901", "SPR 1902"))
    phase, book = (f"daide/v1/test/games/game-1/{kind}" for kind in ("phase", "private/book"))
    with capture_logs() as logs:
        async with (
            Listener(broker.address, "daide/v1/#") as listener,
            fed_hosting(gate.address) as fed,
        ):
            await fed.becomes(lambda publisher: publisher.is_connected)
            players = [*wanderers()[:6], thinker]
            playing = asyncio.create_task(play_all(fed.hosted, players))
            await thinker.thinks_about["FAL 1901"].wait()
            # What a broker has confirmed and not passed on when it dies is lost to subscribers.
            await listener.until(
                lambda: any(
                    each.topic == phase and b"FAL" in each.payload for each in listener.letters
                )
            )
            broker.kill()
            thinker.move()
            await thinker.thinks_about["SPR 1902"].wait()
            await gate.shut()
            await broker.start()
            await listener.until(lambda: listener.states.count(BrokerState.CONNECTED) == 2)
            await gate.open()
            thinker.move()
            await playing
            await listener.until(lambda: any(each.topic == book for each in listener.letters))
            record = fed.store.load(1)
    assert ([player.results for player in players], deadlines(record)) == calm
    story = GameStory()
    for told in listener.told:
        story.receive(told)
    assert story.missed == 0
    assert story.turns == record_to_json(record)["turns"]
    events = [each["event"] for each in logs if "broker" in each["event"]]
    assert events == ["broker connected", "broker lost, games go on", "broker connected"]


async def test_what_does_not_fit_the_buffer_is_dropped_and_counted(
    broker: RunningBroker, gate: Gate, calm: tuple[list[list[str]], int]
) -> None:
    with capture_logs() as logs:
        async with (
            Listener(broker.address, "daide/v1/#") as listener,
            fed_hosting(gate.address, buffer=10) as fed,
        ):
            await fed.becomes(lambda publisher: publisher.is_connected)
            gate.stall()
            players = wanderers()
            await play_all(fed.hosted, players)
            await fed.becomes(lambda publisher: publisher.dropped > 0)
            gate.flow()
            last = "daide/v1/test/games/game-1/lobby"
            await listener.until(
                lambda: any(
                    each.topic == last and b'"ended"' in each.payload for each in listener.letters
                )
            )
            record = fed.store.load(1)
    assert ([player.results for player in players], deadlines(record)) == calm
    story = GameStory()
    for told in listener.told:
        story.receive(told)
    assert story.missed == fed.publisher.dropped > 0
    assert [each["event"] for each in logs].count(
        "feed buffer full, the oldest events are dropped"
    ) == 1


async def test_a_wrong_password_is_one_line_in_the_log(
    tmp_path: Path, calm: tuple[list[list[str]], int]
) -> None:
    locked = RunningBroker(tmp_path, needs_password=True)
    await locked.start()
    try:
        wrong = evolve(locked.address, user=USER, password="guess")
        with capture_logs() as logs:
            async with fed_hosting(wrong) as fed:
                players = wanderers()
                await play_all(fed.hosted, players)
                await fed.becomes(lambda _: any("refuses" in each["event"] for each in logs))
                record = fed.store.load(1)
        assert ([player.results for player in players], deadlines(record)) == calm
        events = [each["event"] for each in logs if "broker" in each["event"]]
        assert events == ["broker refuses user or password"]
        right = evolve(locked.address, user=USER, password=PASSWORD)
        async with Listener(right) as listener:
            assert listener.states == [BrokerState.CONNECTED]
    finally:
        locked.kill()

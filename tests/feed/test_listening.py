"""Listening to a broker's topics, as `daide watch` and `daide tournament collect` do."""

import asyncio
from contextlib import aclosing
from pathlib import Path

import pytest
from attrs import evolve

from feed.broker import BrokerState
from feed.listening import RefusedByBrokerError, letters_from
from feed.outbox import Letter
from tests.feed.brokers import PASSWORD, USER, Listener, RunningBroker
from tests.patience import PATIENCE


async def test_letters_come_until_one_has_heard_enough(broker: RunningBroker) -> None:
    states: list[BrokerState] = []
    connected = asyncio.Event()

    def note(state: BrokerState, _: str) -> None:
        states.append(state)
        connected.set()

    news = letters_from(broker.address, ["one/#"], who="test", on_state=note)
    async with asyncio.timeout(PATIENCE), aclosing(news) as letters:
        first = asyncio.ensure_future(anext(letters))
        await connected.wait()
        async with Listener(broker.address, name="speaker") as speaker:
            speaker.broker.send(Letter("two/a", b"no"))
            speaker.broker.send(Letter("one/b", b"yes"))
            assert (await first).payload == b"yes"
    assert states == [BrokerState.CONNECTED]
    assert not [each for each in asyncio.all_tasks() if each.get_name() == "test.broker"]


async def test_a_broker_that_does_not_let_us_in_says_why(tmp_path: Path) -> None:
    locked = RunningBroker(tmp_path, needs_password=True)
    await locked.start()
    try:
        wrong = evolve(locked.address, user=USER, password=f"not {PASSWORD}")
        states: list[BrokerState] = []
        news = letters_from(
            wrong, ["#"], who="test", on_state=lambda state, _: states.append(state)
        )
        async with asyncio.timeout(PATIENCE), aclosing(news) as letters:
            with pytest.raises(RefusedByBrokerError):
                await anext(letters)
        assert states == [BrokerState.REFUSED]
    finally:
        locked.kill()

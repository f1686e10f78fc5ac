"""Listening to the topics of a broker for as long as somebody wants to."""

import asyncio
import os
from collections.abc import AsyncGenerator, Iterable

from feed.address import BrokerAddress
from feed.broker import Broker, BrokerState, Caller, OnState, Subscription
from feed.outbox import Letter


class RefusedByBrokerError(Exception):
    """The broker does not let us in; the text says why."""


async def letters_from(
    address: BrokerAddress, topics: Iterable[str], *, who: str, on_state: OnState
) -> AsyncGenerator[Letter, None]:
    """Give the letters of these topics as they come; to be closed with `contextlib.aclosing`.

    A lost connection is made again, and told to `on_state`. Raises RefusedByBrokerError.
    """
    news: asyncio.Queue[Letter | RefusedByBrokerError] = asyncio.Queue()

    def note(state: BrokerState, why: str) -> None:
        on_state(state, why)
        if state is BrokerState.REFUSED:
            news.put_nowait(RefusedByBrokerError(why))

    caller = Caller(
        name=f"daide-{who}-{os.getpid()}-{os.urandom(3).hex()}",
        subscriptions=tuple(Subscription(each) for each in topics),
    )
    broker = Broker(address, caller, on_state=note, on_letter=news.put_nowait)
    running = asyncio.create_task(broker.run(), name=f"{who}.broker")
    try:
        while True:
            letter = await news.get()
            if isinstance(letter, RefusedByBrokerError):
                raise letter
            yield letter
    finally:
        running.cancel()
        await asyncio.wait([running])

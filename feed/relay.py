"""The feed's own process: takes facts from a server's pipe and gives events to the broker.

The server spends on an event what it takes to write a line; making the event of it, the work for
the broker and every wait for it happen here. The first line of standard input says where the
broker is, every further line is a fact or a letter. On standard output go what the broker says and
how the connection fares. The end of the input is the end of the server, wanted or not: then the
status that stands for "offline" is published, and what is left, for a few seconds.
"""

import asyncio

from feed.address import BrokerAddress
from feed.broker import Broker, BrokerState, Caller, Subscription
from feed.facts import Fact
from feed.from_server import FromServer
from feed.outbox import BUFFER, Letter, Outbox
from feed.teller import Teller
from feed.wire import say

FAREWELL = 3.0
SHORT_FAREWELL = 0.5
"""For a broker that is not there anyway."""
LONGEST_LETTER = 64_000
REPORT = 1.0
"""Seconds between two reports: the server has better things to do than to read them."""


async def relay() -> None:
    """Publish until the input ends."""
    server = await FromServer.opened()
    if server is None:
        return
    setup = server.setup
    outbox = Outbox(setup.get("buffer", BUFFER))
    offline = Letter(setup["status"], setup["offline"].encode(), is_retained=True)
    broker = Broker(
        BrokerAddress(**setup["address"]),
        Caller(
            name=setup["name"],
            will=offline,
            greeting=(Letter(setup["status"], setup["online"].encode(), is_retained=True),),
            subscriptions=tuple(Subscription(topics) for topics in setup["subscriptions"]),
        ),
        outbox=outbox,
        on_state=_tell_state,
        on_letter=_tell_letter,
    )
    broker.on_denial = _tell_denial
    teller = Teller(setup["server"])
    running = asyncio.create_task(broker.run(), name="relay.broker")
    reporting = asyncio.create_task(_report(outbox), name="relay.report")

    def take(told: Letter | Fact) -> None:
        for letter in [told] if isinstance(told, Letter) else teller.tell(told):
            broker.send(letter)

    await server.take_all(take)
    broker.send(offline)
    if not await broker.flush(FAREWELL if broker.is_connected else SHORT_FAREWELL):
        say({"lost": len(outbox)})
    say(_figures(outbox))
    for task in (running, reporting):
        task.cancel()
    await asyncio.wait([running, reporting])


def _tell_denial(why: str) -> None:
    say({"denied": why})


def _tell_state(state: BrokerState, why: str) -> None:
    say({"state": state.value, "why": why})


def _tell_letter(letter: Letter) -> None:
    """Pass a letter on; nothing that is said to a server is as long as the line it would make."""
    if len(letter.payload) > LONGEST_LETTER:
        say({"refused": f"a letter of {len(letter.payload)} bytes on {letter.topic[:200]}"})
        return
    say({"topic": letter.topic, "payload": letter.payload.decode(errors="replace")})


async def _report(outbox: Outbox) -> None:
    """Tell how much waits and how much was dropped, whenever that changes."""
    told: dict[str, int] = {}
    while True:
        if (figures := _figures(outbox)) != told:
            told = figures
            say(figures)
        await asyncio.sleep(REPORT)


def _figures(outbox: Outbox) -> dict[str, int]:
    return {"waiting": len(outbox), "dropped": outbox.dropped, "taken": outbox.taken}


if __name__ == "__main__":
    asyncio.run(relay())

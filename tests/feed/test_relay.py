"""Relays that die, fall behind, or are not let in by the broker."""

import asyncio
import os
import signal
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from feed.outbox import Letter
from feed.publisher import Feed, Publisher
from feed.story import GameStory
from server.record import record_to_json
from tests.feed.brokers import MOSQUITTO, Listener, RunningBroker
from tests.feed.fed_host import Thinker, all_agree, fed_hosting, play_all, talkers, wanderers

PHASE, BOOK = (f"daide/v1/test/games/game-1/{kind}" for kind in ("phase", "private/book"))


async def test_a_relay_that_is_killed_is_followed_by_one_that_knows_the_game(
    broker: RunningBroker,
) -> None:
    thinker = Thinker("P6", ("FAL 1901",))
    with capture_logs() as logs:
        async with (
            Listener(broker.address, "daide/v1/#") as listener,
            fed_hosting(broker.address) as fed,
        ):
            playing = asyncio.create_task(play_all(fed.hosted, [*talkers(), thinker]))
            await thinker.thinks_about["FAL 1901"].wait()
            await listener.until(
                lambda: any(
                    each.topic == PHASE and b"FAL" in each.payload for each in listener.letters
                )
            )
            await all_agree(fed.hosted)
            assert fed.publisher.pid is not None
            os.kill(fed.publisher.pid, signal.SIGKILL)
            await fed.becomes(lambda publisher: not publisher.is_connected)
            thinker.move()
            await playing
            await listener.until(lambda: any(each.topic == BOOK for each in listener.letters))
            record = record_to_json(fed.store.load(1))
    events = listener.told
    story = GameStory()
    for each in events:
        story.receive(each)
    assert len({each.run for each in events}) == 2
    assert (story.missed, story.turns) == (0, record["turns"])
    assert story.book is not None
    assert story.book.promises == record["promises"] != []
    assert [each["event"] for each in logs].count("feed relay ended, starting it again") == 1


async def test_a_relay_that_was_too_far_behind_is_told_anew(broker: RunningBroker) -> None:
    feed = Feed(
        address=broker.address,
        server="test",
        status="status",
        online="{}",
        offline="{}",
        most_unread=1000,
    )
    publisher = Publisher(feed)
    publisher.retell = lambda: publisher.send(Letter("again", b"{}"))
    with capture_logs() as logs:
        async with Listener(broker.address, "again", "lost") as listener:
            for _ in range(20):
                publisher.send(Letter("lost", b"." * 100))
            assert publisher.dropped == 20
            publisher.start()
            await listener.until(lambda: listener.letters)
            await publisher.stop()
    assert [each.topic for each in listener.letters] == ["again"]
    assert [each["event"] for each in logs].count("feed relay is behind, events are dropped") == 1


@pytest.mark.skipif(MOSQUITTO is None, reason="the embedded broker has no access list")
async def test_a_broker_that_throws_events_away_is_one_line_in_the_log(tmp_path: Path) -> None:
    strict = RunningBroker(tmp_path, access="topic read #\n")
    await strict.start()
    try:
        with capture_logs() as logs:
            async with fed_hosting(strict.address) as fed:
                await play_all(fed.hosted, wanderers())
                await fed.becomes(lambda publisher: publisher.published > 0 == publisher.waiting)
        told = [each for each in logs if each["event"].startswith("broker refuses")]
        assert [(each["event"], each["why"]) for each in told] == [
            ("broker refuses events, see its access list", "Not authorized")
        ]
    finally:
        strict.kill()


async def test_a_letter_that_cannot_be_published_is_dropped_and_the_next_goes_out(
    broker: RunningBroker,
) -> None:
    async with Listener(broker.address, "good") as listener:
        denied: list[str] = []
        listener.broker.on_denial = denied.append
        for topic in ("bad/+", "bad/#", "x" * 70_000, "good"):
            listener.broker.send(Letter(topic, b"1"))
        await listener.until(lambda: any(each.topic == "good" for each in listener.letters))
    assert denied

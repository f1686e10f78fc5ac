"""What a server tells of its games, without a broker."""

import asyncio

import attrs

from feed.events import (
    Lobby,
    PhaseBegun,
    PlayersSeated,
    PositionReached,
    Told,
    told_from_bytes,
)
from feed.facts import Fact, fact_from_line
from feed.story import GameStory
from feed.teller import Teller
from server.record import record_to_json
from server.reporter import Reporter
from server.store import Store
from tests.feed.fed_host import Thinker, all_agree, play_all, talkers, wanderers
from tests.server.hosting import hosting, with_settings


def told(sent: list[Fact]) -> list[Told]:
    """Return the events that a relay makes of what a server has sent."""
    teller = Teller("s")
    return [
        told_from_bytes(letter.payload)
        for fact in sent
        for letter in teller.tell(fact_from_line(fact.to_line()))
    ]


async def test_a_game_that_a_restart_has_interrupted_is_told_on() -> None:
    sent: list[Fact] = []
    store = Store()
    config = with_settings(last_year=1902)
    thinker = Thinker("P6", ("FAL 1901",))
    players = [*talkers(), thinker]
    async with hosting(config, store) as hosted:
        hosted.host.add_observer(Reporter("standard", sent.append))
        playing = asyncio.create_task(play_all(hosted, players))
        await thinker.thinks_about["FAL 1901"].wait()
        await all_agree(hosted)
        playing.cancel()
        await asyncio.wait([playing])
    thinker.thinks_about.clear()
    async with hosting(config, store) as hosted:
        hosted.host.add_observer(Reporter("standard", sent.append))
        peers = [await hosted.peer() for _ in players]
        await asyncio.gather(
            *(player.come_back(peer) for player, peer in zip(players, peers, strict=True))
        )
    record = record_to_json(store.load(1))
    store.close()
    story = GameStory()
    events = told(sent)
    assert all(story.receive(each) for each in events)
    assert len({each.run for each in events}) == 2
    assert (story.missed, story.is_over) == (0, True)
    assert story.start == record["start"]
    assert story.turns == record["turns"]
    assert story.book is not None
    # Promises of the first run were judged in the second one.
    assert any(each["made"][1] < each["ended"][1] for each in record["promises"])
    assert attrs.asdict(story.book) == {
        name: record[name] for name in ("promises", "offers", "stabs")
    }


async def test_a_relay_that_knows_nothing_is_told_of_all_games() -> None:
    sent: list[Fact] = []
    store = Store()
    thinker = Thinker("P6", ("FAL 1901",))
    async with hosting(with_settings(last_year=1902), store) as hosted:
        reporter = Reporter("standard", sent.append)
        hosted.host.add_observer(reporter)
        playing = asyncio.create_task(play_all(hosted, [*talkers(), thinker]))
        await thinker.thinks_about["FAL 1901"].wait()
        await all_agree(hosted)
        before = told(sent)
        sent.clear()
        reporter.retell()
        thinker.move()
        await playing
    record = record_to_json(store.load(1))
    store.close()
    events = told(sent)
    assert [type(each.event) for each in events[:4]] == [
        Lobby,
        PlayersSeated,
        PositionReached,
        PhaseBegun,
    ]
    story = GameStory()
    assert all(story.receive(each) for each in [*before, *events])
    assert (story.missed, story.turns) == (0, record["turns"])
    assert story.book is not None
    assert story.book.promises == record["promises"] != []


async def test_an_observer_that_fails_is_no_concern_of_the_game() -> None:
    class Broken(Reporter):
        def handled(self, *_: object) -> None:
            raise RuntimeError("on purpose")

    async with hosting() as hosted:
        hosted.host.add_observer(Broken("standard", lambda _: None))
        players = wanderers()
        await play_all(hosted, players)
        assert all(player.summary for player in players)

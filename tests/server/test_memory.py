"""When a server gives memory back; what it takes stands in the floods and the soak."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from server import cli
from server.config import ServerConfig
from server.memory import CALM, CROWD, LONGEST_PAUSE, LONGEST_UNREST, Keeper, settle
from server.snapshot import fingerprint
from server.store import Store
from tests.server.hosting import becomes, hosting


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    """Leave the collector as it was."""
    threshold = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*threshold)


@pytest.fixture
def store() -> Iterator[Store]:
    """Keep a store open as long as it is needed."""
    kept = Store()
    yield kept
    kept.close()


class Ring:
    """Something that only the collector finds."""

    def __init__(self) -> None:
        self.itself = self


def crowd_leaves(keeper: Keeper, now: float) -> None:
    for _ in range(CROWD):
        keeper.note_leaving(now)


def test_what_was_there_before_is_found_as_well_when_its_time_has_come(store: Store) -> None:
    keeper, ring = Keeper(store.release_memory), Ring()
    seen = weakref.ref(ring)
    settle()
    del ring
    gc.collect()
    assert seen() is not None, "taken as there for good"
    crowd_leaves(keeper, 0.0)
    keeper.look(CALM)
    assert seen() is None


def test_a_few_who_leave_are_no_reason_to_stop_everybody(store: Store) -> None:
    keeper = Keeper(store.release_memory)
    for _ in range(CROWD - 1):
        keeper.note_leaving(1.0)
    assert not keeper.is_due(1.0 + CALM)
    assert keeper.is_due(LONGEST_PAUSE)


def test_a_server_that_has_settled_is_not_stopped_by_its_turns() -> None:
    settle()
    full = gc.get_stats()[2]["collections"]
    kept = [[number] for number in range(300_000)]
    assert gc.get_stats()[2]["collections"] == full
    assert gc.get_stats()[0]["collections"] > 0
    assert len(kept) == 300_000


def test_nothing_is_given_back_before_anybody_has_left_but_once_in_a_while(store: Store) -> None:
    assert not Keeper(store.release_memory).is_due(LONGEST_PAUSE - 1)
    assert Keeper(store.release_memory).is_due(LONGEST_PAUSE)


def test_memory_is_given_back_when_nobody_has_left_for_a_moment(store: Store) -> None:
    keeper = Keeper(store.release_memory)
    crowd_leaves(keeper, 1.0)
    keeper.note_leaving(2.0)
    assert not keeper.is_due(1.0 + CALM)
    assert keeper.is_due(2.0 + CALM)


def test_it_is_not_put_off_for_ever_while_clients_come_and_go(store: Store) -> None:
    keeper = Keeper(store.release_memory)
    for second in range(int(LONGEST_UNREST)):
        keeper.note_leaving(float(second))
    assert not keeper.is_due(LONGEST_UNREST - 1)
    assert keeper.is_due(LONGEST_UNREST)


def test_it_is_done_once_and_then_not_at_once_again(store: Store) -> None:
    keeper = Keeper(store.release_memory)
    crowd_leaves(keeper, 0.0)
    keeper.look(CALM)
    assert not keeper.is_due(2 * CALM), "there is nothing more to give"
    crowd_leaves(keeper, CALM)
    # It took some time, and may take a small share of all time only.
    assert not keeper.is_due(CALM)
    assert keeper.is_due(2 * LONGEST_PAUSE)


async def test_a_server_looks_after_its_memory() -> None:
    async with hosting() as hosted:
        given_back = []
        hosted.host.memory = Keeper(lambda: given_back.append(True))
        crowd_leaves(hosted.host.memory, hosted.host.clock.now() - CALM)
        await becomes(lambda: bool(given_back))


async def test_a_connection_that_has_ended_needs_no_collector() -> None:
    gc.disable()
    try:
        async with hosting() as hosted:
            peer = await hosted.peer("NME ( 'Bot' ) ( '1' )")
            await peer.until("MAP")
            (link,) = hosted.listener._links
            seen = weakref.ref(link), weakref.ref(link._transport)
            del link
            peer.vanish()
            await becomes(lambda: not hosted.listener._links)
            await becomes(lambda: [each() for each in seen] == [None, None])
    finally:
        gc.enable()


async def test_our_files_are_read_before_anybody_plays(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first snapshot asks for them, in the middle of a turn: it took a tenth of a second."""
    read = []
    monkeypatch.setattr(cli, "settle", lambda: read.append(fingerprint.cache_info().currsize))
    monkeypatch.setattr(cli, "Host", lambda *_: read.index(-1))
    fingerprint.cache_clear()
    with pytest.raises(ValueError, match="-1"):
        await cli.serve(ServerConfig(), store)
    assert read == [1]

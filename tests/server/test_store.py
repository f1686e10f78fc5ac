import asyncio
import json
import sqlite3
from math import inf
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from grammar.text import from_text
from rules.errors import BadInputError
from rules.maps import load_map
from rules.outcome import Ending, EndingKind
from rules.position_json import position_from_json, position_to_json
from rules.turns import Season, Turn
from server.inputs import (
    Batch,
    Commanded,
    Connected,
    Disconnected,
    Received,
    Ticked,
    batch_from_bytes,
    batch_to_bytes,
)
from server.record import GameSetup, setup_from_json, setup_to_json
from server.record import setup_to_json as to_json
from server.settings import AbsentPolicy, GameSettings
from server.store import Durability, Store
from tests.patience import PATIENCE
from tests.server.hosting import RawPeer, becomes, hosting, seated, with_settings

SETUP = GameSetup("game-1", "standard", GameSettings(level=20, seats={"A": "FRA"}), 7)
BATCH = Batch(
    1.5,
    (
        Connected(1),
        Received(1, from_text("NME ( 'A' ) ( '1' )")),
        Ticked(),
        Commanded("pause"),
        Disconnected(1),
    ),
)


def test_a_batch_is_read_back_as_it_was_written() -> None:
    assert batch_from_bytes(batch_to_bytes(BATCH)) == BATCH


def test_a_setup_is_read_back_as_it_was_written() -> None:
    start = load_map("standard").start
    setup = GameSetup("x", "standard", GameSettings(absent=AbsentPolicy.DEFAULT_ORDERS), 1, start)
    assert setup_from_json(to_json(setup)) == setup
    assert position_from_json(load_map("standard"), position_to_json(start)) == start


@pytest.mark.parametrize("durability", Durability)
async def test_what_is_appended_is_there_when_the_file_is_opened_again(
    tmp_path: Path, durability: Durability
) -> None:
    path = str(tmp_path / "games.db")
    store = Store(path, durability)
    game = store.new_game(SETUP)
    await asyncio.gather(*(store.append(game, number, BATCH, []) for number in range(1, 21)))
    store.close()
    again = Store(path)
    assert again.games(finished=False) == [game]
    record = again.load(game)
    assert (record.setup, len(record.batches)) == (SETUP, 20)
    again.close()


async def test_an_entry_that_comes_in_a_calm_is_written_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = Store()
    game = store.new_game(SETUP)
    await store.append(game, 1, BATCH, [])
    monkeypatch.setattr("server.store.CALM", -1.0)
    with pytest.raises(StopIteration):
        store.append(game, 2, BATCH, [(1, "{}")]).send(None)
    assert not store.waiting
    assert len(store.load(game).batches) == 2
    assert store.turns(game) == [{}]
    store.close()


async def test_entries_of_one_round_share_a_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store()
    monkeypatch.setattr("server.store.CALM", inf)
    game = store.new_game(SETUP)
    await store.append(game, 0, BATCH, [])
    commits: list[str] = []
    store._database.set_trace_callback(commits.append)
    await asyncio.gather(*(store.append(game, number, BATCH, []) for number in range(1, 20)))
    assert commits.count("COMMIT") == 1
    store.close()


async def hear_thanks(peer: RawPeer, count: int) -> None:
    for _ in range(count):
        await peer.until("THX")


async def test_a_full_disk_gives_no_false_thanks_and_the_game_goes_on_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.store.RETRY", 0.02)
    store = Store()
    async with hosting(with_settings(movement_limit=300), store) as hosted:
        peers = await seated(hosted, 7)
        hello = await peers[0].until("HLO")
        await peers[0].until("TME")
        (pages,) = store._database.execute("PRAGMA page_count").fetchone()
        store._database.execute(f"PRAGMA max_page_count = {pages}")
        stalled = asyncio.Event()
        monkeypatch.setattr(store, "on_stall", stalled.set)
        unit = {"AUS": "AMY BUD", "ENG": "FLT LON", "FRA": "AMY PAR", "GER": "AMY BER",
                "ITA": "AMY ROM", "RUS": "AMY MOS", "TUR": "AMY CON"}  # fmt: skip
        power = hello.split()[2]
        peers[0].say(*[f"SUB ( ( {power} {unit[power]} ) HLD )"] * 200)
        await stalled.wait()
        kept = sum(len(batch.inputs) for batch in store.load(1).batches)
        thanks = asyncio.create_task(hear_thanks(peers[0], 200))
        await asyncio.sleep(0.05)
        assert len([text for text in peers[0].heard if text.startswith("THX")]) <= kept
        store._database.execute("PRAGMA max_page_count = 1073741823")
        await thanks
    assert sum(len(batch.inputs) for batch in store.load(1).batches) >= 200
    store.close()


async def test_a_log_that_cannot_be_merged_into_a_full_disk_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    monkeypatch.setattr("server.store.CHECKPOINT_BYTES", 50_000)
    monkeypatch.setattr("server.store.RETRY", 0.02)
    path = tmp_path / "games.db"
    store = Store(str(path))
    game = store.new_game(SETUP)
    stalls: list[str] = []
    store.on_stall = lambda: stalls.append("stalled")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    numbers = iter(range(1, 1000))

    async def fill(wanted: int) -> None:
        for _ in range(wanted):
            number = next(numbers)
            await store.append(game, number, BATCH, [(number, "x" * 5_000)])

    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, before[1]))
        with capture_logs() as lines:
            while not lines:
                await asyncio.wait_for(fill(1), PATIENCE)
            # What follows is in the log.
            await asyncio.wait_for(fill(4), PATIENCE)
        told = [each["event"] for each in lines]
        assert told == ["store: the log of changes cannot be merged"]
        assert not stalls
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    await asyncio.wait_for(fill(20), PATIENCE)
    assert path.stat().st_size > 400_000
    assert len(store.load(game).batches) == next(numbers) - 1
    store.close()


async def test_a_server_whose_store_cannot_be_written_ends_when_it_is_told_to() -> None:
    store = Store()
    async with asyncio.timeout(PATIENCE):
        async with hosting(with_settings(movement_limit=300), store) as hosted:
            peers = await seated(hosted, 7)
            await peers[0].until("TME")
            (pages,) = store._database.execute("PRAGMA page_count").fetchone()
            store._database.execute(f"PRAGMA max_page_count = {pages}")
            with capture_logs() as lines:
                peers[0].say(*["SUB ( ( FRA AMY PAR ) HLD )"] * 300)
                await becomes(lambda: store.is_stalled)
                store._flush()
        assert [each["event"] for each in lines].count("store cannot be written, games wait") == 1
    store._database.execute("PRAGMA max_page_count = 1073741823")
    store.close()


def test_a_store_that_is_no_database_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.write_bytes(b"this is no database, but long enough to look like a file" * 100)
    with pytest.raises(BadInputError, match=r"games\.db: not usable"):
        Store(str(path))


def test_a_store_of_a_later_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(BadInputError, match="format 99"):
        Store(str(path))


def test_a_store_of_the_first_format_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    setup = GameSetup("old", "lagoon", GameSettings(), seed=1)
    with sqlite3.connect(path) as database:
        database.execute(
            "CREATE TABLE games (id INTEGER PRIMARY KEY, setup TEXT NOT NULL,"
            " created TEXT NOT NULL, is_finished INTEGER NOT NULL)"
        )
        database.execute(
            "CREATE TABLE batches (game INTEGER NOT NULL, number INTEGER NOT NULL,"
            " data BLOB NOT NULL, PRIMARY KEY (game, number)) WITHOUT ROWID"
        )
        row = (json.dumps(setup_to_json(setup)),)
        database.execute("INSERT INTO games VALUES (1, ?, 'then', 1)", row)
        database.execute("PRAGMA user_version = 1")
    database.close()
    store = Store(str(path))
    assert store.games(finished=True) == [1]
    assert store.ending(1) is None
    store.new_game(setup)
    store.finish(2, Ending(EndingKind.ABORTED, (), Turn(Season.SPRING, 1901)))
    store.close()
    store = Store(str(path))
    assert store.load(2).setup == setup
    assert store.ending(2) == {"kind": "aborted", "powers": [], "turn": ["SPR", 1901]}
    store.close()


def test_two_servers_cannot_use_one_store(tmp_path: Path) -> None:
    path = str(tmp_path / "games.db")
    store = Store(path)
    with pytest.raises(BadInputError, match="another server uses it"):
        Store(path)
    store.close()
    Store(path).close()


def test_a_damaged_batch_is_named(tmp_path: Path) -> None:
    path = str(tmp_path / "games.db")
    store = Store(path)
    game = store.new_game(SETUP)
    store.close()
    with sqlite3.connect(path) as database:
        database.execute("INSERT INTO batches VALUES (?, 1, ?, NULL)", (game, b"\0" * 12))
    database.close()
    again = Store(path)
    with pytest.raises(BadInputError, match="game 1 is damaged"):
        again.load(game)
    again.close()

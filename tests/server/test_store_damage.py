"""What a store survives: damage, theft, a second server, growth, and the version before."""

import asyncio
import json
import os
import shutil
import sqlite3
import threading
from pathlib import Path

import pytest
from attrs import evolve
from structlog.testing import capture_logs

from grammar.text import from_text
from rules.errors import BadInputError
from server.clock import HostClock
from server.host import LAST_WORK, Host
from server.inputs import Received, apply
from server.record import record_to_json
from server.record_lines import append_once
from server.snapshot import read_snapshot
from server.stage import Stage
from server.store import LARGE, UPGRADES, Statement, Store
from tests.server.hosting import (
    CONFIG,
    Hosted,
    Player,
    RawPeer,
    SetClock,
    becomes,
    hosting,
    play_all,
    seated,
    snapshot_of,
    wander,
    with_limits,
    with_settings,
)

OLD = Path(__file__).parent.parent / "data" / "stores" / "format-1.db"
OLD_CODES = {"AUS": 5590, "ENG": 8183, "FRA": 2528, "GER": 4129, "ITA": 3457, "RUS": 7164,
             "TUR": 4515}  # fmt: skip
TWO = evolve(CONFIG, games=2)
INDEX_LEAF = 0x0A
"""How a page begins that holds entries of a table of batches."""


async def two_games(path: str) -> None:
    """Begin two games, and stop."""
    store = Store(path)
    async with hosting(TWO, store) as hosted:
        peers = await seated(hosted, 14)
        for peer in peers:
            await peer.until("NOW")
    store.close()


def change(path: str, statement: str) -> None:
    database = sqlite3.connect(path)
    database.execute(statement)
    database.commit()
    database.close()


# --- damage ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (
            "UPDATE batches SET data = CAST(data || x'00' AS BLOB) WHERE game = 1 AND number = 2",
            "check sum",
        ),
        ("DELETE FROM batches WHERE game = 1 AND number = 2", "missing"),
        ("UPDATE games SET setup = 'x' WHERE id = 1", "damaged"),
        ("UPDATE games SET setup = replace(setup, 'ENG', 'EMG') WHERE id = 1", "its setup"),
        ("INSERT INTO turns VALUES (1, 0, '{}')", "turns that were kept"),
    ],
)
async def test_one_damaged_game_is_set_aside_and_the_other_goes_on(
    tmp_path: Path, damage: str, why: str
) -> None:
    path = str(tmp_path / "games.db")
    await two_games(path)
    change(path, damage)
    store = Store(path)
    with capture_logs() as logs:
        host = Host(TWO, store)
    assert [room.game.name for room in host.rooms] == ["game-2"]
    (told,) = [entry for entry in logs if entry["log_level"] == "error"]
    assert told["game"] == 1
    assert why in told["why"]
    store.close()


async def test_what_no_check_sum_covers_is_looked_through_and_said(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    await two_games(str(path))
    content = bytearray(path.read_bytes())
    leaf = next(
        place for place in range(4096, len(content), 4096)
        if content[place] == INDEX_LEAF and content[place + 4] > 5
    )  # fmt: skip
    content[leaf + 4] -= 1  # how much is in it: the last is gone, and fits its check sum
    path.write_bytes(content)
    with capture_logs() as logs:
        store = Store(str(path))
    (told,) = [entry for entry in logs if entry["log_level"] == "error"]
    assert told["event"] == "store: the file is damaged; some of what was kept may be missing"
    assert (tmp_path / "games.db.damaged").read_bytes() == content
    store.close()


async def killed(folder: Path) -> Path:
    """Begin a game and let another form; return the store as a server that is killed leaves it."""
    (folder / "killed").mkdir()
    store = Store(str(folder / "games.db"))
    async with hosting(TWO, store) as hosted:
        peers = await seated(hosted, 7)
        for peer in peers:
            await peer.until("NOW")
        for number in range(3):
            await (await hosted.peer()).join(f"Q{number}")
        for name in ("games.db", "games.db-wal", "games.db-shm"):
            shutil.copyfile(folder / name, folder / "killed" / name)
    store.close()
    return folder / "killed" / "games.db"


@pytest.mark.parametrize(
    "damage",
    [
        "middle byte",
        "last byte",
        "head",
        "cut to two thirds",
        "cut by a byte",
        "gone",
    ],
)
async def test_what_is_lost_of_the_log_of_changes_is_said_once(tmp_path: Path, damage: str) -> None:
    path = await killed(tmp_path)
    changes = path.with_name("games.db-wal")
    content = bytearray(changes.read_bytes())
    places = {"middle byte": len(content) // 2, "last byte": -1, "head": 17}
    if damage in places:
        content[places[damage]] ^= 0xFF
    lengths = {"cut to two thirds": len(content) * 2 // 3, "cut by a byte": len(content) - 1}
    changes.write_bytes(content[: lengths.get(damage)])
    if damage == "gone":
        changes.unlink()
    with capture_logs() as logs:
        damaged = Store(str(path))
    (told,) = [entry for entry in logs if entry["log_level"] == "error"]
    assert told["lost"] > 0
    assert told["copy"].endswith("games.db-wal.damaged")
    damaged.close()
    with capture_logs() as logs:
        Store(str(path)).close()
    assert not logs, "once is enough"


async def test_nothing_is_said_of_a_log_that_is_whole(tmp_path: Path) -> None:
    path = await killed(tmp_path)
    with capture_logs() as logs:
        Store(str(path)).close()
    assert not logs


async def test_an_empty_file_beside_its_log_is_refused_and_the_log_is_kept(tmp_path: Path) -> None:
    path = await killed(tmp_path)
    changes = path.with_name("games.db-wal")
    content = changes.read_bytes()
    path.write_bytes(b"")
    for _ in range(2):
        with pytest.raises(BadInputError, match="is empty, but"):
            Store(str(path))
    assert changes.read_bytes() == content


def test_the_database_of_another_program_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    change(str(path), "CREATE TABLE invoices (number INTEGER)")
    content = path.read_bytes()
    with pytest.raises(BadInputError, match="another program"):
        Store(str(path))
    assert path.read_bytes() == content


async def test_a_store_that_nothing_can_be_added_to_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    await two_games(str(path))
    content = bytearray(path.read_bytes())
    # The list of free pages leads nowhere: all that is there can be read, and games would wait.
    content[32:40] = (2**24).to_bytes(4, "big") + (5).to_bytes(4, "big")
    path.write_bytes(content)
    with pytest.raises(BadInputError, match=r"is damaged.*backup"):
        Store(str(path))
    assert path.read_bytes() == content


async def test_a_game_that_had_not_started_says_that_it_begins_anew(tmp_path: Path) -> None:
    store = Store(str(await killed(tmp_path)))
    with capture_logs() as logs:
        host = Host(TWO, store)
    assert [room.game.name for room in host.rooms] == ["game-1"]
    (told,) = [entry for entry in logs if entry["log_level"] == "warning"]
    assert (told["game"], told["players"]) == ("game-2", 3)
    store.close()


@pytest.mark.parametrize("way", ["symlink", "hard link", "lock file removed"])
async def test_no_way_leads_around_the_lock(tmp_path: Path, way: str) -> None:
    path = tmp_path / "games.db"
    store, other = Store(str(path)), tmp_path / "other.db"
    if way == "symlink":
        other.symlink_to(path)
    elif way == "hard link":
        os.link(path, other)
    else:
        other = path
        (tmp_path / "games.db.lock").unlink(missing_ok=True)
    with pytest.raises(BadInputError, match="another server uses it"):
        Store(str(other))
    store.close()


async def test_a_store_whose_folder_is_gone_confirms_nothing_until_it_is_back(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "store"
    store = Store(str(folder / "games.db"))
    async with hosting(with_settings(movement_limit=300), store) as hosted:
        peers = await seated(hosted, 7)
        power = (await peers[0].until("HLO")).split()[2]
        await peers[0].until("TME")
        folder.rename(tmp_path / "elsewhere")
        hosted.host.store.check()
        assert store.is_stalled
        peers[0].say("GOF")
        await asyncio.sleep(0.1)
        assert not any(text.startswith("YES ( GOF") for text in peers[0].heard), power
        (tmp_path / "elsewhere").rename(folder)
        assert (await peers[0].until("YES")) == "YES ( GOF )"
    store.close()


# --- growth ---------------------------------------------------------------------------------------


async def test_the_log_of_changes_stays_small(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "games.db"))
    largest = 0
    limits = with_limits(work_rate=100.0, press_rate=1e5, press_burst=1000)
    async with hosting(limits, store) as hosted:
        talker = await hosted.peer()
        await talker.join("P")
        for _ in range(1000):
            talker.say(f"ADM ( 'a' ) ( '{'x' * 900}' )")
            await talker.until("ADM")
            largest = max(largest, (tmp_path / "games.db-wal").stat().st_size)
    store.close()
    assert largest < 6_000_000


async def abandoned(hosted: Hosted, times: int) -> None:
    """Begin games and leave them."""
    for number in range(times):
        peers = [await hosted.peer() for _ in range(7)]
        for seat, peer in enumerate(peers):
            assert (await peer.join(f"P{number}-{seat}")).startswith("YES")
        for peer in peers:
            await peer.until("NOW")
            peer.vanish()
        await becomes(lambda: not hosted.host.members)
        await becomes(lambda: bool(hosted.host._deserted))
        hosted.host.expire_deserted()


async def test_of_abandoned_games_only_some_are_kept_in_memory_and_on_disk() -> None:
    store = Store()
    async with hosting(evolve(CONFIG, deserted=3), store) as hosted:
        await abandoned(hosted, 12)
        hosted.host.expire_deserted()
        await becomes(lambda: len(hosted.host.rooms) <= 4)
        assert [room.number for room in hosted.host.rooms][-1] == 12
        await becomes(lambda: not store.waiting)
        assert len(store.games()) <= 4
    store.close()


async def test_after_a_restart_all_games_wait_an_hour_for_their_players(tmp_path: Path) -> None:
    path, config = str(tmp_path / "games.db"), evolve(CONFIG, games=4, deserted=1)
    store = Store(path)
    async with hosting(config, store) as hosted:
        peers = await seated(hosted, 28)
        for peer in peers:
            await peer.until("NOW")
        for peer in peers[:7]:
            peer.vanish()  # nobody leaves this game after the restart
        await becomes(lambda: len(hosted.host._deserted) == 1)
    store.close()
    store = Store(path)
    watch = SetClock()
    clock = HostClock(watch)
    async with hosting(config, store, clock=clock) as hosted:
        host = hosted.host
        await becomes(lambda: len(host._deserted) == 4)
        host.expire_deserted()
        assert not [room for room in host.rooms if room.is_deserted]
        for _ in range(1000):
            watch.time += 4
            clock.now()
        host.expire_deserted()
        await becomes(lambda: len(host.rooms) == 1)
    store.close()


async def test_a_game_that_nobody_plays_expires() -> None:
    watch = SetClock()
    clock = HostClock(watch)
    config = evolve(CONFIG, expire_after=100.0)
    async with hosting(config, clock=clock) as hosted:
        await abandoned(hosted, 1)
        for _ in range(30):
            watch.time += 4
            clock.now()
        hosted.host.expire_deserted()
        await becomes(lambda: not hosted.host.rooms)


async def test_a_game_to_which_somebody_comes_back_does_not_expire() -> None:
    watch = SetClock()
    clock = HostClock(watch)
    config = evolve(CONFIG, expire_after=100.0)
    async with hosting(config, clock=clock) as hosted:
        peers = await seated(hosted, 7)
        hello = (await peers[0].until("HLO")).split()
        for peer in peers:
            peer.vanish()
        await becomes(lambda: bool(hosted.host._deserted))
        back = await hosted.peer(f"IAM ( {hello[2]} ) ( {hello[5]} )")
        assert (await back.hear()).startswith("YES")
        for _ in range(30):
            watch.time += 4
            clock.now()
        hosted.host.expire_deserted()
        assert not hosted.host.rooms[0].is_deserted


# --- snapshots ------------------------------------------------------------------------------------


async def test_a_snapshot_is_the_game_as_it_stands() -> None:
    store = Store()
    async with hosting(with_settings(last_year=1903), store) as hosted:
        await play_all(hosted, [Player(f"P{n}", wander) for n in range(7)])
        await becomes(lambda: not hosted.host.rooms)
    record = store.load(1)
    game = record.setup.new_game()
    for batch in record.batches:
        for happened in batch.inputs:
            apply(game, happened, batch.time)
            again = read_snapshot(record.setup, snapshot_of(game))
            assert again.position == game.position
            assert again.clients == game.clients
            assert again.seats == game.seats
            assert again.history == game.history
            assert again.chance.getstate() == game.chance.getstate()
    assert game.stage is Stage.ENDED
    store.close()


async def test_others_go_on_while_a_snapshot_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    async with hosting(CONFIG) as hosted:
        peers = await seated(hosted, 7)
        powers = [(await peer.until("HLO")).split()[2] for peer in peers[:2]]
        await peers[0].until("NOW")
        press = f"SND ( {powers[1]} ) ( PRP ( PCE ( {powers[0]} {powers[1]} ) ) )"
        peers[0].say(*[press] * 50)
        for _ in range(50):
            await peers[1].until("FRM")
        (room,) = hosted.host.rooms
        monkeypatch.setattr("server.pace.LONGEST_TURN", 0.0)
        monkeypatch.setattr("server.pace.LONGEST_ROUND", 0.0)
        others, is_written = 0, asyncio.create_task(room._keep_snapshot())
        while not is_written.done():
            await asyncio.sleep(0)
            others += 1
        assert others > 50


async def test_a_large_snapshot_is_written_in_a_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, threads = Store(str(tmp_path / "games.db")), []
    write = store._write

    def noted(statements: list[Statement]) -> None:
        threads.append(threading.current_thread() is not threading.main_thread())
        write(statements)

    monkeypatch.setattr(store, "_write", noted)
    for size in (LARGE // 2, 2 * LARGE):
        store.keep_snapshot(1, 1, bytes(size))
        await becomes(lambda: not store.waiting and not store._is_busy)
    assert threads == [False, True]
    store.close()


async def test_a_restart_uses_the_snapshot_and_what_came_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.room.SNAPSHOT_WORK", 0.0)
    monkeypatch.setattr("server.room.SNAPSHOT_RATIO", 0.0)
    store = Store()
    async with hosting(CONFIG, store) as hosted:
        peers = await seated(hosted, 7)
        for peer in peers:
            await peer.until("NOW")
        peers[0].say("DRW", "NOT ( GOF )")
        await peers[0].until("YES . NOT")
        before = hosted.host.rooms[0].game
    kept = store.load_from_snapshot(1)
    assert kept is not None
    assert kept[1] > 1
    host = Host(CONFIG, store)
    game = host.rooms[0].game
    assert game.position == before.position
    assert [seat.draws for seat in game.seats.values()] == [
        seat.draws for seat in before.seats.values()
    ]
    store._database.execute("UPDATE snapshots SET data = CAST(data || x'00' AS BLOB)")
    assert store.load_from_snapshot(1) is None
    assert Host(CONFIG, store).rooms[0].game.position == before.position
    store.close()


# --- the end of a game ----------------------------------------------------------------------------


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


async def test_whatever_ended_is_recorded_before_anybody_is_told(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    config = evolve(with_settings(linger=1000.0), record=str(record))
    store = Store()
    async with hosting(config, store) as hosted:
        peers = await seated(hosted, 7)
        for peer in peers:
            await peer.until("NOW")
            peer.say("DRW")
        await peers[0].until("SMR")
        assert [line["stage"] for line in lines(record)] == ["ended"]
        assert store.ending(1) is not None
    store.close()


async def test_a_server_killed_while_clients_linger_has_the_result_once(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    config = evolve(with_settings(linger=1000.0), record=str(record))
    store = Store()
    async with hosting(config, store) as hosted:
        peers = await seated(hosted, 7)
        for peer in peers:
            await peer.until("NOW")
            peer.say("DRW")
        await peers[0].until("SMR")
    told = record.read_text()
    # As if it had been killed before it noted the end, before it wrote, and while it wrote.
    for left in (told, "", told[: len(told) // 2]):
        store._database.execute("UPDATE games SET is_finished = 0, ending = NULL")
        record.write_text(left)
        Host(config, store)
        assert record.read_text() == told
    assert told.strip() == json.dumps(record_to_json(store.load(1)))
    store.close()


def test_a_line_is_added_once_and_the_pieces_of_others_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text('{"other": 1}\n{"broken')
    for _ in range(2):
        append_once(str(path), '{"a": 1}')
        append_once(str(path), '{"a": 2}')
    assert path.read_text() == '{"other": 1}\n{"broken\n{"a": 1}\n{"a": 2}\n'


def test_a_line_is_added_to_a_file_of_years_without_reading_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.jsonl"
    with path.open("wb") as file:
        file.truncate(10**11)  # without a line: more than can be read while games wait
        file.seek(0, os.SEEK_END)
        file.write(b"\n")
    for _ in range(2):
        append_once(str(path), '{"a": 1}')
    assert path.stat().st_size == 10**11 + 1 + len('{"a": 1}\n')
    monkeypatch.setattr("server.record_lines.LOOKED_AT", 40)
    path.write_text("".join(f'{{"n": {number}}}\n' for number in range(100)))
    before = path.stat().st_size
    append_once(str(path), '{"n": 99}')
    assert path.stat().st_size == before


# --- the version before ---------------------------------------------------------------------------


async def test_a_store_of_the_first_format_goes_on_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    shutil.copyfile(OLD, path)
    store = Store(str(path))
    with capture_logs() as logs:
        async with hosting(evolve(CONFIG, seed=None), store) as hosted:
            (room,) = hosted.host.rooms
            game = room.game
            assert str(game.position.turn) == "SPR 1902"
            assert len(game.history.turns) == 4
            assert len(game.history.press) == 1
            # France was locked when its owner came too early: that is refused again.
            assert game.settings.locks_seats
            for power, code in OLD_CODES.items():
                back = await hosted.peer(f"IAM ( {power} ) ( {code} )")
                answer = await back.hear()
                assert answer.startswith("REJ" if power == "FRA" else "YES"), power
    assert not [entry for entry in logs if entry["log_level"] == "error"]
    store.close()


def test_a_server_killed_while_it_takes_over_an_old_store_leaves_it_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.db"
    shutil.copyfile(OLD, path)
    with monkeypatch.context() as patch:
        patch.setitem(UPGRADES, 3, "an end in the middle")
        with pytest.raises(BadInputError):
            Store(str(path))
    store = Store(str(path))
    assert store.games(finished=False)
    store.close()


async def test_the_stop_of_a_server_takes_no_longer_than_its_clients_grace() -> None:
    loop = asyncio.get_running_loop()
    async with hosting(evolve(CONFIG, limits=evolve(CONFIG.limits, grace=3600.0))) as hosted:
        peers = [await hosted.peer("OBS") for _ in range(5)]
        for peer in peers:
            await peer.until("MAP")
        began = loop.time()
        hosted.host.stop()
        await hosted.listener.stop()
        assert loop.time() - began < 60, "the grace that was asked for is an hour"
        assert isinstance(peers[0], RawPeer)


async def test_the_stop_of_a_server_does_not_wait_for_a_game_with_much_to_do() -> None:
    loop = asyncio.get_running_loop()
    async with hosting() as hosted:
        peer = await hosted.peer("OBS")
        await peer.until("MAP")
        (room,), (client,) = hosted.host.rooms, hosted.host.members
        for _ in range(60_000):
            room.post(Received(client, from_text("HST")))
        began = loop.time()
        hosted.host.stop()
        while hosted.host._tasks is not None:  # noqa: ASYNC110 - nobody tells when all has ended
            await asyncio.sleep(0)
        assert loop.time() - began < LAST_WORK + 10

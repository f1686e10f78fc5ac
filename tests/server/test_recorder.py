"""The file of records: large games, files that cannot be written, and several writers."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from attrs import evolve
from structlog.testing import capture_logs

from server import recorder
from server.config import ServerConfig
from server.file_lock import lock_file
from server.host import Host
from server.record import record_to_json
from server.record_lines import append_once
from server.store import Store
from tests.server.hosting import Hosted, becomes, hosting, seated, with_settings


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "games.jsonl"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path / "games.db"))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "FIRST_WAIT", 0.001)
    monkeypatch.setattr(recorder, "LONGEST_WAIT", 0.001)


@pytest.fixture
def all_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every game count as one in which very much was said."""
    monkeypatch.setattr(recorder, "LARGEST", 0)
    for name in ("record_in_steps", "record_to_json"):
        monkeypatch.setattr(recorder, name, None)  # nothing of it is done in this process


def recording(record: Path) -> ServerConfig:
    return evolve(with_settings(), record=str(record), exit_after=1)


async def play(hosted: Hosted) -> None:
    """Play a game to its end, which everybody is told."""
    peers = await seated(hosted, 7)
    for peer in peers:
        await peer.until("NOW")
        peer.say("DRW")
    for peer in peers:
        await peer.until("SMR")


@contextmanager
def held(record: Path) -> Iterator[None]:
    """Add to the file, as another process may."""
    with record.open("ab") as file:
        lock_file(file.fileno(), "ours")
        yield


# The tests wait with these, and block nobody.
def text_of(record: Path) -> str:
    return record.read_text() if record.is_file() else ""


def leave(record: Path, text: str) -> None:
    record.write_text(text)


def be_in_the_way(record: Path) -> None:
    record.mkdir()


def make_way(record: Path) -> None:
    record.rmdir()


def is_whole(record: Path, store: Store) -> bool:
    """Tell whether the record is there, once, and the game over in the store."""
    if store.games(finished=False):
        return False
    return text_of(record) == json.dumps(record_to_json(store.load(1))) + "\n"


@pytest.mark.usefixtures("impatient")
async def test_a_record_that_cannot_be_written_is_tried_again(record: Path, store: Store) -> None:
    be_in_the_way(record)
    with capture_logs() as logs:
        async with hosting(recording(record), store) as hosted:
            await play(hosted)
            await hosted.host.done.wait()
            assert store.games(finished=False) == [1]
            make_way(record)
            await becomes(lambda: is_whole(record, store))
    told = [each for each in logs if each["event"] == "record not written"]
    assert told
    assert {(each["game"], each["log_level"]) for each in told} == {("game-1", "error")}
    store.close()


@pytest.mark.usefixtures("impatient")
async def test_a_record_that_could_never_be_written_is_left_to_the_next_server(
    record: Path, store: Store
) -> None:
    be_in_the_way(record)
    async with hosting(recording(record), store) as hosted:
        await play(hosted)
    assert store.games(finished=False) == [1]
    Host(recording(record), store)
    assert store.games(finished=False) == [1]
    make_way(record)
    async with hosting(recording(record), store):
        await becomes(lambda: is_whole(record, store))
    store.close()


@pytest.mark.usefixtures("all_are_large")
async def test_the_record_of_a_large_game_is_made_by_another_process(
    record: Path, store: Store
) -> None:
    async with hosting(recording(record), store) as hosted:
        await play(hosted)
        await hosted.host.done.wait()  # a server that ends after a game has its record
        await becomes(lambda: is_whole(record, store))
    store.close()


@pytest.mark.usefixtures("all_are_large")
async def test_a_server_that_was_killed_meanwhile_leaves_a_large_record_to_the_next(
    record: Path, store: Store
) -> None:
    async with hosting(recording(record), store) as hosted:
        await play(hosted)
        await hosted.host.done.wait()
    told = text_of(record)
    for left in (told[: len(told) // 2], told):
        store._database.execute("UPDATE games SET is_finished = 0, ending = NULL")
        leave(record, left)
        async with hosting(recording(record), store):
            await becomes(lambda: is_whole(record, store))
        assert text_of(record) == told
    store.close()


@pytest.mark.usefixtures("all_are_large", "impatient")
async def test_a_process_that_cannot_write_says_why_and_is_started_again(
    record: Path, store: Store
) -> None:
    be_in_the_way(record)
    with capture_logs() as logs:
        async with hosting(recording(record), store) as hosted:
            await play(hosted)
            await hosted.host.done.wait()
            make_way(record)
            await becomes(lambda: is_whole(record, store))
    assert "directory" in next(
        each["why"] for each in logs if each["event"] == "record not written"
    )
    store.close()


def test_two_never_add_to_a_file_of_records_at_once(record: Path) -> None:
    with held(record), pytest.raises(BlockingIOError):
        append_once(str(record), "{}")
    append_once(str(record), "{}")
    assert record.read_text() == "{}\n"


async def test_a_record_waits_for_the_other_who_adds_to_the_file(
    record: Path, store: Store
) -> None:
    async with hosting(recording(record), store) as hosted:
        with held(record):
            peers = await seated(hosted, 7)
            for peer in peers:
                await peer.until("NOW")
                peer.say("DRW")
            await becomes(lambda: hosted.host.rooms[0].game.ending is not None)
            assert text_of(record) == ""
        await peers[0].until("SMR")
        assert text_of(record)
        await becomes(lambda: is_whole(record, store))
    store.close()

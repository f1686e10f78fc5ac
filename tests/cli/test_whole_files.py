"""Files are replaced as a whole or not at all."""

import errno
import os
import stat
import sys
from pathlib import Path

import pytest

from cli.whole_files import PRIVATE, write_whole


@pytest.mark.parametrize("content", ["naïve\n", b"\x00\xff"])
def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path, content: str | bytes) -> None:
    path = tmp_path / "report.html"
    path.write_text("old")
    write_whole(path, content)
    assert path.read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="modes are of Unix")
def test_a_private_file_is_never_there_for_others(tmp_path: Path) -> None:
    path = tmp_path / "seats"
    write_whole(path, "secret", mode=PRIVATE)
    assert path.stat().st_mode & 0o777 == PRIVATE


@pytest.mark.skipif(sys.platform == "win32", reason="folders cannot be opened there")
def test_what_must_survive_a_loss_of_power_is_on_the_disk_before_its_name_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.json.gz"
    synced: list[tuple[bool, bool]] = []

    def note(descriptor: int) -> None:
        synced.append((stat.S_ISDIR(os.fstat(descriptor).st_mode), path.exists()))

    monkeypatch.setattr(os, "fsync", note)
    write_whole(path, "old")
    assert synced == []
    path.unlink()
    write_whole(path, "new", survives_power_loss=True)
    assert synced == [(False, False), (True, True)]


def test_what_cannot_be_written_leaves_what_was_there_and_no_half_of_the_new(
    tmp_path: Path,
) -> None:
    path = tmp_path / "report.html"
    path.mkdir()
    with pytest.raises(OSError, match=r"report\.html"):
        write_whole(path, "new")
    with pytest.raises(UnicodeEncodeError):
        write_whole(tmp_path / "page.html", "\ud800")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("content", ["new", b"new"])
def test_a_disk_that_refuses_at_the_last_moment_costs_only_the_new_file(
    content: str | bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.json.gz"
    path.write_text("old")

    def refuse(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, content, survives_power_loss=True)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]

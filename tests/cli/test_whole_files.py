"""Files are replaced as a whole or not at all."""

from pathlib import Path

import pytest

from cli.whole_files import write_whole


@pytest.mark.parametrize("content", ["naïve\n", b"\x00\xff"])
def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path, content: str | bytes) -> None:
    path = tmp_path / "report.html"
    path.write_text("old")
    write_whole(path, content)
    assert path.read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert list(tmp_path.iterdir()) == [path]


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

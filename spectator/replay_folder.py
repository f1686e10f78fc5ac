"""A folder of replays beside a tournament's report: a small file a game, and the page once.

Raises BadInputError that names the folder if it cannot be written.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from cli.whole_files import write_whole
from rules.errors import BadInputError, unwritable
from server.record_file import read_record
from spectator.offline import SCRIPT_NAME, STYLE_NAME, replay_beside, shared_script, shared_style
from spectator.web.facts_from_record import chronicle_of


def write_replays(
    folder: Path, records: Sequence[Path], home: str, on_progress: Callable[[int], None]
) -> tuple[dict[Path, str], list[str]]:
    """Write what is not there yet; return the file of each record, and why others have none."""
    files: dict[Path, str] = {}
    complaints: list[str] = []
    try:
        folder.mkdir(exist_ok=True)
        is_new = _write_page(folder)
        for number, record in enumerate(records, 1):
            target = folder / f"{record.name.partition('.')[0]}.html"
            try:
                if is_new or not _is_there(target, record):
                    write_whole(target, _replay(record, home))
                files[record] = target.name
            except BadInputError as error:
                complaints.append(str(error))
            on_progress(number)
    except OSError as error:
        raise unwritable(folder, error) from None
    return files, complaints


def _write_page(folder: Path) -> bool:
    """Write the files that all games share; return whether they are others than before."""
    is_new = False
    for name, text in ((SCRIPT_NAME, shared_script()), (STYLE_NAME, shared_style())):
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            write_whole(path, text)
            is_new = True
    return is_new


def _is_there(target: Path, record: Path) -> bool:
    return target.exists() and target.stat().st_mtime >= record.stat().st_mtime


def _replay(path: Path, home: str) -> str:
    return replay_beside(chronicle_of(read_record(path), str(path)), home)

"""Files that are replaced as a whole: a reader meets the old text or the new one, never half."""

import os
from pathlib import Path

PRIVATE = 0o600
"""Who else has an account may not read such a file."""


def write_whole(
    path: Path, content: str | bytes, *, mode: int = 0o666, survives_power_loss: bool = False
) -> None:
    """Write a file; an OSError says why that cannot be, and leaves what was there before."""
    unfinished = path.with_name(f"{path.name}.part")
    data = content.encode() if isinstance(content, str) else content
    try:
        with open(unfinished, "wb", opener=lambda name, how: os.open(name, how, mode)) as file:
            file.write(data)
            if survives_power_loss:
                file.flush()
                os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    if survives_power_loss:
        _keep_names(path.parent)


def _keep_names(folder: Path) -> None:
    """See that a new name is on the disk too, where folders can be opened."""
    if hasattr(os, "O_DIRECTORY"):
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)

"""Files that are replaced as a whole: a reader meets the old text or the new one, never half."""

from pathlib import Path


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file; an OSError says why that cannot be, and leaves what was there before."""
    unfinished = path.with_name(f"{path.name}.part")
    try:
        unfinished.write_bytes(content.encode() if isinstance(content, str) else content)
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise

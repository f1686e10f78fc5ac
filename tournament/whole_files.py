"""Files that are replaced as a whole: a reader meets the old text or the new one, never half."""

from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write a file; an OSError says why that cannot be, and leaves what was there before."""
    unfinished = path.with_name(f"{path.name}.part")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)

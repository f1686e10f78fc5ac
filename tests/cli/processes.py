"""Which processes there are, where the system tells in /proc."""

from contextlib import suppress
from pathlib import Path


def descendants(of: int) -> set[int]:
    """Return the process and all that it and they have started."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if fields[0] != "Z":
                parents[int(folder.name)] = int(fields[1])
    found = {of} & set(parents)
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found

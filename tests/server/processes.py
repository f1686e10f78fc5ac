"""What a process holds, as the system tells it: memory, files, children."""

from pathlib import Path


def memory_of(pid: int) -> int:
    """Return the resident memory in kB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


def files_of(pid: int) -> int:
    """Return how many descriptors are open."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def children_of(pid: int) -> list[int]:
    """Return the processes that it started and that still run."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(status.parent.name))
    return found

"""What a long training shows, and how it is stopped without losing what was learned."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

LINES = 20
"""How many lines a run prints when nobody watches."""
INTERRUPTED = 130

Progress: TypeAlias = Callable[[int, Callable[[], str]], None]
"""Is told how much is done, and how to say what came of it, which may take time."""


@contextmanager
def stop_asked() -> Iterator[Callable[[], bool]]:
    """Let Ctrl-C stop a run between two steps, so that nothing is learned by halves."""
    asked: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: asked.append(number))
    try:
        yield lambda: bool(asked)
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def progress(what: str, total: int, *, as_json: bool) -> Iterator[Progress]:
    """Show a bar on a terminal and a few lines elsewhere; nothing beside a JSON document."""
    if as_json:
        yield lambda _done, _text: None
    elif sys.stdout.isatty():
        from rich.progress import Progress as Bar  # noqa: PLC0415 - only for a terminal

        with Bar() as bar:
            task = bar.add_task(what, total=total)
            yield lambda done, text: bar.update(task, completed=done, description=text())
    else:
        told = 0

        def line(done: int, text: Callable[[], str]) -> None:
            nonlocal told
            if done * LINES // total > told or done == total:
                sys.stdout.write(f"{done} of {total} {what}: {text()}\n")
                sys.stdout.flush()
            told = done * LINES // total

        yield line

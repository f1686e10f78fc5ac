"""A process of ours that is told facts, and what it says."""

import asyncio
from typing import Any

from feed.fed_process import FedProcess


class Listening(FedProcess):
    """Keeps what it hears."""

    def __init__(self) -> None:
        super().__init__("tests.feed.babbler", "babbler")
        self.heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.ends = 0

    def _greeting(self) -> bytes:
        return b'{"first": true}\n'

    def _hear(self, told: dict[str, Any]) -> None:
        self.heard.put_nowait(told)

    def _on_end(self) -> None:
        self.ends += 1


async def test_a_line_that_is_no_message_is_not_the_end_of_the_others() -> None:
    process = Listening()
    process.start()
    assert await process.heard.get() == {"first": True}
    assert await process.heard.get() == {"last": True}
    assert process.pid is not None
    await process.stop()
    assert process.ends == 0

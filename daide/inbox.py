"""A bounded queue of messages that can be closed, which asyncio's queue cannot be before 3.13."""

import asyncio
from collections import deque
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Inbox(Generic[Item]):
    """Messages that have come and wait for the author.

    One task puts, any number may get. A full inbox makes the putter wait, and so the server.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._items: deque[Item] = deque()
        self._is_closed = False
        self._news = asyncio.Event()
        self._room = asyncio.Event()

    async def put(self, item: Item) -> None:
        """Add an item as soon as there is room."""
        while len(self._items) >= self._limit:
            self._room.clear()
            await self._room.wait()
        self._items.append(item)
        self._news.set()

    async def get(self) -> Item | None:
        """Return the next item, None when the inbox is closed and empty.

        Nothing is lost when the waiting is cancelled.
        """
        while not self._items:
            if self._is_closed:
                return None
            self._news.clear()
            await self._news.wait()
        self._room.set()
        return self._items.popleft()

    def close(self) -> None:
        """Let getters leave once they have taken what is there."""
        self._is_closed = True
        self._news.set()

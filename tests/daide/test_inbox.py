import asyncio

from daide.inbox import Inbox


async def test_a_full_inbox_makes_the_sender_wait() -> None:
    inbox: Inbox[int] = Inbox(1)
    await inbox.put(1)
    putting = asyncio.create_task(inbox.put(2))
    await asyncio.sleep(0)
    assert not putting.done()
    assert await inbox.get() == 1
    await putting
    assert await inbox.get() == 2


async def test_a_closed_inbox_is_emptied_and_then_over() -> None:
    inbox: Inbox[int] = Inbox(5)
    await inbox.put(1)
    inbox.close()
    assert await inbox.get() == 1
    assert await inbox.get() is None
    assert await inbox.get() is None


async def test_closing_wakes_who_waits() -> None:
    inbox: Inbox[int] = Inbox(5)
    getting = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    inbox.close()
    assert await getting is None


async def test_a_cancelled_getter_loses_nothing() -> None:
    inbox: Inbox[int] = Inbox(5)
    getting = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    await inbox.put(1)
    getting.cancel()
    await asyncio.wait((getting,))
    assert await inbox.get() == 1

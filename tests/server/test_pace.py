"""How many share one loop, with a clock that is turned by hand and with a real game."""

import asyncio
from itertools import pairwise

import pytest

from grammar.text import from_text
from server.effects import Effect
from server.game import Game
from server.inputs import Input, Received, apply
from server.pace import LONGEST_ROUND, LONGEST_TURN, Pace
from tests.server.hosting import becomes, hosting, seated

DEAR = from_text("SUB " + "( ( ENG FLT LON ) HLD ) " * 10 + "SUB")
"""Wrong at its very end, so that all of it is read and the answer is short."""
FLOOD = 300
WORK_OF_A_TURN = 2
"""How many pieces of 0.6 of its time make a turn that is up."""


class HandClock:
    """Time that passes only when somebody works."""

    def __init__(self) -> None:
        self.time = 1.0

    def __call__(self) -> float:
        return self.time


async def test_who_works_for_long_lets_others_go_first() -> None:
    clock = HandClock()
    pace, done = Pace(clock), []

    async def work(name: str, pieces: int) -> None:
        turn = pace.turn()
        await turn.begin()
        for piece in range(pieces):
            clock.time += LONGEST_TURN * 0.6
            done.append(f"{name}{piece}")
            if turn.is_up:
                await turn.begin()

    await asyncio.gather(work("long", 6), work("a", 1), work("b", 1))
    # A round has its time as well: whoever is first has a little more of it.
    assert done == ["long0", "long1", "long2", "long3", "a0", "b0", "long4", "long5"]


async def test_a_turn_is_up_after_its_time_and_not_before() -> None:
    clock = HandClock()
    turn = Pace(clock).turn()
    await turn.begin()
    seen = []
    for step in (0.0, 0.9, 0.2):
        clock.time += LONGEST_TURN * step
        seen.append(turn.is_up)
    await turn.begin()
    assert [*seen, turn.is_up] == [False, False, True, False]


async def test_who_comes_alone_begins_at_once_and_who_comes_late_in_a_round_waits() -> None:
    clock = HandClock()
    pace = Pace(clock)
    for _ in range(3):
        alone, late = pace.wait(), pace.wait()
        with pytest.raises(StopIteration):
            alone.send(None)
        clock.time += 2 * LONGEST_ROUND
        assert not pace.is_free
        assert late.send(None) is not None
        late.close()
        # The rounds in which the place of who gave up is thrown away.
        for _ in range(3):
            await asyncio.sleep(0)


async def test_a_cancelled_place_in_the_line_holds_nobody_up() -> None:
    clock = HandClock()
    pace = Pace(clock)
    clock.time += 1
    waiting = [asyncio.create_task(pace.wait()) for _ in range(5)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    waiting[1].cancel()
    await asyncio.gather(*waiting[2:])


async def test_no_piece_of_the_work_of_a_flood_holds_the_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, worked = HandClock(), 0

    def work(game: Game, item: Input, now: float) -> list[Effect]:
        nonlocal worked
        worked += isinstance(item, Received)
        clock.time += LONGEST_TURN * 0.6
        return apply(game, item, now)

    monkeypatch.setattr("server.host.Pace", lambda: Pace(clock))
    monkeypatch.setattr("server.room.apply", work)
    async with hosting() as hosted:
        peers = await seated(hosted, 7)
        for peer in peers:
            await peer.until("NOW")
        room = hosted.host.rooms[0]
        client = next(iter(room.game.clients))
        worked, rounds = 0, [0]
        for _ in range(FLOOD):
            room.post(Received(client, DEAR))

        def watch() -> None:
            rounds.append(worked)
            if room.waiting:
                asyncio.get_running_loop().call_soon(watch)

        watch()
        await becomes(lambda: worked == FLOOD)
        # As much as a turn holds, and a second one where the round has time left; all messages
        # that make a batch would be one piece without turns.
        assert max(after - before for before, after in pairwise(rounds)) <= 2 * WORK_OF_A_TURN

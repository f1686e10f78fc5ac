"""A game that is seen from a server's port, by somebody who comes late."""

import pytest

from bots.diplominator.diplominator import diplominator
from feed.events import GameEnded
from feed.facts import EventTold, Fact, TurnTold
from grammar.messages import (
    AskHistory,
    ClientMessage,
    Hello,
    Now,
    OrderOutcome,
    Ownership,
    Rej,
    ServerMessage,
)
from server.settings import GameSettings
from spectator.web.facts_from_port import ObservedFacts
from tests.bots.in_memory import Room

LATE = 3
"""The turn in which the late one comes."""


class Played:
    """What a player heard of a whole game, cut at the positions."""

    def __init__(self) -> None:
        self.room = Room([diplominator() for _ in range(7)], GameSettings(last_year=1903), seed=2)
        self.room.play()
        heard = self.room.seats[0].heard
        self.hello = next(each for each in heard if isinstance(each, Hello))
        self.steps: list[list[ServerMessage]] = [[]]
        """Results of a turn, ownership and position; the last has the end of the game."""
        owner: Ownership | None = None
        for message in heard:
            owner = message if isinstance(message, Ownership) else owner
            if isinstance(message, Now):
                assert owner is not None
                self.steps[-1] += [owner, message]
                self.steps.append([])
            elif not isinstance(message, Ownership):
                self.steps[-1].append(message)

    def answer(self, asked: ClientMessage) -> list[ServerMessage]:
        """Answer as a server does that is asked for a turn that was played."""
        assert isinstance(asked, AskHistory)
        if asked.turn is None:
            return self.steps[0][-2:]
        for step in self.steps[1:]:
            told: list[ServerMessage] = [
                each for each in step if isinstance(each, OrderOutcome | Ownership | Now)
            ]
            if isinstance(told[0], OrderOutcome) and told[0].turn == asked.turn:
                return told
        raise AssertionError(asked)


ALL = 100


@pytest.mark.parametrize(
    ("answers", "is_refused"), [(ALL, False), (3, False), (3, True), (0, False)]
)
def test_who_comes_late_knows_all_that_is_told_though_the_game_ends_before_it(
    answers: int, *, is_refused: bool
) -> None:
    played = Played()
    facts: list[Fact] = []
    asked: list[ClientMessage] = []
    seen = ObservedFacts("game", "standard", played.room.game.board, facts.append, asked.append)
    seen.receive(played.hello)
    for step in (played.steps[LATE][-2:], *played.steps[LATE + 1 :]):
        for message in step:
            seen.receive(message)  # the whole rest, before any question has its answer
    assert not seen.is_over
    for _ in range(answers):
        if asked:
            for message in played.answer(asked.pop(0)):
                seen.receive(message)
    if is_refused:
        assert isinstance(asked[0], AskHistory)
        seen.receive(Rej(asked[0]))
        assert seen.is_over
    seen.leave()  # the server is gone
    turns = [fact for fact in facts if isinstance(fact, TurnTold)]
    ends = [number for number, fact in enumerate(facts) if _is_end(fact)]
    if not answers:  # it is not known how the game began, so there is none
        assert facts == []
        return
    # The first answer is the beginning; the end comes after the last turn that is known.
    assert len(turns) == min(answers - 1, len(played.room.game.history.turns))
    assert len(ends) == 1
    assert ends[0] > facts.index(turns[-1])


def _is_end(fact: Fact) -> bool:
    return isinstance(fact, EventTold) and isinstance(fact.event, GameEnded)

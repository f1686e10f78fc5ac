"""Whatever a bot returns, it plays on, and its author is told in a sentence what it was."""

from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any

import pytest

from bots.contract import check_contract
from bots.strategy import Bot, Negotiator, Tactic, as_bot
from bots.view import GameView
from grammar.messages import SendPress
from matches.play_match import play
from rules.errors import BadInputError
from rules.orders import Hold, Order


class Whole(Tactic, Negotiator):
    """A bot that keeps to the contract; its attributes are replaced by what breaks it."""

    words = ("PRP", "PCE")

    def choose_orders(self, view: GameView) -> list[Order]:
        return [Hold(unit) for unit in view.units]


async def later(*_: object) -> tuple[()]:
    return ()


def bot(**changed: object) -> Any:
    return type("Broken", (Whole,), changed)


def of_view(answer: Callable[[GameView], object]) -> Any:
    return lambda _, view: answer(view)


def held_for_ever(_: object, view: GameView) -> Iterator[Order]:
    yield from repeat(Hold(view.units[0]))


def strange_order(*_: object) -> list[Order]:
    return [Hold("A PAR")]  # type: ignore[arg-type]  # that is it


def strange_press(_: object, view: GameView) -> list[SendPress]:
    return [SendPress(view.survivors, "peace")]  # type: ignore[arg-type]  # that is it


def off_the_track(_: object, view: GameView) -> Iterator[Order]:
    yield Hold(view.units[0])
    raise TypeError("of the author")


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"choose_orders": of_view(lambda _: "A PAR H")}, "returned 'A PAR H', which is no list"),
        ({"choose_orders": of_view(lambda _: None)}, "returned None, which is no list"),
        ({"choose_orders": strange_order}, "returned Hold(unit='A PAR'), whi"),
        ({"choose_orders": held_for_ever}, "choose_orders returned more than 10,000 things"),
        ({"choose_orders": off_the_track}, "of the author"),
        ({"open_turn": of_view(lambda _: "hello")}, "open_turn returned 'hello', which is no list"),
        ({"open_turn": of_view(lambda _: [1])}, "open_turn returned 1, which is no SendPress"),
        (
            {"open_turn": strange_press},
            "press='peace', turn=None, number=None), which has a wrong value in it (KeyError",
        ),
        ({"on_press": lambda *_: None}, "on_press returned None, which is no list"),
        ({"beliefs": of_view(lambda _: None)}, "beliefs returned None, which is no Beliefs"),
        ({"votes_for_draw": of_view(lambda _: "no")}, "returned 'no', which is not True or False"),
    ],
)
def test_a_wrong_answer_is_named_and_none_of_our_lines_is(
    changed: dict[str, object], sentence: str
) -> None:
    players = [bot(**changed), "blabbot", "blabbot"]
    game = play(players, variant="lagoon", press_level=10, last_year=1901)
    [fault] = game.faults
    [failure] = fault.failures
    assert failure.error.startswith("TypeError: ")
    assert sentence in failure.error
    assert all("test_contract.py" in line for line in failure.where)


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (Bot("tactic"), "mine: 'tactic' is no Tactic"),  # type: ignore[arg-type]  # that is it
        (Bot(Whole(), 3), "mine: 3 is no Negotiator"),  # type: ignore[arg-type]  # that is it
        (as_bot(bot(choose_orders=later)()), "choose_orders is asynchronous; write `def choose_o"),
        (as_bot(bot(votes_for_draw=later)()), "mine: votes_for_draw is asynchronous"),
        (as_bot(bot(version=3)()), "mine: version: 3 is no text"),
        (as_bot(bot(version="")()), "mine: version: '' is no text"),
        (as_bot(bot(version="1\0")()), r"mine: version: '1\x00' is no text"),
        (as_bot(bot(words="PRP PCE")()), "mine: words: 'PRP PCE' is no list"),
        (as_bot(bot(words=None)()), "mine: words: None is no list"),
        (as_bot(bot(words=("PRP", "XYZ"))()), "mine: words: 'XYZ' is no word of DAIDE"),
    ],
)
def test_a_bot_that_cannot_play_is_refused_before_the_game(made: Bot, sentence: str) -> None:
    with pytest.raises(BadInputError) as told:
        check_contract(made, "mine")
    assert sentence in str(told.value)


class Talker(Negotiator):
    """Talks, and forgot to order."""


class Unfinished(Tactic):
    """Has no choose_orders."""


@pytest.mark.parametrize(
    ("player", "sentence"),
    [
        (Talker, "AMB: Talker talks, but has no orders; derive it from"),
        (Unfinished, "AMB: Unfinished has no method choose_orders"),
        (bot(choose_orders=later), "AMB: Broken: choose_orders is asynchronous"),
        ("tests.bots.test_contract:Unfinished", "Unfinished makes no bot: it has no method choose"),
    ],
)
def test_a_class_that_makes_no_bot_is_refused(player: Any, sentence: str) -> None:
    with pytest.raises(BadInputError, match=sentence):
        play([player, "dumbbot", "dumbbot"], variant="lagoon", last_year=1901)

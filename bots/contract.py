"""What a bot must keep to, held against it when it is made and whenever it answers.

Whoever writes a bot is told in a sentence what it has returned; raises BadInputError for a bot that
cannot play, and TypeError, which names the method, for an answer that is none.
"""

from collections.abc import Callable, Iterable, Sequence
from inspect import isasyncgenfunction, iscoroutinefunction
from itertools import islice
from typing import Any, TypeVar

from bots.strategy import Bot, Negotiator, Tactic
from bots.view import Beliefs, GameView
from grammar.messages import SendPress
from grammar.tokens import Word
from rules.errors import BadInputError
from rules.notation import format_order
from rules.orders import Order

Item = TypeVar("Item")
Used = TypeVar("Used")

MOST_ITEMS = 10_000
"""Nobody has so much to say or to order; a generator may never come to an end."""
MOST_SHOWN = 100
_ASKED = {
    Tactic: ("choose_orders",),
    Negotiator: ("open_turn", "on_press", "on_answer", "beliefs", "votes_for_draw"),
}


def check_contract(bot: Bot, source: str) -> None:
    """Refuse a bot whose parts cannot be asked; `source` is what its author calls it."""
    for part, kind in ((bot.tactic, Tactic), (bot.negotiator, Negotiator)):
        if not isinstance(part, kind):
            raise BadInputError(f"{source}: {_shown(part)} is no {kind.__name__}")
        for name in _ASKED[kind]:
            method = getattr(part, name)
            if iscoroutinefunction(method) or isasyncgenfunction(method):
                raise BadInputError(
                    f"{source}: {name} is asynchronous; write `def {name}`, the game waits for it"
                )
    version: object = bot.tactic.version
    if not isinstance(version, str) or not version.isprintable() or not version.strip():
        raise BadInputError(f'{source}: version: {_shown(version)} is no text such as "1.0"')
    _check_words(bot.negotiator.words, source)


def _check_words(words: object, source: str) -> None:
    if isinstance(words, str) or not isinstance(words, Iterable):
        raise BadInputError(f'{source}: words: {_shown(words)} is no list such as ("PRP", "PCE")')
    for word in words:
        if not isinstance(word, str) or word not in Word.__members__:
            raise BadInputError(f"{source}: words: {_shown(word)} is no word of DAIDE")


def used(items: Sequence[Item], use: Callable[[Sequence[Item]], Used], method: str) -> Used:
    """Make use of an answer; if its values hold something strange, name the first such."""
    try:
        return use(items)
    except Exception:
        for item in items:
            try:
                use([item])
            except Exception as error:  # noqa: BLE001 - as above
                what = f"{type(error).__name__}: {error}"
                raise TypeError(
                    f"{method} returned {_shown(item)}, which has a wrong value in it ({what})"
                ) from None
        raise


def chosen_orders(tactic: Tactic, view: GameView) -> tuple[Order, ...]:
    """Ask a tactic for its orders."""
    orders: tuple[Order, ...] = _listed(tactic.choose_orders(view), Order, "choose_orders", "order")
    # What cannot be written could not be told to its author either, if it is refused.
    used(orders, lambda each: [format_order(order) for order in each], "choose_orders")
    return orders


def press_of(answer: object, method: str) -> Sequence[SendPress]:
    """Return what a method of a negotiator wants to say."""
    return _listed(answer, SendPress, method, "SendPress")


def beliefs_of(negotiator: Negotiator, view: GameView) -> Beliefs:
    """Ask a negotiator what it believes."""
    beliefs: object = negotiator.beliefs(view)
    if not isinstance(beliefs, Beliefs):
        raise TypeError(f"beliefs returned {_shown(beliefs)}, which is no Beliefs")
    return beliefs


def vote_of(negotiator: Negotiator, view: GameView) -> bool:
    """Ask a negotiator whether it wants a draw; a text such as "no" is no answer."""
    vote: object = negotiator.votes_for_draw(view)
    if vote not in (True, False):
        raise TypeError(f"votes_for_draw returned {_shown(vote)}, which is not True or False")
    return bool(vote)


def _listed(answer: object, kind: Any, method: str, called: str) -> tuple[Any, ...]:  # noqa: ANN401 - Order is a union
    if isinstance(answer, str) or not isinstance(answer, Iterable):
        raise TypeError(f"{method} returned {_shown(answer)}, which is no list")
    items = tuple(islice(answer, MOST_ITEMS + 1))
    if len(items) > MOST_ITEMS:
        raise TypeError(f"{method} returned more than {MOST_ITEMS:,} things")
    for item in items:
        if not isinstance(item, kind):
            raise TypeError(f"{method} returned {_shown(item)}, which is no {called}")
    return items


def _shown(value: object) -> str:
    try:
        text = repr(value)
        return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 40]}...{text[-40:]}"
    except Exception:  # noqa: BLE001 - it is the author's object
        return f"a {type(value).__name__}"

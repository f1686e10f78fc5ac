"""Press at the edge of a bot: answer what it does not understand, hold back what cannot be sent."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

import structlog
from attrs import Factory, frozen

from bots.view import GameView
from grammar.messages import PressReceived, SendPress
from grammar.parse import Garbled, Unbalanced, reader_for
from grammar.press import NotUnderstood, Understand
from grammar.representation import Representation
from grammar.tables import LEVELS
from grammar.tokens import Category, Token, Tokens, Word, is_text
from grammar.vocabulary import NEWER_WORDS, TRY_LEVELS, newer_words_in
from grammar.write import write, write_press
from grammar.writer import UnknownNameError
from rules.places import Power
from rules.turns import Phase

LOWEST_PRESS_LEVEL = 10

log = structlog.get_logger(__name__)


def may_talk(view: GameView) -> bool:
    """Whether powers may talk to each other in this turn."""
    barred = {Phase.RETREAT: "NPR", Phase.ADJUSTMENT: "NPB"}.get(view.phase)
    words = {option.word for option in view.options}
    return view.level >= LOWEST_PRESS_LEVEL and barred not in words


def not_understood(
    received: PressReceived, words: Sequence[str], names: Representation
) -> list[SendPress]:
    """Return HUH and TRY for press that has a word which we do not know; nothing otherwise.

    HUH and TRY themselves are never answered so: two strangers would go on for ever.
    """
    if isinstance(received.press, NotUnderstood | Understand):
        return []
    tokens = write_press(received.press, names)
    place = _first_unknown(tokens, words)
    if place is None:
        return []
    quoted = (*tokens[:place], int(Word.ERR), *tokens[place:])
    answers = NotUnderstood(quoted), Understand(tuple(words))
    return [SendPress((received.sender,), answer) for answer in answers]


def _first_unknown(tokens: Tokens, words: Sequence[str]) -> int | None:
    known = {int(Word[word]) for word in words}
    for place, token in enumerate(tokens):
        is_word = token >> 8 in (Category.PRESS, Category.COMMAND) or is_text(token)
        if is_word and token not in known:
            return place
    return None


def sendable(
    press: Iterable[SendPress], view: GameView, names: Representation, listeners: "Listeners"
) -> list[SendPress]:
    """Return what of our press may be sent: the server takes it, and those who hear it know it."""
    return [fit for each in press if (fit := _fitted(each, view, names, listeners)) is not None]


@frozen
class Listeners:
    """Whom press does not reach, and who has used which words that came after the documents."""

    absent: AbstractSet[Power] = frozenset()
    newer_words: Mapping[Power, AbstractSet[Token]] = Factory(dict)

    def know(self, power: Power, words: AbstractSet[Token]) -> bool:
        """Whether a power has used all of these words itself."""
        return words <= self.newer_words.get(power, frozenset())


def _fitted(
    message: SendPress, view: GameView, names: Representation, listeners: Listeners
) -> SendPress | None:
    """Return a message to those of its recipients that can hear it, None if it cannot be sent."""
    alive = set(view.survivors) - listeners.absent - {view.power}
    recipients = tuple(power for power in message.recipients if power in alive)
    press = message.press
    if isinstance(press, Understand):
        press = _listed(press, recipients, view.level, listeners)
    try:
        newer = newer_words_in(write_press(press, names))
    except UnknownNameError as error:
        log.warning("press left out", why=str(error))
        return None
    recipients = tuple(power for power in recipients if listeners.know(power, newer))
    if not recipients:
        return None
    message = SendPress(recipients, press, message.turn)
    tokens = write(message, names)
    # A level that no document knows is at least as rich as the highest known one below it.
    level = max(level for level in LEVELS if level <= max(view.level, 0))
    partial_draws = any(option.word == "PDA" for option in view.options)
    reader = reader_for(level, names, partial_draws=partial_draws)
    if isinstance(fault := reader.client(tokens), Garbled | Unbalanced):
        log.warning("press left out", why="not in the language of this game", at=fault.at)
        return None
    return message


def _listed(
    press: Understand, recipients: Sequence[Power], level: int, listeners: Listeners
) -> Understand:
    """Leave out of a TRY what this game has no use for, and what a listener may not know."""

    def is_fit(word: str) -> bool:
        newer = NEWER_WORDS & {Word.__members__.get(word)}
        is_known = all(listeners.know(power, newer) for power in recipients)
        return TRY_LEVELS.get(word, level) <= level and is_known

    return Understand(tuple(word for word in press.words if is_fit(word)))

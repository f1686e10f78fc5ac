"""What was said, there and back: our press, and the messages of the package `diplomacy`.

A message there is any text. What reads as press in DAIDE's own words, written as we write it, is
that press; anything else is free text, which stands between quotation marks with us and without
them there. What went to all others is theirs to GLOBAL.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define

from exchange.diplomacy_names import our_power, their_power
from grammar.parse import HIGHEST_LEVEL, Garbled, Unbalanced, reader_for
from grammar.press import FreeText
from grammar.representation import standard_representation
from grammar.text import NotTextError, from_text, to_text
from grammar.tokens import is_text, text_tokens, text_value
from rules.board import Board
from rules.position_json import turn_to_json
from rules.turns import Turn

Json = dict[str, Any]
GLOBAL = "GLOBAL"
NO_POWERS = {"SYSTEM", "OMNISCIENT", "OBSERVER"}
"""Who else may write, or be written to, there."""
_MICROSECONDS = 1_000_000


def our_press(board: Board, messages: Sequence[Mapping[str, Any]], turn: Turn) -> list[Json]:
    """Return the messages of a phase as our record has them."""
    found = []
    for each in messages:
        if not is_of_players(each):
            continue
        sender = our_power(board, each["sender"]).name
        to, sent = each["recipient"], each.get("time_sent")
        everybody = [power.name for power in board.powers if power.name != sender]
        found.append(
            {
                "time": sent / _MICROSECONDS if isinstance(sent, int | float) else 0.0,
                "turn": turn_to_json(turn),
                "sender": sender,
                "recipients": everybody if to == GLOBAL else [our_power(board, to).name],
                "text": our_text(str(each["message"])),
            }
        )
    return found


def is_of_players(message: Mapping[str, Any]) -> bool:
    """Whether a message was said by one power to others; we have no place for any other."""
    return not {message["sender"], message["recipient"]} & NO_POWERS


def our_text(message: str) -> str:
    """Return a message as press in DAIDE text."""
    if _is_daide(message):
        return message
    # There is no empty text in DAIDE: what is blank gets one blank more.
    return to_text(text_tokens(message if message.strip(" ") else f"{message} "))


def their_text(press: str) -> str:
    """Return our press as a message: free text without its quotation marks."""
    try:
        tokens = from_text(press)
    except NotTextError:
        return press
    if not tokens or not all(map(is_text, tokens)):
        return press
    text = text_value(tokens)
    return text if text.strip(" ") else text[1:]


def _is_daide(message: str) -> bool:
    """Whether it is press in DAIDE's words, exactly as we would write it."""
    try:
        tokens = from_text(message)
    except NotTextError:
        return False
    if not tokens or to_text(tokens) != message:
        return False
    read = reader_for(HIGHEST_LEVEL, standard_representation()).press(tokens)
    return not isinstance(read, Garbled | Unbalanced | FreeText)


@define
class Messenger:
    """Writes press as messages, each with a time of its own: the package keeps one for each."""

    board: Board
    _sent: int = -1
    """When the last message was sent, in microseconds."""

    def messages(self, press: Sequence[Mapping[str, Any]], phase: str) -> list[Json]:
        """Return the messages of a phase."""
        return [
            {
                "sender": their_power(each["sender"]),
                "recipient": recipient,
                "time_sent": self._time_after(each["time"]),
                "phase": phase,
                "message": their_text(each["text"]),
            }
            for each in press
            for recipient in self._recipients(each)
        ]

    def _recipients(self, said: Mapping[str, Any]) -> list[str]:
        others = {power.name for power in self.board.powers} - {said["sender"]}
        if set(said["recipients"]) == others:
            return [GLOBAL]
        return [their_power(name) for name in said["recipients"]]

    def _time_after(self, seconds: float) -> int:
        self._sent = max(self._sent + 1, round(seconds * _MICROSECONDS))
        return self._sent

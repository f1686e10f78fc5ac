"""A promise book as JSON, as it stands in the record of a game."""

from typing import Any

from grammar.press import Arrangement, Propose
from grammar.representation import Representation
from grammar.text import to_text
from grammar.write import write_press
from promises.book import PromiseBook
from promises.promise import Offer, Promise, Stab
from rules.notation import format_order
from rules.position_json import turn_to_json


def book_to_json(book: PromiseBook, names: Representation) -> dict[str, list[dict[str, Any]]]:
    """Write a book under the keys `promises`, `offers` and `stabs`."""
    return {
        "promises": [promise_to_json(promise, names) for promise in book.promises],
        "offers": [_offer(offer) for offer in book.offers],
        "stabs": [stab_to_json(stab) for stab in book.stabs],
    }


def promise_to_json(promise: Promise, names: Representation) -> dict[str, Any]:
    """Write one promise."""
    return {
        "kind": promise.kind.value,
        "maker": promise.maker.name,
        "to": [power.name for power in promise.to],
        "text": _text(promise.arrangement, names),
        "made": turn_to_json(promise.made),
        "ended": turn_to_json(promise.ended) if promise.ended else None,
        "verdict": promise.verdict.value,
        "breach": format_order(promise.breach) if promise.breach else None,
    }


def _offer(offer: Offer) -> dict[str, Any]:
    return {
        "turn": turn_to_json(offer.turn),
        "sender": offer.sender.name,
        "to": offer.to.name,
        "kind": offer.kind.value,
        "answer": offer.answer.value,
    }


def stab_to_json(stab: Stab) -> dict[str, Any]:
    """Write one stab."""
    return {
        "turn": turn_to_json(stab.turn),
        "by": stab.by.name,
        "victim": stab.victim.name,
        "order": format_order(stab.order),
        "centers": [stab.centers, stab.centers_later],
    }


def _text(arrangement: Arrangement, names: Representation) -> str:
    """Write an arrangement: what stands between the brackets of its proposal."""
    tokens = write_press(Propose(arrangement), names)
    return to_text(tokens[2:-1], names)

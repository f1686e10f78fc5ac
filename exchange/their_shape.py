"""Whether a phase of a saved game has the parts, each of its kind, that the package writes.

Raises BadInputError that names the part. What the parts say is for others to read.
"""

from collections.abc import Mapping
from typing import Any

from rules.errors import BadInputError

KINDS: Mapping[type, str] = {dict: "an object", list: "a list", str: "a text"}


def check_phase(phase: object) -> None:
    """Refuse a phase that cannot be read."""
    part = _part(phase, dict, "the phase")
    _part(part.get("name"), str, "name")
    state = _part(part.get("state"), dict, "state")
    _lists(state.get("units"), "state.units")
    _lists(state.get("centers"), "state.centers")
    for power, places in _part(state.get("retreats", {}), dict, "state.retreats").items():
        _lists(places, f"state.retreats.{power}")
    orders = _part(part.get("orders") or {}, dict, "orders")
    _lists({power: given or [] for power, given in orders.items()}, "orders")
    for unit, words in _part(part.get("results") or {}, dict, "results").items():
        _part(words, list, f"results.{unit}")
    for number, message in enumerate(_part(part.get("messages") or [], list, "messages")):
        place = f"messages.{number}"
        for key in ("sender", "recipient", "message"):
            _part(_part(message, dict, place).get(key), str, f"{place}.{key}")


def _lists(value: object, place: str) -> None:
    """Refuse what is not an object of lists of texts."""
    for name, texts in _part(value, dict, place).items():
        for text in _part(texts, list, f"{place}.{name}"):
            _part(text, str, f"{place}.{name}")


def _part(value: object, kind: type, place: str) -> Any:  # noqa: ANN401 - of that kind
    if not isinstance(value, kind):
        found = "is missing" if value is None else f"is {value!r:.60}"
        raise BadInputError(f"{place} {found}, where {KINDS[kind]} is needed")
    return value


def name_of(phase: object, number: int) -> str:
    """Return what to call a phase in a complaint."""
    name = phase.get("name") if isinstance(phase, Mapping) else None
    return name if isinstance(name, str) else f"number {number + 1}"

"""How a bot is named everywhere: `NAME[/VARIANT][/key=value]...`, and `+` to combine two.

`mcts/v5/iterations=500` is a variant with a parameter, `dbrane+blabbot` has the orders of the one
and the talk of the other. Every bot has the parameter `convoys`: `dumbbot/convoys=no` never orders
one. Raises BadInputError.
"""

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from types import UnionType
from typing import Any, Union, get_args, get_origin

from attrs import Factory, evolve, frozen

from rules.errors import BadInputError

LARGEST = 1_000_000_000
"""No number of a bot of ours is meant to be larger."""
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@frozen
class BotText:
    """One bot as it was asked for."""

    name: str
    variant: str | None = None
    parameters: Mapping[str, str] = Factory(dict)


def read_bot_text(text: str) -> BotText:
    """Read one bot; `+` must have been taken apart before.

    The variant comes first, so that the value of a parameter may be a path with slashes.
    """
    name, *rest = text.split("/")
    variant = rest.pop(0) if rest and "=" not in rest[0] else None
    parameters: dict[str, str] = {}
    key = ""
    for piece in rest:
        if "=" in piece:
            key, _, parameters[key] = piece.partition("=")
        elif key:
            parameters[key] += f"/{piece}"
    if not name or variant == "" or "" in parameters or (rest and not parameters):
        raise BadInputError(f"cannot read the bot {text!r}; write NAME/VARIANT/key=value")
    return BotText(name, variant, parameters)


def take_convoys(asked: BotText) -> tuple[BotText, bool]:
    """Return the bot without the parameter that all bots have, and whether it may convoy."""
    rest = dict(asked.parameters)
    text = rest.pop("convoys", "yes")
    if text.lower() not in _TRUTHS:
        raise BadInputError(f"{asked.name}: convoys must be yes or no, not {text!r}")
    return evolve(asked, parameters=rest), _TRUTHS[text.lower()]


def fill_parameters(
    factory: Callable[..., Any], parameters: Mapping[str, str], bot: str
) -> dict[str, Any]:
    """Convert parameters to what the factory's keyword-only arguments say that they are."""
    known = {
        name: parameter
        for name, parameter in signature(factory, eval_str=True).parameters.items()
        if parameter.kind is Parameter.KEYWORD_ONLY and _kind(parameter) is not None
    }
    for key in parameters:
        if key not in known:
            has = f"its parameters are {', '.join((*known, 'convoys'))}"
            raise BadInputError(f"{bot}: no such parameter: {key!r}; {has}")
    return {key: _converted(bot, key, text, known[key]) for key, text in parameters.items()}


def _converted(bot: str, key: str, text: str, parameter: Parameter) -> Any:  # noqa: ANN401 - as annotated
    kind = _kind(parameter)
    assert kind is not None
    try:
        return _TRUTHS[text.lower()] if kind is bool else kind(text)
    except (ValueError, KeyError):
        word = {int: "a whole number", float: "a number", bool: "true or false"}[kind]
        raise BadInputError(f"{bot}: {key} must be {word}, not {text!r}") from None


def check_range(name: str, value: float | None, lowest: float, highest: float = LARGEST) -> None:
    """Raise BadInputError for a number that a bot of ours cannot be made with; None is not given.

    What is not finite is in no range.
    """
    if value is None or lowest <= value <= highest:
        return
    bounds = (
        f"at least {lowest}"
        if highest == LARGEST and value < lowest
        else f"from {lowest} to {highest:,}"
    )
    raise BadInputError(f"{name}: must be {bounds}, not {value}")


def _kind(parameter: Parameter) -> type | None:
    """Return the plain type of a parameter, None if it cannot be written as text."""
    hint = parameter.annotation
    if get_origin(hint) in (Union, UnionType):
        plain = [each for each in get_args(hint) if each is not type(None)]
        hint = plain[0] if len(plain) == 1 else None
    return hint if hint in (int, float, bool, str) else None

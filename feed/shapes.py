"""JSON values against the types they are declared with: checks, and JSON Schema.

Knows what the events need: plain values, choices, lists, mappings, optional values, TypedDicts.
Raises BadInputError that names the field.
"""

from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NotRequired,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import attrs

from rules.errors import BadInputError
from rules.turns import turn_of

Hint: TypeAlias = Any

PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


def _origin(hint: Hint) -> object:
    return get_origin(hint)


def hints_of(kind: type) -> dict[str, Hint]:
    """Return the fields of a class with their types, without what belongs to the class itself.

    A field with a default came later, and may be missing.
    """
    hints = get_type_hints(kind, include_extras=True)
    later = {each.name for each in attrs.fields(kind) if each.default is not attrs.NOTHING}
    return {
        name: NotRequired[hint] if name in later else hint
        for name, hint in hints.items()
        if _origin(hint) is not ClassVar
    }


def is_optional(hint: Hint) -> bool:
    """Whether a field may be missing."""
    return _origin(hint) is NotRequired


def check(value: object, hint: Hint, place: str) -> None:
    """Raise unless a JSON value is of the type."""
    if not fits(value, hint):
        raise BadInputError(f"{place}: {_shown(value)} is not what docs/events.md says")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def fits(value: object, hint: Hint) -> bool:
    """Whether a JSON value is of the type."""
    origin, arguments = _origin(hint), get_args(hint)
    if origin is NotRequired:
        return fits(value, arguments[0])
    if origin is Annotated:
        return turn_of(value) is not None
    if origin is Literal:
        return value in arguments
    if origin in (Union, UnionType):
        return any(fits(value, each) for each in arguments)
    if origin is list:
        return isinstance(value, list) and all(fits(each, arguments[0]) for each in value)
    if origin is dict:
        return isinstance(value, dict) and all(fits(each, arguments[1]) for each in value.values())
    if is_typeddict(hint):
        return _fits_fields(value, hint)
    if isinstance(value, bool):
        return hint is bool
    return isinstance(value, int | float if hint is float else hint)


def _fits_fields(value: object, kind: type) -> bool:
    """Compare an object with a TypedDict; fields that came later are no harm."""
    if not isinstance(value, dict):
        return False
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if name in value and not fits(value[name], hint):
            return False
        if name not in value and not is_optional(hint):
            return False
    return True


def schema_of(hint: Hint) -> dict[str, Any]:
    """Return the JSON Schema of a type."""
    origin, arguments = _origin(hint), get_args(hint)
    if origin is Annotated:
        pair = [{"type": "string"}, {"type": "integer"}]
        return {"type": "array", "prefixItems": pair, "minItems": 2, "maxItems": 2}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, UnionType):
        return {"anyOf": [schema_of(each) for each in arguments]}
    if origin is list:
        return {"type": "array", "items": schema_of(arguments[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(arguments[1])}
    if is_typeddict(hint):
        return object_schema(get_type_hints(hint, include_extras=True))
    return {"type": PLAIN[hint]}


def object_schema(hints: dict[str, Hint]) -> dict[str, Any]:
    """Return the JSON Schema of an object with these fields."""
    optional = {name for name, hint in hints.items() if is_optional(hint)}
    return {
        "type": "object",
        "properties": {
            name: schema_of(get_args(hint)[0] if name in optional else hint)
            for name, hint in hints.items()
        },
        "required": [name for name in hints if name not in optional],
    }

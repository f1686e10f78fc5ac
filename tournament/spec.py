"""What a tournament is to play: a TOML file, read strictly.

Every key that is not known, and every value of the wrong kind, is a `BadInputError` that names the
file and the key: `quick.toml: fields[1].games: 'many' is not a whole number`.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

from attrs import Factory, evolve, frozen

from bots.registry import make_bot
from grammar.tables import LEVELS
from rules.errors import BadInputError
from rules.variants import load_board
from server.toml_values import Reader, flag, one_of, read_toml, seconds, whole

MODES = ("auto", "in-process", "processes")
SIZES = ("full", "small")
LAST_YEAR = 1920
GAME_LIMIT = 60.0
MOST_GAMES = 1_000_000
LARGEST_SEED = 10**9


@frozen
class Rules:
    """How games are played; a field may have rules of its own."""

    press_level: int = 20
    press_rounds: int = 6
    """How often the powers may answer each other in a turn."""
    last_year: int = LAST_YEAR
    years_without_change: int | None = None
    think: float | None = None
    """Seconds that a bot may think about a turn."""


@frozen
class FieldPlan:
    """One line-up, and how many games are played with it."""

    name: str
    players: Mapping[str, int]
    """How many seats each bot has; they add up to the powers of the map."""
    games: int
    rules: Rules


@frozen
class Spec:
    """A whole tournament."""

    name: str
    fields: tuple[FieldPlan, ...]
    seed: int = 1
    variant: str = "standard"
    mode: str = "auto"
    paired: bool = False
    """Whether the games number i of all fields have the same seed."""
    balance: bool = True
    """Whether fields are rounded up until every bot has every power equally often."""
    game_limit: float = GAME_LIMIT
    """Seconds in which a turn must be completed."""
    bots: Mapping[str, str] = Factory(dict)
    """What each name of a bot stands for."""
    size: str = "full"
    """With `small` the values of the table of that name hold, for a first look."""
    paper: Mapping[str, Any] = Factory(dict)
    """What was published about the experiment: for those who print it, not for the runner."""
    warnings: tuple[str, ...] = ()

    @property
    def powers(self) -> tuple[str, ...]:
        """The names of the powers."""
        return tuple(power.name for power in load_board(self.variant).powers)

    def bot_text(self, name: str) -> str:
        """Return the bot that a name in the fields stands for."""
        return self.bots.get(name, name)


def read_spec(text: str, source: str = "spec.toml") -> Spec:
    """Read a spec from a text; `source` is how complaints call it."""
    table = read_toml(text, source)
    try:
        return _spec(table, Path(source).stem)
    except BadInputError as error:
        raise BadInputError(f"{source}: {error}") from None


def check_bots(spec: Spec, source: str = "spec.toml") -> None:
    """Raise unless every bot that plays can be made."""
    names = dict.fromkeys(name for field in spec.fields for name in field.players)
    for name in names:
        place = f"bots.{name}" if name in spec.bots else f"fields: {name}"
        try:
            make_bot(spec.bot_text(name))
        except BadInputError as error:
            raise BadInputError(f"{source}: {place}: {error}") from None


# --- kinds of values ------------------------------------------------------------------------------


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip() or "\n" in value:
        raise BadInputError(f"{value!r} is not a text of one line")
    return value


def _table(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadInputError(f"{value!r} is not a table")
    return value


def _names(value: object) -> list[str]:
    if not isinstance(value, list) or not value:
        raise BadInputError(f"{value!r} is not a list of bots")
    names = [_text(each) for each in value]
    if len(set(names)) < len(names):
        raise BadInputError(f"{value!r} names a bot twice")
    return names


def _numbers(value: object) -> list[int]:
    if not isinstance(value, list) or not value:
        raise BadInputError(f"{value!r} is not a list of numbers")
    return [whole(1, 100)(each) for each in value]


def _variant(value: object) -> str:
    load_board(_text(value))
    return str(value)


def _anything(value: object) -> object:
    """Leave to others what needs a closer look."""
    return value


_GAMES = whole(1, MOST_GAMES)
_RULES: Mapping[str, Reader] = {
    "press_level": one_of(*LEVELS),
    "press_rounds": whole(1, 1000),
    "last_year": whole(1, 9999),
    "years_without_change": whole(1, 1000),
    "think": seconds,
}
_SPEC: Mapping[str, Reader] = {
    "name": _text,
    "seed": whole(0, LARGEST_SEED),
    "games": _GAMES,
    "variant": _variant,
    "mode": one_of(*MODES),
    "paired": flag,
    "balance": flag,
    "game_limit": seconds,
    "bots": _table,
    "fields": _anything,
    "paper": _table,
    "size": one_of(*SIZES),
    "small": _table,
    **_RULES,
}
_FIELD: Mapping[str, Reader] = {
    "name": _text,
    "games": _GAMES,
    "players": _table,
    "round_robin": _names,
    "sizes": _numbers,
    "one_against_six": _anything,
    **_RULES,
}
_KINDS = ("players", "round_robin", "one_against_six")


def _values(table: Mapping[str, Any], readers: Mapping[str, Reader], place: str) -> dict[str, Any]:
    """Read a table; keys may be written with hyphens or underscores."""
    values: dict[str, Any] = {}
    for written, value in table.items():
        key = written.replace("-", "_")
        if key not in readers:
            known = ", ".join(readers)
            raise BadInputError(f"{place}{written}: there is no such key; the keys are {known}")
        if key in values:
            raise BadInputError(f"{place}{written}: is given twice")
        values[key] = _read(readers[key], value, f"{place}{written}")
    return values


def _read(read: Reader, value: object, place: str) -> Any:  # noqa: ANN401 - as the reader says
    try:
        return read(value)
    except BadInputError as error:
        raise BadInputError(f"{place}: {error}") from None


# --- the tables -----------------------------------------------------------------------------------


def _spec(table: Mapping[str, Any], name: str) -> Spec:
    values = _values(table, _SPEC, "")
    small = _values(values.pop("small", {}), {"games": _GAMES, **_RULES}, "small.")
    if values.get("size") != "small":
        small = {}
    values |= small
    rules = Rules(**{key: values.pop(key) for key in tuple(values) if key in _RULES})
    games = values.pop("games", None)
    entries = values.pop("fields", None)
    bots = {
        alias: _read(_text, text, f"bots.{alias}") for alias, text in values.pop("bots", {}).items()
    }
    board = load_board(values.get("variant", "standard"))
    seats, first_year = len(board.powers), board.start.turn.year
    if not isinstance(entries, list) or not entries:
        raise BadInputError("fields: there are none; write who plays as [[fields]]")
    plans: list[FieldPlan] = []
    warnings: list[str] = []
    for number, entry in enumerate(entries):
        place = f"fields[{number}]"
        own = _read(_table, entry, place)
        found = _field_plans({**own, **small}, place, seats, games, rules)
        for plan in found:
            if plan.rules.last_year < first_year:
                raise BadInputError(
                    f"{place}: last_year: the game starts in {first_year}, after "
                    f"{plan.rules.last_year}"
                )
        plans += found
    _check_field_names(plans)
    if values.get("balance", True):
        plans = [_balanced(plan, seats, warnings) for plan in plans]
    return Spec(
        **{"name": name, **values}, fields=tuple(plans), bots=bots, warnings=tuple(warnings)
    )


def _check_field_names(plans: Sequence[FieldPlan]) -> None:
    names = [plan.name for plan in plans]
    doubled = next((name for name in names if names.count(name) > 1), None)
    if doubled is not None:
        raise BadInputError(f"fields: two are called {doubled!r}; give one of them another `name`")


def _balanced(plan: FieldPlan, seats: int, warnings: list[str]) -> FieldPlan:
    """Round the games up until everybody has had every power equally often."""
    cycle = cycle_of(plan.players, seats)
    wanted = -(-plan.games // cycle) * cycle
    if wanted != plan.games:
        warnings.append(
            f"{plan.name}: {wanted} games in place of {plan.games}, so that every bot plays every "
            "power equally often (`balance = false` does not round)"
        )
    return evolve(plan, games=wanted)


def cycle_of(players: Mapping[str, int], seats: int) -> int:
    """Return after how many games everybody has had every power equally often."""
    return 1 if len(players) == 1 else seats


def _field_plans(
    table: Mapping[str, Any], place: str, seats: int, games: int | None, rules: Rules
) -> list[FieldPlan]:
    """Return the line-ups that one entry of `fields` stands for."""
    values = _values(table, _FIELD, f"{place}.")
    kinds = [kind for kind in _KINDS if kind in values]
    if len(kinds) != 1:
        raise BadInputError(
            f"{place}: say who plays with one of players, round-robin and one-against-six"
        )
    if "sizes" in values and "round_robin" not in values:
        raise BadInputError(f"{place}.sizes: goes with round-robin")
    games = values.get("games", games)
    if games is None:
        raise BadInputError(f"{place}.games: is missing, here and at the top of the file")
    own = evolve(rules, **{key: values[key] for key in values if key in _RULES})
    match kinds[0]:
        case "players":
            lineups = [_composition(values["players"], f"{place}.players", seats)]
        case "round_robin":
            sizes = values.get("sizes", [seats // 2, seats - seats // 2])
            lineups = _round_robin(values["round_robin"], sizes, place, seats)
        case _:
            lineups = _one_against_many(values["one_against_six"], place, seats)
    return [
        FieldPlan(_field_name(values.get("name"), lineup, len(lineups)), lineup, games, own)
        for lineup in lineups
    ]


def _field_name(given: str | None, lineup: Mapping[str, int], count: int) -> str:
    told = "-".join(f"{name}*{seats}" for name, seats in lineup.items())
    if given is None:
        return told
    return given if count == 1 else f"{given}: {told}"


def _composition(table: Mapping[str, Any], place: str, seats: int) -> dict[str, int]:
    lineup = {
        name: _read(whole(1, seats), count, f"{place}.{name}") for name, count in table.items()
    }
    if sum(lineup.values()) != seats:
        raise BadInputError(f"{place}: {sum(lineup.values())} bots for {seats} powers")
    return lineup


def _round_robin(
    names: Sequence[str], sizes: Sequence[int], place: str, seats: int
) -> list[dict[str, int]]:
    if len(names) < 2:
        raise BadInputError(f"{place}.round-robin: needs two bots or more")
    for size in sizes:
        if not 1 <= size < seats:
            raise BadInputError(f"{place}.sizes: {size} is not between 1 and {seats - 1}")
    return [
        {one: size, other: seats - size}
        for one, other in combinations(names, 2)
        for size in dict.fromkeys(sizes)
    ]


def _one_against_many(value: object, place: str, seats: int) -> list[dict[str, int]]:
    """Read a list, for everybody against everybody, or a table of who is alone and who is many."""
    place = f"{place}.one-against-six"
    if isinstance(value, dict):
        sides = _values(value, {"one": _names, "six": _names}, f"{place}.")
        if len(sides) != 2:
            raise BadInputError(f"{place}: needs `one` and `six`")
        pairs = [(one, six) for one in sides["one"] for six in sides["six"] if one != six]
    else:
        pairs = list(permutations(_read(_names, value, place), 2))
    if not pairs:
        raise BadInputError(f"{place}: there is nobody to play against")
    return [{one: 1, six: seats - 1} for one, six in pairs]

"""The things of the game in plain English: places, units, orders, turns."""

from collections.abc import Iterable

from rules import orders as o
from rules.orders import Order, Unit, UnitKind
from rules.places import Coast, Location, Power, Province
from rules.turns import Turn

KINDS = {UnitKind.ARMY: "army", UnitKind.FLEET: "fleet"}
COASTS = {coast: coast.name.lower().replace("_", "-") for coast in Coast}


def listed(items: Iterable[str], word: str = "and") -> str:
    """Join phrases: `a`, `a and b`, `a, b and c`."""
    *most, last = items
    return f"{', '.join(most)} {word} {last}" if most else last


def counted(number: int, thing: str) -> str:
    """Return a number of things: `1 center`, `2 centers`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def power_name(power: Power) -> str:
    """Return what people call a power."""
    return power.title or power.name


def power_names(powers: Iterable[Power]) -> str:
    """Return several powers as a list."""
    return listed(power_name(power) for power in powers)


def adjective(power: Power) -> str:
    """Return the adjective of a power, or its name where there is none."""
    return power.adjective or power.name


def province_name(province: Province) -> str:
    """Return what people call a province: seas take an article."""
    if not province.title:
        return province.name
    return f"the {province.title}" if province.is_sea else province.title


def province_names(provinces: Iterable[Province], word: str = "and") -> str:
    """Return several provinces as a list."""
    return listed((province_name(province) for province in provinces), word)


def location_name(location: Location) -> str:
    """Return a province, with its coast where there is one."""
    name = province_name(location.province)
    return f"{name} ({COASTS[location.coast]} coast)" if location.coast else name


def turn_name(turn: Turn) -> str:
    """Return a turn, such as `spring 1901`."""
    return f"{turn.season.name.lower()} {turn.year}"


def unit_name(unit: Unit) -> str:
    """Return a unit, such as `the English army in Liverpool`."""
    return f"the {adjective(unit.power)} {KINDS[unit.kind]} in {location_name(unit.location)}"


def order_clause(order: Order) -> str:
    """Return what an order makes its unit do, such as `the English army in Wales holds`."""
    subject, verb, rest = _order_parts(order)
    return f"{subject} {verb}{'es' if verb == 'go' else 's'}{rest}"


def order_denial(order: Order) -> str:
    """Return that an order is not given, such as `the English army in Wales does not hold`."""
    subject, verb, rest = _order_parts(order)
    return f"{subject} does not {verb}{rest}"


def _order_parts(order: Order) -> tuple[str, str, str]:
    """Return who does something, the verb, and the rest of the clause."""
    match order:
        case o.Waive(power):
            return power_name(power), "waive", " a build"
        case o.Build(unit):
            where = location_name(unit.location)
            article = "an" if unit.kind is UnitKind.ARMY else "a"
            return power_name(unit.power), "build", f" {article} {KINDS[unit.kind]} in {where}"
        case o.Remove(unit):
            return power_name(unit.power), "remove", f" {unit_name(unit)}"
        case _:
            return (unit_name(order.unit), *_action(order))


def _action(order: o.MovementOrder | o.RetreatOrder) -> tuple[str, str]:
    match order:
        case o.Hold():
            return "hold", ""
        case o.Move(_, destination):
            return "move", f" to {location_name(destination)}"
        case o.SupportHold(_, supported):
            return "support", f" {unit_name(supported)}"
        case o.SupportMove(_, supported, destination):
            goal = province_name(destination)
            return "support", f" the move of {unit_name(supported)} to {goal}"
        case o.Convoy(_, convoyed, destination):
            return "convoy", f" {unit_name(convoyed)} to {province_name(destination)}"
        case o.MoveByConvoy(_, destination, via):
            return "go", f" by convoy to {province_name(destination)} over {province_names(via)}"
        case o.Retreat(_, destination):
            return "retreat", f" to {location_name(destination)}"
        case o.Disband():
            return "disband", ""

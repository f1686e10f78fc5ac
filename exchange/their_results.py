"""What came of orders, in the words of the package `diplomacy`: the ones it would find itself."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from exchange.diplomacy_names import their_unit
from rules.orders import (
    Move,
    MoveByConvoy,
    Order,
    OrderResult,
    SupportHold,
    SupportMove,
    Unit,
    Waive,
)
from rules.places import Province
from rules.turns import Phase

SUCCESS = OrderResult.SUCCEEDED.value
BOUNCE = OrderResult.BOUNCED.value
WORDS: Mapping[str, tuple[str, ...]] = {
    "SUC": (),
    "BNC": ("bounce",),
    "CUT": ("cut",),
    "DSR": ("disrupted",),
    "NSO": ("void",),
}
VOID = "void"


@frozen
class JudgedOrder:
    """An order as it stands in the saved game, and what our record says of it."""

    order: Order
    text: str
    told: Mapping[str, Any]

    @property
    def result(self) -> str | None:
        """Our word, None for an illegal order and for a unit that was driven out."""
        word: str | None = self.told.get("result")
        return word


def their_results(orders: Sequence[JudgedOrder], phase: Phase) -> dict[str, list[str]]:
    """Return the words for every unit."""
    useless = _self_attacks(orders) if phase is Phase.MOVEMENT else set()
    found: dict[str, list[str]] = {}
    for each in orders:
        if isinstance(each.order, Waive):
            continue
        words = [VOID] if each.order in useless else _words(each, phase)
        if each.told.get("dislodged"):
            words.append("dislodged")
        found[their_unit(each.order.unit)] = words
    return found


def _words(each: JudgedOrder, phase: Phase) -> list[str]:
    if each.told.get("note"):
        return [VOID]
    if each.result is None:
        return []
    if phase is Phase.RETREAT:
        return ["bounce", "disband"] if each.result == BOUNCE else []
    if each.text.endswith(" H"):
        return []
    if isinstance(each.order, MoveByConvoy) and each.result == "NSO":
        return ["no convoy"]
    return list(WORDS[each.result])


# --- supports of attacks on the supporter's own unit ----------------------------------------------


def _self_attacks(orders: Sequence[JudgedOrder]) -> set[Order]:
    """Return the supports that were given, and could not help: the package calls them void.

    They were for an attack on a unit of the supporter's own power that did not leave. The package
    says so where the attack won or failed for that alone, and not where others were stronger.
    """
    here = {_place(each.order): each for each in orders if not isinstance(each.order, Waive)}
    found: set[Order] = set()
    for each in orders:
        order = each.order
        if not isinstance(order, SupportMove) or each.result != SUCCESS:
            continue
        target = here.get(order.destination)
        attack = here.get(order.supported.location.province)
        if target is None or attack is None or _leaves(target):
            continue
        if _unit(target).power == order.unit.power and _is_judged_alone(attack, target, orders):
            found.add(order)
    return found


def _is_judged_alone(
    attack: JudgedOrder, target: JudgedOrder, orders: Sequence[JudgedOrder]
) -> bool:
    """Whether nothing but whose the supports are could decide the attack."""
    if attack.result == SUCCESS:
        return True
    mine = _strength(attack.order, orders)
    if _goal(target.order) == _place(attack.order) and not _by_sea(attack, target):
        return True
    goal = _goal(attack.order)
    rivals = [
        each.order
        for each in orders
        if each is not attack and not isinstance(each.order, Waive) and _goal(each.order) == goal
    ]
    others = [_strength(order, orders) for order in rivals]
    stands = 1 if _goal(target.order) is not None else _strength(target.order, orders)
    return mine > max([stands, *others])


def _by_sea(*orders: JudgedOrder) -> bool:
    return any(isinstance(each.order, MoveByConvoy) for each in orders)


def _strength(order: Order, orders: Sequence[JudgedOrder]) -> int:
    """Count a unit and the supports it was given, whoever gave them."""
    unit, goal = getattr(order, "unit", None), _goal(order)
    return 1 + sum(
        each.result == SUCCESS
        and (
            (
                isinstance(each.order, SupportMove)
                and (each.order.supported, each.order.destination) == (unit, goal)
            )
            or (
                isinstance(each.order, SupportHold)
                and goal is None
                and each.order.supported == unit
            )
        )
        for each in orders
    )


def _goal(order: Order) -> Province | None:
    match order:
        case Move(destination=place):
            return place.province
        case MoveByConvoy(destination=province):
            return province
    return None


def _leaves(each: JudgedOrder) -> bool:
    return _goal(each.order) is not None and each.result == SUCCESS


def _unit(each: JudgedOrder) -> Unit:
    order = each.order
    assert not isinstance(order, Waive)
    return order.unit


def _place(order: Order) -> Province:
    assert not isinstance(order, Waive)
    return order.unit.location.province

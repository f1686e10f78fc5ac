"""What powers promise each other when they agree to an arrangement."""

from collections.abc import Iterable, Iterator

from grammar.press import (
    Alliance,
    AllOf,
    Arrangement,
    Demilitarize,
    Draw,
    GiveOrder,
    Not,
    Peace,
)
from promises.promise import Kind, Promise
from rules.legality import PHASES
from rules.orders import Order, power_of
from rules.places import Power
from rules.turns import Phase, Turn


def parts_of(arrangement: Arrangement) -> Iterator[Arrangement]:
    """Give an arrangement, or the parts of one that joins several."""
    if isinstance(arrangement, AllOf):
        for part in arrangement.parts:
            yield from parts_of(part)
    else:
        yield arrangement


def agreed(parties: Iterable[Power], arrangement: Arrangement, turn: Turn) -> Iterator[Promise]:
    """Give the promises that the parties make when all of them agree.

    Peace and alliances are promised to each partner singly, so that each can end alone. Nobody can
    promise for a power that was not asked.
    """
    powers = tuple(parties)
    for part in parts_of(arrangement):
        match part:
            case Peace(members):
                yield from _pairs(Kind.PEACE, part, powers, members, turn)
            case Alliance(members, _):
                yield from _pairs(Kind.ALLIANCE, part, powers, members, turn)
            case Demilitarize(members, _):
                makers = [power for power in powers if power in members]
                yield from _to_all(Kind.DMZ, part, powers, makers, turn)
            case GiveOrder(order) | Not(GiveOrder(order)):
                makers = [power for power in powers if power == power_of(order)]
                yield from _to_all(Kind.ORDER, part, powers, makers, turn)
            case Draw():
                yield from _to_all(Kind.DRAW, part, powers, powers, turn)


def _pairs(
    kind: Kind, part: Arrangement, parties: Iterable[Power], members: Iterable[Power], turn: Turn
) -> Iterator[Promise]:
    bound = [power for power in parties if power in set(members)]
    for maker in bound:
        for other in bound:
            if maker != other:
                yield Promise(kind=kind, maker=maker, to=(other,), arrangement=part, made=turn)


def _to_all(
    kind: Kind, part: Arrangement, parties: Iterable[Power], makers: Iterable[Power], turn: Turn
) -> Iterator[Promise]:
    for maker in makers:
        others = tuple(power for power in parties if power != maker)
        yield Promise(kind=kind, maker=maker, to=others, arrangement=part, made=turn)


def ended_by(arrangement: Arrangement) -> Iterator[tuple[Kind, Arrangement]]:
    """Give what is over once somebody has said this: NOT of something that was agreed."""
    for part in parts_of(arrangement):
        match part:
            case Not(Peace() as peace):
                yield Kind.PEACE, peace
            case Not(Alliance() as alliance):
                yield Kind.ALLIANCE, alliance
            case Not(Demilitarize() as zone):
                yield Kind.DMZ, zone
            # Only who asked for an order can do without it: see `PromiseBook`.
            case Not(GiveOrder() as given):
                yield Kind.ORDER, given


def promised_order(arrangement: Arrangement) -> Order | None:
    """Return the order that an arrangement is about, None if it is about something else."""
    match arrangement:
        case GiveOrder(order) | Not(GiveOrder(order)):
            return order
    return None


def is_due(arrangement: Arrangement, phase: Phase) -> bool:
    """Whether an arrangement has an order that a turn of this phase takes."""
    orders = map(promised_order, parts_of(arrangement))
    return any(order is not None and PHASES[type(order)] is phase for order in orders)

"""Make movement turns that are dense with trouble; the same seed makes the same turns.

Random play almost never shows a matched support against an own unit, a convoy swap or a paradox.
So each turn starts from one to three patterns laid out on the board, and is then filled with
neighbours that mostly help or hinder what is already going on. All orders are legal.
"""

import itertools
from collections.abc import Callable, Iterator
from random import Random

from attrs import define, field, frozen

from rules.board import Board
from rules.orders import (
    Convoy,
    Hold,
    Move,
    MoveByConvoy,
    MovementOrder,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
)
from rules.places import Location, Power, Province
from rules.position import Position
from rules.turns import Season, Turn

LONGEST_CONVOY = 5


@frozen
class Case:
    """A position of a movement turn and one order for each unit."""

    board: Board
    position: Position
    orders: tuple[MovementOrder, ...]

    def __str__(self) -> str:
        return "\n".join(f"{order.unit.power} {describe(order)}" for order in self.orders)


def generate(board: Board, seed: int, *, most_units: int) -> Case:
    """Make one turn with at most that many units."""
    maker = Maker(board, Random(seed), most_units)
    for pattern in maker.random.choices(PATTERNS, k=maker.random.choice((1, 1, 2, 3))):
        pattern(maker)
    maker.fill()
    return maker.case()


@define
class Maker:
    """A turn in the making."""

    board: Board
    random: Random
    most_units: int
    powers: list[Power] = field(init=False)
    orders: dict[Province, MovementOrder] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        # Few powers, so that their units get into each other's way.
        count = min(self.random.choice((2, 2, 3, 4)), len(self.board.powers))
        self.powers = self.random.sample(self.board.powers, count)

    # The board.

    def fleet_places(self, province: Province) -> list[Location]:
        """Return the places for fleets in a province."""
        return [place for place in self.board.fleet_borders if place.province == province]

    def seas(self) -> list[Province]:
        """Return all seas, shuffled."""
        seas = [province for province in self.board.provinces if province.is_sea]
        return self.random.sample(seas, len(seas))

    def shores(self, sea: Province) -> list[Province]:
        """Return the coastal provinces of a sea, shuffled."""
        places = self.board.fleet_borders[Location(sea)]
        shores = sorted({place.province.name for place in places if place.province.is_coastal})
        return [self.board.province(name) for name in self.random.sample(shores, len(shores))]

    def entries(self, province: Province) -> list[tuple[UnitKind, Location, Location]]:
        """Return the ways into a province by one step: kind, from where, to which place."""
        ways = [
            (UnitKind.FLEET, here, there)
            for here, to in self.board.fleet_borders.items()
            for there in to
            if there.province == province
        ]
        if province in self.board.army_borders:
            ways += [
                (UnitKind.ARMY, Location(here), Location(province))
                for here in self.board.army_borders[province]
            ]
        return self.random.sample(ways, len(ways))

    def is_free(self, province: Province) -> bool:
        """Whether there is room for one more unit, and none there yet."""
        return province not in self.orders and len(self.orders) < self.most_units

    def units(self) -> list[Unit]:
        """Return the units so far, shuffled."""
        units = [order.unit for order in self.orders.values()]
        return self.random.sample(units, len(units))

    def any_power(self) -> Power:
        """Pick one of the powers."""
        return self.random.choice(self.powers)

    def rival_of(self, power: Power) -> Power:
        """Pick a power, mostly another one."""
        others = [other for other in self.powers if other != power]
        return self.random.choice(others) if self.random.random() < 0.85 else power

    # Placing.

    def give(self, order: MovementOrder) -> bool:
        """Place a unit with its order, if there is room."""
        if not self.is_free(order.unit.location.province):
            return False
        self.orders[order.unit.location.province] = order
        return True

    def give_move(self, goal: Province, *, power: Power | None = None) -> Unit | None:
        """Send some new unit to a province."""
        for kind, here, there in self.entries(goal):
            unit = Unit(power or self.any_power(), kind, here)
            if self.give(Move(unit, there)):
                return unit
        return None

    def give_support(self, helped: Unit, *, power: Power | None = None) -> Unit | None:
        """Let some new unit help one with an order."""
        order = self.orders[helped.location.province]
        goal = goal_of(order) or helped.location.province
        for kind, here, _ in self.entries(goal):
            unit = Unit(power or self.any_power(), kind, here)
            if here.province != helped.location.province and self.give(help_for(unit, order)):
                return unit
        return None

    def give_holder(self, province: Province) -> Unit | None:
        """Let a new unit stand in a province."""
        places = [(UnitKind.FLEET, place) for place in self.fleet_places(province)]
        if province in self.board.army_borders:
            places.append((UnitKind.ARMY, Location(province)))
        unit = Unit(self.any_power(), *self.random.choice(places))
        return unit if self.give(Hold(unit)) else None

    def give_convoy(self, start: Province, seas: list[Province], goal: Province) -> Unit | None:
        """Send a new army over seas, with a new fleet on each."""
        wanted = [start, *seas]
        if len(self.orders) + len(wanted) > self.most_units:
            return None
        if not all(self.is_free(province) for province in wanted):
            return None
        army = Unit(self.any_power(), UnitKind.ARMY, Location(start))
        self.give(MoveByConvoy(army, goal, tuple(seas)))
        for sea in seas:
            # Mostly one power; now and then a foreign fleet lends a hand.
            power = army.power if self.random.random() < 0.6 else self.any_power()
            fleet = Unit(power, UnitKind.FLEET, Location(sea))
            is_loyal = self.random.random() < 0.95
            self.give(Convoy(fleet, army, goal) if is_loyal else Hold(fleet))
        return army

    # Filling up.

    def fill(self) -> None:
        """Add units that meddle with what is there, until the board is as full as asked."""
        wanted = self.random.randint(min(4, self.most_units), self.most_units)
        for _ in range(4 * wanted):
            if len(self.orders) >= wanted:
                return
            self.random.choices(
                (self.add_support, self.add_rival, self.add_stray), weights=(6, 4, 1)
            )[0]()

    def add_support(self) -> None:
        """Help somebody."""
        for unit in self.units()[:3]:
            if self.give_support(unit):
                return

    def add_rival(self) -> None:
        """Attack somebody, or go where somebody goes."""
        for unit in self.units()[:3]:
            goal = goal_of(self.orders[unit.location.province])
            target = goal if goal and self.random.random() < 0.5 else unit.location.province
            if self.give_move(target):
                return

    def add_stray(self) -> None:
        """Put a unit anywhere, with an order that helps nobody."""
        unit = self.give_holder(self.random.choice(self.board.provinces))
        if unit is None or self.random.random() < 0.3:
            return
        reach = {place.province for place in self.board.destinations(unit)}
        for other in self.units():
            goals = [place.province for place in self.board.destinations(other)]
            goals = [goal for goal in goals if goal in reach]
            if other != unit and goals:
                goal = self.random.choice(goals)
                self.orders[unit.location.province] = SupportMove(unit, other, goal)
                return

    def case(self) -> Case:
        """Return the finished turn, its orders shuffled."""
        orders = self.random.sample(list(self.orders.values()), len(self.orders))
        units = sorted(
            (order.unit for order in orders), key=lambda unit: unit.location.province.name
        )
        position = Position(
            Turn(Season.SPRING, 1901), tuple(units), (), dict(self.board.start.owners)
        )
        return Case(self.board, position, tuple(orders))


def goal_of(order: MovementOrder) -> Province | None:
    """Return where an order sends its unit."""
    match order:
        case Move():
            return order.destination.province
        case MoveByConvoy():
            return order.destination
    return None


def help_for(unit: Unit, order: MovementOrder) -> MovementOrder:
    """Return the support that matches an order."""
    goal = goal_of(order)
    if goal is None:
        return SupportHold(unit, order.unit)
    return SupportMove(unit, order.unit, goal)


# The patterns.


def head_to_head(maker: Maker) -> None:
    """Two units walk into each other, each with help."""
    province = maker.random.choice(maker.board.provinces)
    for kind, here, there in maker.entries(province):
        if maker.is_free(here.province) and maker.is_free(province):
            first = Unit(maker.any_power(), kind, here)
            second = Unit(maker.any_power(), kind, there)
            maker.give(Move(first, there))
            maker.give(Move(second, here))
            for unit in (first, second):
                for _ in range(maker.random.randint(0, 2)):
                    if unit.location.province in maker.orders:
                        maker.give_support(unit)
            return


def beleaguered(maker: Maker) -> None:
    """Somebody is attacked from two sides with equal help."""
    province = maker.random.choice(maker.board.provinces)
    if not maker.is_free(province):
        return
    holder = maker.give_holder(province)
    for _ in range(maker.random.choice((2, 2, 3))):
        if attacker := maker.give_move(province):
            maker.give_support(attacker)
    if holder and maker.random.random() < 0.5:
        maker.give_support(holder)


def counterattack(maker: Maker) -> None:
    """The one who is attacked strikes at those who support the attack."""
    province = maker.random.choice(maker.board.provinces)
    attacker = maker.give_move(province) if maker.is_free(province) else None
    helper = maker.give_support(attacker) if attacker else None
    if attacker is None or helper is None:
        return
    enemy = maker.rival_of(attacker.power)
    for kind, here, there in maker.entries(helper.location.province):
        if here.province == province:
            victim = Unit(enemy, kind, here)
            if maker.give(Move(victim, there)) and maker.random.random() < 0.5:
                maker.give_support(victim)
            return


def standoff(maker: Maker) -> None:
    """Several want the same empty province, and a neighbour will have to look for room."""
    province = maker.random.choice(maker.board.provinces)
    for _ in range(maker.random.choice((2, 2, 3))):
        if (mover := maker.give_move(province)) and maker.random.random() < 0.3:
            maker.give_support(mover)
    neighbors = [here.province for _, here, _ in maker.entries(province)]
    for neighbor in neighbors:
        if maker.is_free(neighbor):
            maker.give_holder(neighbor)
            power = maker.rival_of(maker.orders[neighbor].unit.power)
            if attacker := maker.give_move(neighbor, power=power):
                maker.give_support(attacker)
            return


def circle(maker: Maker) -> None:
    """Three or more units go round, one of them perhaps by sea."""
    length = maker.random.choice((3, 3, 4, 5))
    ring = find_ring(maker, length)
    if not ring or len(maker.orders) + length > maker.most_units:
        return
    movers = []
    for here, there in zip(ring, [*ring[1:], ring[0]], strict=True):
        unit = Unit(maker.any_power(), UnitKind.ARMY, Location(here))
        if maker.give(Move(unit, Location(there))):
            movers.append(unit)
    # Break or strengthen the circle in half of the cases.
    if movers and maker.random.random() < 0.5:
        maker.give_support(maker.random.choice(movers))
        maker.give_move(maker.random.choice(ring))


def find_ring(maker: Maker, length: int) -> list[Province] | None:
    """Walk about until the walk closes after so many steps."""
    borders = maker.board.army_borders
    for _ in range(20):
        walk = [maker.random.choice(list(borders))]
        while len(walk) < length:
            steps = [step for step in borders[walk[-1]] if step not in walk and maker.is_free(step)]
            if not steps:
                break
            walk.append(maker.random.choice(steps))
        if len(walk) == length and walk[0] in borders[walk[-1]] and maker.is_free(walk[0]):
            return walk
    return None


def convoy_swap(maker: Maker) -> None:
    """Two neighbours trade places, one or both by sea."""
    for sea in maker.seas():
        for start in maker.shores(sea):
            for goal in maker.shores(sea):
                if goal in maker.board.army_borders[start] and maker.is_free(goal):
                    army = maker.give_convoy(start, [sea], goal)
                    if army is None:
                        continue
                    power = maker.any_power()
                    other = Unit(power, UnitKind.ARMY, Location(goal))
                    maker.give(Move(other, Location(start)))
                    for unit in (army, other):
                        if unit.location.province in maker.orders and maker.random.random() < 0.6:
                            maker.give_support(unit)
                    return


def long_convoy(maker: Maker) -> None:
    """An army travels over several seas, which somebody attacks."""
    for start, seas, goal in find_routes(maker):
        if maker.give_convoy(start, seas, goal):
            attacked = maker.random.choice(seas)
            if attacker := maker.give_move(attacked):
                maker.give_support(attacker)
            return


def find_routes(maker: Maker) -> Iterator[tuple[Province, list[Province], Province]]:
    """Yield some ways over free seas."""
    for sea in maker.seas()[:6]:
        route = [sea]
        for _ in range(maker.random.randint(0, LONGEST_CONVOY - 1)):
            nearby = maker.board.fleet_borders[Location(route[-1])]
            steps = [p.province for p in nearby if p.province.is_sea and p.province not in route]
            if not steps:
                break
            route.append(maker.random.choice(steps))
        starts, goals = maker.shores(route[0]), maker.shores(route[-1])
        yield from (
            (start, route, goal) for start in starts[:2] for goal in goals[:2] if start != goal
        )


def paradox(maker: Maker) -> None:
    """A convoy is aimed at the one whose support decides whether the convoy survives."""
    for sea in maker.seas():
        shores = maker.shores(sea)
        for start, goal in itertools.pairwise(shores):
            if lay_paradox(maker, start, sea, goal):
                return


def lay_paradox(maker: Maker, start: Province, sea: Province, goal: Province) -> bool:
    """Try to put such a convoy here."""
    if not maker.is_free(goal) or len(maker.orders) + 4 > maker.most_units:
        return False
    army = maker.give_convoy(start, [sea], goal)
    if army is None:
        return False
    lay_decider(maker, goal, sea, convoyed=army.power)
    return True


def lay_decider(maker: Maker, province: Province, sea: Province, *, convoyed: Power) -> None:
    """Put a fleet in the province that helps, or helps against, the fleet at sea.

    It is no use if the power that is convoyed there attacks itself.
    """
    here = Location(sea)
    places = [p for p in maker.fleet_places(province) if here in maker.board.fleet_borders[p]]
    enemy = maker.rival_of(maker.orders[sea].unit.power)
    attacker = None
    for kind, start, _ in maker.entries(sea):
        unit = Unit(enemy, kind, start)
        if start.province != province and maker.give(Move(unit, here)):
            attacker = unit
            break
    if attacker is None or not places:
        return
    decider = Unit(maker.rival_of(convoyed), UnitKind.FLEET, maker.random.choice(places))
    # Help for the attack gives two consistent ends, help for the convoy none.
    if maker.random.random() < 0.6:
        maker.give(SupportMove(decider, attacker, sea))
    else:
        maker.give(SupportHold(decider, maker.orders[sea].unit))
        maker.give_support(attacker)


def second_paradox(maker: Maker) -> None:
    """Two convoys, each aimed at the one who decides about the other."""
    if len(maker.orders) + 8 > maker.most_units:
        return
    for first, second in itertools.permutations(maker.seas(), 2):
        shared = [shore for shore in maker.shores(first) if shore in maker.shores(second)]
        if len(shared) < 2 or not all(map(maker.is_free, shared[:2])):
            continue
        starts = [s for s in maker.shores(first) if s not in shared[:2]]
        others = [s for s in maker.shores(second) if s not in [*shared[:2], *starts[:1]]]
        if starts and others:
            army = maker.give_convoy(starts[0], [first], shared[0])
            other = maker.give_convoy(others[0], [second], shared[1])
            if army and other:
                lay_decider(maker, shared[0], second, convoyed=army.power)
                lay_decider(maker, shared[1], first, convoyed=other.power)
            return


PATTERNS: tuple[Callable[[Maker], None], ...] = (
    *(head_to_head, beleaguered, counterattack, standoff, circle),
    *(convoy_swap, long_convoy, paradox, second_paradox),
)


def describe(order: MovementOrder) -> str:
    """Write an order down for a person who looks into a disagreement."""
    match order:
        case Hold():
            return f"{name_of(order.unit)} H"
        case Move():
            return f"{name_of(order.unit)} - {order.destination}"
        case MoveByConvoy():
            seas = " ".join(map(str, order.via))
            return f"{name_of(order.unit)} - {order.destination} VIA {seas}"
        case SupportHold():
            return f"{name_of(order.unit)} S {name_of(order.supported)}"
        case SupportMove():
            return f"{name_of(order.unit)} S {name_of(order.supported)} - {order.destination}"
        case Convoy():
            return f"{name_of(order.unit)} C {name_of(order.convoyed)} - {order.destination}"


def name_of(unit: Unit) -> str:
    """Write a unit as `A MUN`."""
    return f"{unit.kind.name[0]} {unit.location}"

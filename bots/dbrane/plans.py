"""Battle plans: how we take or keep one center, and which plans no single opponent can stop.

Each hostile unit can do one thing against a plan: join the fight for the center, or cut one of our
supports. So the harm that a power can do is the number of its units that can join, and a matching
of the others with our supports. Powers are not expected to help each other.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from attrs import frozen

from bots.dbrane.situation import Situation
from rules.places import Power

_MOST_SUPPORTS = 4
_MOST_PLANS = 16
"""How many invincible plans for one center the search has to choose from."""
_MOST_DOUBTFUL = 10
"""How many other plans for one center are tried as halves of pairs."""


@frozen(eq=False)
class BattlePlan:
    """A main unit that goes to or stays in a center, with supports and moves that cut supports."""

    center: int
    main: int
    stays: bool
    """Whether the main unit stands in the center and just does not leave."""
    supports: tuple[int, ...] = ()
    cuts: tuple[tuple[int, int], ...] = ()
    """Units of ours and the provinces they attack."""
    strength: int = 1
    gains: bool = True
    """Whether the center is not ours yet."""
    partner: int = -1
    """A second unit that moves to the center, so that both bounce and nobody gets in."""
    used: int = 0
    """A mask over our units: those that this plan gives an order."""
    moving: int = 0
    staying: int = 0
    goals: int = 0
    """A mask over the provinces to which units move."""

    def fits(self, other: "BattlePlan") -> bool:
        """Whether both plans can be ordered in one turn."""
        return not (
            self.used & other.used
            or self.goals & other.goals
            or self.staying & other.moving
            or self.moving & other.staying
        )


@frozen(eq=False)
class Doubt:
    """A plan that exactly one power can stop: with which units, and how many it needs."""

    plan: BattlePlan
    power: Power
    stoppers: int
    needed: int


class BattlePlanner:
    """Lists the battle plans of a turn."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._hidden = sum(1 << unit for unit in situation.promised)

    def targets(self) -> list[int]:
        """Return the centers that are in reach and not safe or friendly anyway."""
        situation = self._situation
        found = []
        for center in situation.unit_places.centers:
            is_quiet = not situation.bearing[center] and center not in situation.occupants
            if center in situation.friendly_places or (situation.is_ours(center) and is_quiet):
                continue
            if center in situation.at or situation.reachers[center]:
                found.append(center)
        return found

    def plans(self, center: int) -> tuple[list[BattlePlan], list[Doubt]]:
        """Return the invincible plans for a center, and others that one power alone can stop."""
        secure: list[BattlePlan] = []
        doubts: list[Doubt] = []
        for main, stays in self._mains(center):
            found: list[set[int]] = []
            helpers = self._helpers(center, main)
            for size in range(min(len(helpers), _MOST_SUPPORTS) + 1):
                for supports in combinations(helpers, size):
                    if any(each.issubset(supports) for each in found):
                        continue
                    plan = self.make(center, main, stays=stays, supports=supports)
                    stoppers = self._stoppers(plan)
                    if not stoppers:
                        secure.append(plan)
                        found.append(set(supports))
                    elif len(stoppers) == 1:
                        if (cutting := self._with_cuts(plan, stoppers[0][0])) is not None:
                            secure.append(cutting)
                        if len(doubts) < _MOST_DOUBTFUL:
                            doubts.append(self._doubt(plan, *stoppers[0]))
        secure.extend(self._bounces(center))
        secure.sort(key=lambda plan: (plan.used | plan.staying).bit_count())
        return secure[:_MOST_PLANS], doubts

    def make(
        self,
        center: int,
        main: int,
        *,
        stays: bool,
        supports: tuple[int, ...] = (),
        cuts: tuple[tuple[int, int], ...] = (),
    ) -> BattlePlan:
        """Return a plan with its masks; what is promised anyway is in the way of nothing."""
        movers = 0 if stays else 1 << main
        goals = 0 if stays else 1 << center
        for unit, goal in cuts:
            movers |= 1 << unit
            goals |= 1 << goal
        idle = sum(1 << unit for unit in supports)
        situation = self._situation
        return BattlePlan(
            center=center,
            main=main,
            stays=stays,
            supports=supports,
            cuts=cuts,
            strength=1 + len(supports) + situation.help.get((main, center), 0),
            gains=not situation.is_ours(center),
            used=(movers | idle) & ~self._hidden,
            moving=movers,
            staying=idle | (1 << main if stays else 0),
            goals=goals if main not in situation.promised else 0,
        )

    def harm(self, plan: BattlePlan) -> int:
        """Return the most that a single power can do against a plan."""
        return max((self._harm(plan, power) for power in self._opponents(plan)), default=0)

    # --- who could take part ----------------------------------------------------------------------

    def _mains(self, center: int) -> Iterator[tuple[int, bool]]:
        situation = self._situation
        standing = situation.at.get(center)
        if standing is not None:
            if situation.may_stay(standing):
                yield standing, True
            return
        for unit in situation.reachers[center]:
            if situation.may_enter(unit, center):
                yield unit, False

    def _helpers(self, center: int, main: int) -> list[int]:
        situation = self._situation
        return [
            unit
            for unit in situation.reachers[center]
            if unit != main and situation.may_support(unit, main, center)
        ]

    def _bounces(self, center: int) -> Iterator[BattlePlan]:
        """List pairs of our units that keep an empty center of ours closed by bouncing there."""
        situation = self._situation
        if center in situation.at or center in situation.occupants:
            return
        if not situation.is_ours(center):
            return
        if any(mask.bit_count() > 1 for mask in situation.bearing[center].values()):
            return
        movers = [unit for unit in situation.reachers[center] if situation.may_enter(unit, center)]
        for first, second in combinations(movers, 2):
            pair = 1 << first | 1 << second
            yield BattlePlan(
                center=center,
                main=first,
                stays=False,
                partner=second,
                gains=False,
                used=pair & ~self._hidden,
                moving=pair,
                goals=1 << center,
            )

    # --- what the others can do -------------------------------------------------------------------

    def _opponents(self, plan: BattlePlan) -> set[Power]:
        situation = self._situation
        found = set(situation.bearing[plan.center])
        occupant = situation.occupants.get(plan.center)
        if occupant is not None:
            found.add(situation.hostile[occupant].power)
        return found

    def _resists(self, plan: BattlePlan, harm: int) -> bool:
        """Whether a plan succeeds in spite of that harm; who keeps a center may also bounce."""
        is_kept = not plan.gains and plan.center not in self._situation.occupants
        return plan.strength >= harm if plan.stays or is_kept else plan.strength > harm

    def _stoppers(self, plan: BattlePlan) -> list[tuple[Power, int]]:
        """Return the powers that could stop a plan, and the harm each can do."""
        harms = [(power, self._harm(plan, power)) for power in self._opponents(plan)]
        return [(power, harm) for power, harm in harms if not self._resists(plan, harm)]

    def _harm(self, plan: BattlePlan, power: Power) -> int:
        situation = self._situation
        joining = situation.bearing[plan.center].get(power, 0)
        occupant = situation.occupants.get(plan.center)
        if occupant is None:
            return self._fight(plan, power, joining, 0)
        if situation.hostile[occupant].power != power:
            # Whoever stands there holds, at least.
            return max(1, self._fight(plan, power, joining, 0))
        itself = 1 << occupant
        harm = 1 + self._fight(plan, power, joining & ~itself, itself)
        against_main = situation.bearing[situation.places[plan.main]].get(power, 0)
        if not plan.stays and against_main & itself:
            # It may also come to meet us, and whoever supports that need not see the center.
            harm = max(harm, 1 + self._fight(plan, power, against_main & ~itself, itself))
        return harm

    def _fight(self, plan: BattlePlan, power: Power, joining: int, busy: int) -> int:
        """Count the units that join and, of the others, those that can cut a support each."""
        situation = self._situation
        extra = 0
        for _, goal in plan.cuts:
            attacked = situation.occupants.get(goal, -1)
            if attacked >= 0 and joining & 1 << attacked:
                joining &= ~(1 << attacked)
                # Into an empty center a unit that cannot support may still go itself.
                extra = 0 if busy else 1
        if not plan.supports:
            return joining.bit_count() + extra
        free = situation.all_of.get(power, 0) & ~joining & ~busy
        near = [
            situation.bearing[situation.places[unit]].get(power, 0) & free for unit in plan.supports
        ]
        return joining.bit_count() + extra + matching(near)

    def _with_cuts(self, plan: BattlePlan, power: Power) -> BattlePlan | None:
        """Return the plan with one support of the enemy cut, if that makes it invincible."""
        situation = self._situation
        for number, place in enumerate(situation.place_of_hostile):
            unit = situation.hostile[number]
            if unit.power != power or place == plan.center:
                continue
            if not situation.bearing[plan.center].get(power, 0) & 1 << number:
                continue
            for cutter in situation.reachers[place]:
                if cutter == plan.main or cutter in plan.supports:
                    continue
                if situation.places[cutter] == plan.center:
                    continue
                if not situation.may_enter(cutter, place):
                    continue
                cutting = self.make(
                    plan.center,
                    plan.main,
                    stays=plan.stays,
                    supports=plan.supports,
                    cuts=((cutter, place),),
                )
                if not self._stoppers(cutting):
                    return cutting
        return None

    def _doubt(self, plan: BattlePlan, power: Power, _harm: int) -> Doubt:
        situation = self._situation
        stoppers = situation.bearing[plan.center].get(power, 0)
        for unit in plan.supports:
            stoppers |= situation.bearing[situation.places[unit]].get(power, 0)
        occupant = situation.occupants.get(plan.center)
        if occupant is not None and situation.hostile[occupant].power == power:
            stoppers |= 1 << occupant
            stoppers |= situation.bearing[situation.places[plan.main]].get(power, 0)
        needed = plan.strength if not self._resists(plan, plan.strength) else plan.strength + 1
        return Doubt(plan, power, stoppers, needed)


def matching(choices: Sequence[int]) -> int:
    """Return how many of the masks can each be given a bit of their own."""
    taken: dict[int, int] = {}

    def give(number: int, tried: set[int]) -> bool:
        left = choices[number]
        while left:
            bit = left & -left
            left ^= bit
            if bit in tried:
                continue
            tried.add(bit)
            if bit not in taken or give(taken[bit], tried):
                taken[bit] = number
                return True
        return False

    return sum(give(number, set()) for number in range(len(choices)) if choices[number])


def is_invincible_pair(first: Doubt, second: Doubt) -> bool:
    """Whether the one power that can stop either plan cannot stop both."""
    if first.power != second.power or first.plan.center == second.plan.center:
        return False
    if not first.plan.fits(second.plan):
        return False
    both = (first.stoppers | second.stoppers).bit_count()
    return both < first.needed + second.needed

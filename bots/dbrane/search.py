"""Which battle plans to carry out together: AND/OR search with branch and bound.

The variables are the centers, their values the plans and pairs of plans that concern them. Centers
whose plans share no unit do not influence each other, so each group of those that do is solved for
itself (AND); within a group one center after the other is given a plan, or none (OR).
"""

from collections.abc import Callable, Mapping, Sequence

from attrs import define, field, frozen

from bots.dbrane.plans import BattlePlan

Deadline = Callable[[], bool]


@frozen(eq=False)
class Option:
    """A value: one plan, or the two of a pair, and what it is worth."""

    plans: tuple[BattlePlan, ...]
    worth: int
    centers: frozenset[int]
    used: int
    moving: int
    staying: int
    goals: int

    def fits(self, other: "Option") -> bool:
        """Whether both can be ordered in one turn."""
        return not (
            self.used & other.used
            or self.goals & other.goals
            or self.staying & other.moving
            or self.moving & other.staying
            or self.centers & other.centers
        )


def option(worth: int, *plans: BattlePlan) -> Option:
    """Join plans to one value."""
    used = moving = staying = goals = 0
    for plan in plans:
        used |= plan.used
        moving |= plan.moving
        staying |= plan.staying
        goals |= plan.goals
    centers = frozenset(plan.center for plan in plans)
    return Option(plans, worth, centers, used, moving, staying, goals)


@define(eq=False)
class Search:
    """Finds the combination that is worth most, or the best it saw before it had to stop."""

    nodes_left: int
    is_late: Deadline = field(default=lambda: False)

    def best(self, options: Mapping[int, Sequence[Option]]) -> list[Option]:
        """Return the options to choose, each listed in `options` under all its centers."""
        chosen: list[Option] = []
        for group in groups(options):
            chosen += self._solve(group)[1]
        return chosen

    def _solve(self, options: Mapping[int, Sequence[Option]]) -> tuple[int, list[Option]]:
        """Solve one connected group."""
        self.nodes_left -= 1
        center = max(options, key=lambda each: (crowd(each, options), -each))
        rest = {each: found for each, found in options.items() if each != center}
        values: list[Option | None] = [
            *sorted(options[center], key=lambda each: (-each.worth, each.used.bit_count())),
            None,
        ]
        most, best = -1, list[Option]()
        for value in values:
            left = rest if value is None else remaining(rest, value)
            worth = 0 if value is None else value.worth
            if worth + bound(left) <= most:
                continue
            chosen = [] if value is None else [value]
            for group in groups(left):
                more, found = self._solve(group)
                worth += more
                chosen = chosen + found
            if worth > most:
                most, best = worth, chosen
            if self.nodes_left <= 0 or self.is_late():
                break
        return most, best


def crowd(center: int, options: Mapping[int, Sequence[Option]]) -> int:
    """Return with how many other centers the plans for one share units."""
    touched = 0
    for each in options[center]:
        touched |= each.used | each.staying
    return sum(
        any(touched & (each.used | each.staying) for each in found) for found in options.values()
    )


def remaining(options: Mapping[int, Sequence[Option]], value: Option) -> dict[int, list[Option]]:
    """Return what can still be chosen beside a value; centers without a choice are left out."""
    left = {}
    for center, found in options.items():
        fitting = [each for each in found if each.fits(value)]
        if fitting:
            left[center] = fitting
    return left


def bound(options: Mapping[int, Sequence[Option]]) -> int:
    """Return no less than the best combination is worth."""
    return sum(max(each.worth for each in found) for found in options.values())


def groups(options: Mapping[int, Sequence[Option]]) -> list[dict[int, Sequence[Option]]]:
    """Split the centers into groups whose plans share neither units nor goals."""
    found: list[tuple[int, int, dict[int, Sequence[Option]]]] = []
    for center, values in options.items():
        units = goals = 0
        for value in values:
            units |= value.used | value.staying | value.moving
            goals |= value.goals
            for each in value.centers:
                goals |= 1 << each
        members: dict[int, Sequence[Option]] = {center: values}
        apart = []
        for entry in found:
            if entry[0] & units or entry[1] & goals:
                units |= entry[0]
                goals |= entry[1]
                members = entry[2] | members
            else:
                apart.append(entry)
        found = [*apart, (units, goals, members)]
    return [members for _, _, members in found]

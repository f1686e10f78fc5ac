"""The kernel's position: units, dislodged units, centers and turn in arrays by province.

Compiled, the arrays are C memory and the methods without underscores on the board's tables run
without the interpreter; plain, they are lists. The C types stand in `_compiled/state.pxd`.
"""

from array import array

from rules.kernel.codes import LARGEST_PATH, PATH_BROKEN, PATH_TOO_LONG, SPRING, WINTER
from rules.kernel.tables import Tables

COMPILED = not __file__.endswith(".py")


def integers(values: list[int]) -> list[int]:
    """Return the values in the form that is fastest here."""
    return array("i", values) if COMPILED else values  # type: ignore[return-value]  # array when compiled


def zeros(count: int) -> list[int]:
    """Return that many integers."""
    return array("i", bytes(4 * count)) if COMPILED else [0] * count  # type: ignore[return-value]  # as above


def short_integers(count: int) -> list[int]:
    """Return that many integers of few digits: what is cleared often should be small."""
    return array("h", bytes(2 * count)) if COMPILED else [0] * count  # type: ignore[return-value]  # as above


def doubles(count: int) -> list[float]:
    """Return that many numbers that may have fractions."""
    return array("d", bytes(8 * count)) if COMPILED else [0.0] * count  # type: ignore[return-value]  # as above


class State:
    """A position that is changed in place, and the board it is on.

    `unit[p]` is the mover in province p or -1, `power[p]` whose it is. `out[p]` and `out_power[p]`
    are the same for a unit dislodged from p. `owner[p]` is the power that owns the center p or -1.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.provinces = tables.provinces
        self.locations = tables.locations
        self.movers = tables.movers
        self.powers = tables.powers
        self.centers_to_win = tables.centers_to_win
        self.choice = tables.largest_choice
        self._take_tables(tables)
        count = tables.provinces
        self.unit = zeros(count)
        self.power = zeros(count)
        self.out = zeros(count)
        self.out_power = zeros(count)
        self.owner = zeros(count)
        self.units = zeros(count)
        self.retreat_open = bytearray(count * self.choice)
        self.path = zeros(count)
        self.seen = zeros(count)
        self.stack = zeros(count)
        self.stamp = 0
        self.unit_count = 0
        self.is_stale = 1  # whether `units` must be listed anew
        self.listing = 0  # how often they were
        self.out_count = 0
        self.season = SPRING
        self.year = 0
        self.winner = -1
        self.clear()

    def _take_tables(self, tables: Tables) -> None:
        self.province_of = integers(tables.province_of)
        self.mover_province = integers(tables.mover_province)
        self.is_sea = tables.is_sea
        self.is_coastal = tables.is_coastal
        self.is_center = tables.is_center
        self.rank = integers(tables.rank)
        self.step_start = integers(tables.step_start)
        self.steps = integers(tables.steps)
        self.near_start = integers(tables.near_start)
        self.near = integers(tables.near)
        self.can_step = tables.can_step
        self.can_reach = tables.can_reach
        self.sea_start = integers(tables.sea_start)
        self.seas = integers(tables.seas)
        self.touches = tables.touches
        self.is_home = tables.is_home
        homes: list[int] = []  # by power, with `home_start`: its home centers
        self.home_start = zeros(tables.powers + 1)
        for power in range(tables.powers):
            row = tables.is_home[power * tables.provinces : (power + 1) * tables.provinces]
            homes.extend(province for province in range(tables.provinces) if row[province])
            self.home_start[power + 1] = len(homes)
        self.homes = integers(homes)
        centers = [at for at in range(tables.provinces) if tables.is_center[at]]
        self.center_total = len(centers)
        self.centers = integers(centers)
        self.distance = integers(tables.distance)
        self.build_start = integers(tables.build_start)
        self.builds = integers(tables.builds)

    def clear(self) -> None:
        """Take everything off the board."""
        for province in range(self.provinces):
            self.unit[province] = -1
            self.out[province] = -1
            self.owner[province] = -1
        self.is_stale = 1
        self.out_count = 0
        self.winner = -1

    # Compiled, nothing looks at an index again: what callers say is checked where it comes in.

    def check_unit(self, mover: int, power: int) -> None:
        """Refuse a unit that this map cannot have."""
        if not 0 <= mover < self.movers:
            raise IndexError(f"there is no mover {mover}, only {self.movers}")
        if not 0 <= power < self.powers:
            raise IndexError(f"there is no power {power}, only {self.powers}")

    def check_province(self, province: int) -> None:
        """Refuse a province that this map does not have."""
        if not 0 <= province < self.provinces:
            raise IndexError(f"there is no province {province}, only {self.provinces}")

    def set_turn(self, season: int, year: int) -> None:
        """Say which turn it is."""
        if not 0 <= season <= WINTER:
            raise ValueError(f"there is no season {season}")
        self.season = season
        self.year = year

    def place_unit(self, mover: int, power: int) -> None:
        """Put a unit on the board."""
        self.check_unit(mover, power)
        province = self.mover_province[mover]
        self.unit[province] = mover
        self.power[province] = power
        self.is_stale = 1

    def place_units(self, units: list[tuple[int, int]]) -> None:
        """Put units on the board, each given by its mover and its power."""
        for mover, power in units:
            self.place_unit(mover, power)

    def place_dislodged(self, mover: int, power: int) -> None:
        """Put a dislodged unit beside the board, with nowhere to go yet."""
        self.check_unit(mover, power)
        province = self.mover_province[mover]
        self.out[province] = mover
        self.out_power[province] = power
        self.out_count += 1
        first = self.step_start[mover]
        for step in range(self.step_start[mover + 1] - first):
            self.retreat_open[province * self.choice + step] = 0

    def allow_retreat(self, province: int, location: int) -> None:
        """Let the unit dislodged from that province retreat to that location."""
        self.check_province(province)
        if self.out[province] < 0:
            raise ValueError(f"nobody is dislodged from province {province}")
        mover = self.out[province]
        first = self.step_start[mover]
        for step in range(self.step_start[mover + 1] - first):
            if self.steps[first + step] == location:
                self.retreat_open[province * self.choice + step] = 1

    def set_owner(self, province: int, power: int) -> None:
        """Give a center to a power, or to nobody with -1."""
        self.check_province(province)
        if not -1 <= power < self.powers:
            raise IndexError(f"there is no power {power}, only {self.powers}")
        self.owner[province] = power

    def list_units(self) -> None:
        """Write the provinces that hold units to `units`, in order, and count them."""
        count = 0
        for province in range(self.provinces):
            self.units[count] = province
            if self.unit[province] >= 0:
                count += 1
        self.unit_count = count
        self.is_stale = 0
        self.listing += 1

    # Convoys. "Afloat" is a sea province with a fleet in it.

    def sails(self, start: int, goal: int, other_goal: int, avoid: int) -> int:
        """Whether fleets afloat lead from the sea `start` to a sea that touches either goal."""
        self.stamp += 1
        self.seen[start] = self.stamp
        self.stack[0] = start
        depth = 1
        while depth:
            depth -= 1
            here = self.stack[depth]
            if self.touches[goal * self.provinces + here]:
                return 1
            if other_goal >= 0 and self.touches[other_goal * self.provinces + here]:
                return 1
            for index in range(self.sea_start[here], self.sea_start[here + 1]):
                sea = self.seas[index]
                if self.unit[sea] >= 0 and self.seen[sea] != self.stamp and sea != avoid:
                    self.seen[sea] = self.stamp
                    self.stack[depth] = sea
                    depth += 1
        return 0

    def carries(self, start: int, goal: int, avoid: int) -> int:
        """Whether fleets afloat, without the one in `avoid`, could carry an army to the goal."""
        if start == goal or not self.is_coastal[goal]:
            return 0
        for index in range(self.sea_start[start], self.sea_start[start + 1]):
            sea = self.seas[index]
            if self.unit[sea] >= 0 and sea != avoid and self.sails(sea, goal, -1, avoid):
                return 1
        return 0

    def carries_through(self, start: int, goal: int, fleet: int) -> int:
        """Whether some chain of fleets afloat that passes each sea once goes through this one.

        That is two ways from the fleet, to the start and to the goal, that share no sea. By
        Menger's theorem they exist when no single sea, nor either end, cuts the fleet off from
        both ends.
        """
        if start == goal or not self.is_coastal[start] or not self.is_coastal[goal]:
            return 0
        here = fleet
        if (
            self.touches[start * self.provinces + here]
            and self.touches[goal * self.provinces + here]
        ):
            return 1
        if not self.sails(fleet, start, -1, -1) or not self.sails(fleet, goal, -1, -1):
            return 0
        for sea in range(self.provinces):
            if (
                self.is_sea[sea]
                and self.unit[sea] >= 0
                and sea != fleet
                and not self.sails(fleet, start, goal, sea)
            ):
                return 0
        return 1

    # Paths. Each step is the number of the next sea among the seas not yet passed that touch the
    # last place; once the goal is near, 0 means that the path ends and the seas count from 1. The
    # numbers are digits, each to the base of the choices there were.

    def pack_path(self, start: int, goal: int, length: int) -> int:
        """Return the number of the path in `path`, PATH_TOO_LONG or PATH_BROKEN."""
        self.stamp += 1
        number = 0
        factor = 1
        here = start
        for step in range(length):
            ends = self.is_sea[here] and self.touches[goal * self.provinces + here]
            choices = 1 if ends else 0
            digit = -1
            for index in range(self.sea_start[here], self.sea_start[here + 1]):
                sea = self.seas[index]
                if self.seen[sea] != self.stamp:
                    if sea == self.path[step]:
                        digit = choices
                    choices += 1
            if digit < 0:
                return PATH_BROKEN
            number += digit * factor
            factor *= choices
            if factor > LARGEST_PATH:
                return PATH_TOO_LONG
            here = self.path[step]
            self.seen[here] = self.stamp
        if not length or not self.touches[goal * self.provinces + here]:
            return PATH_BROKEN
        return number

    def unpack_path(self, start: int, goal: int, number: int) -> int:
        """Write the path with this number to `path` and return its length; 0 if there is none."""
        self.stamp += 1
        here = start
        length = 0
        while length < self.provinces:
            ends = self.is_sea[here] and self.touches[goal * self.provinces + here]
            choices = 1 if ends else 0
            for index in range(self.sea_start[here], self.sea_start[here + 1]):
                if self.seen[self.seas[index]] != self.stamp:
                    choices += 1
            if not choices:
                return 0
            digit = number % choices
            number //= choices
            if ends:
                if not digit:
                    return 0 if number else length  # one path, one number
                digit -= 1
            for index in range(self.sea_start[here], self.sea_start[here + 1]):
                sea = self.seas[index]
                if self.seen[sea] != self.stamp:
                    if not digit:
                        here = sea
                        break
                    digit -= 1
            self.seen[here] = self.stamp
            self.path[length] = here
            length += 1
        return 0

"""Say what came of the orders of a movement turn, once everything about them is decided."""

from rules.kernel.codes import (
    BOUNCED,
    CONVOY,
    CUT,
    DISRUPTED,
    MOVE,
    MOVE_BY_CONVOY,
    NO_SUCH_ORDER,
    NONE,
    SUCCEEDED,
    YES,
)
from rules.kernel.tables import Tables

from .movement import Movement
from .state import zeros


class Verdicts(Movement):
    """A movement turn with its results, dislodgements and contested provinces, by province."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        count = tables.provinces
        self.result = zeros(count + 1)
        self.is_dislodged = bytearray(count + 1)
        # The unit that enters the province, or -1; behind the last whoever stays.
        self.conqueror = zeros(count + 1)
        self.is_contested = bytearray(count)
        self.nowhere = bytearray(count)

    def conclude(self) -> None:
        """Write results and dislodgements."""
        self.conclude_units(self.units, self.unit_count)

    def conclude_units(self, units: list[int], count: int) -> None:
        """Write results and dislodgements of the units whose orders were opened."""
        for index in range(count):
            self.conqueror[units[index]] = -1
        for index in range(self.march_count):
            self.conqueror[self.goal[self.marchers[index]]] = -1
        for index in range(self.march_count):
            unit = self.marchers[index]
            entered = self.goal[unit] if self.moving[unit] == YES else self.provinces
            self.conqueror[entered] = unit
        for index in range(count):
            unit = units[index]
            is_beaten = self.conqueror[unit] >= 0 and self.moving[unit] != YES
            self.is_dislodged[unit] = is_beaten
            self.result[unit] = NONE if is_beaten else SUCCEEDED
        self.conclude_orders()

    def conclude_orders(self) -> None:
        """Write what came of the other orders."""
        for index in range(self.helper_count):
            unit = self.helpers[index]
            if not self.is_matched[unit]:
                self.result[unit] = NO_SUCH_ORDER
            elif self.kind[unit] != CONVOY:
                self.result[unit] = SUCCEEDED if self.counting[unit] == YES else CUT
            elif not self.is_dislodged[unit] and not self.is_used(unit, self.other[unit]):
                self.result[unit] = NO_SUCH_ORDER
        for index in range(self.march_count):
            unit = self.marchers[index]
            if self.moving[unit] != YES:
                is_convoyed = self.kind[unit] == MOVE_BY_CONVOY
                self.result[unit] = self.failure_of_convoyed(unit) if is_convoyed else BOUNCED

    def find_contested(self) -> None:
        """Write which provinces are closed to retreats by moves that kept each other out."""
        self.is_contested[:] = self.nowhere
        for index in range(self.unit_count):
            unit = self.units[index]
            is_move = self.kind[unit] == MOVE or self.kind[unit] == MOVE_BY_CONVOY
            if is_move and self.moving[unit] != YES:
                self.contest(unit)

    def contest(self, unit: int) -> None:
        """Close the goal of a failed move to retreats if the move kept others out."""
        goal = self.goal[unit]
        is_left = self.unit[goal] < 0 or self.moving[goal] == YES
        is_vacant = is_left and self.conqueror[goal] < 0
        if is_vacant and self.least_prevention(unit):
            self.is_contested[goal] = 1

    def is_used(self, fleet: int, army: int) -> int:
        """Whether the army's convoy stands ready and goes over this fleet."""
        return self.is_on_route(fleet, army) and self.has_route(army)

    def failure_of_convoyed(self, army: int) -> int:
        """Return why a move by convoy failed."""
        if not self.has_route(army):
            return NO_SUCH_ORDER
        first = self.route_start[army]
        for index in range(first, first + self.route_length[army]):
            if self.is_dislodged[self.routes[index]]:
                return DISRUPTED
        return BOUNCED

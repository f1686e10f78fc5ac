"""Say in one sentence why an order came out as it did."""

from collections.abc import Mapping

from rules.board import Board
from rules.kernel import Simulator
from rules.kernel.codes import (
    CONVOY,
    HOLD,
    MOVE,
    MOVE_BY_CONVOY,
    NO,
    NO_SUCH_ORDER,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    YES,
)
from rules.kernel.encode import codec_of
from rules.orders import MovementOrder, OrderNote
from rules.phrases import KINDS, adjective, province_name
from rules.places import Province
from rules.position import Position

ILLEGAL = {
    OrderNote.NOT_ADJACENT: "that cannot be reached",
    OrderNote.NO_SUCH_UNIT: "there is no such unit",
    OrderNote.NOT_AT_SEA: "only a fleet at sea can convoy",
    OrderNote.NO_SUCH_FLEET: "there is no such fleet",
    OrderNote.NO_SUCH_ARMY: "only an army can be convoyed",
}


class Explainer:
    """Reads the kernel's decisions right after a movement turn was adjudicated.

    Units are known by the index of their province, as in the kernel.
    """

    def __init__(
        self,
        board: Board,
        position: Position,
        state: Simulator,
        given: Mapping[Province, MovementOrder],
    ) -> None:
        self._state = state
        self._codec = codec_of(board)
        self._units = {unit.location.province: unit for unit in position.units}
        self._is_ordered = given

    def explain(self, unit: int, note: OrderNote) -> str:
        """Return the sentence for the order of the unit there."""
        if note is not OrderNote.MIGHT_BE_VALID:
            sentence = f"illegal order, so it held: {ILLEGAL[note]}"
        else:
            sentence = self._sentence(unit)
        if self._state.is_dislodged[unit]:
            attacker = self._state.conqueror[unit]
            sentence += (
                f"; dislodged by {self._unit(attacker)} with strength {self._attack(attacker)}"
            )
        return sentence

    def strength(self, unit: int) -> int | None:
        """Return how strong a move was that reached its goal, None for anything else."""
        state = self._state
        is_move = state.kind[unit] in (MOVE, MOVE_BY_CONVOY)
        return self._attack(unit) if is_move and state.arriving[unit] == YES else None

    def _sentence(self, unit: int) -> str:
        match self._state.kind[unit]:
            case codes if codes == HOLD:
                is_idle = self._province(unit) not in self._is_ordered
                return "held for want of an order" if is_idle else "held"
            case codes if codes in (MOVE, MOVE_BY_CONVOY):
                return self._explain_move(unit)
            case codes if codes in (SUPPORT_HOLD, SUPPORT_MOVE):
                return self._explain_support(unit)
            case _:
                return self._explain_convoy(unit)

    def _province(self, unit: int) -> Province:
        return self._codec.provinces[unit]

    def _title(self, unit: int) -> str:
        return province_name(self._province(unit))

    def _unit(self, unit: int) -> str:
        power = self._units[self._province(unit)].power
        return f"the {adjective(power)} {self._kind(unit)} from {self._title(unit)}"

    def _attack(self, unit: int) -> int:
        """Return the strength of an attack, without the help that does not count."""
        state = self._state
        goal = state.goal[unit]
        if state.unit[goal] >= 0 and (state.moving[goal] != YES or self._meets(unit)):
            return 1 + state.least_foreign[unit]
        return 1 + state.least[unit]

    def _meets(self, unit: int) -> bool:
        state = self._state
        goal = state.goal[unit]
        return (
            state.unit[goal] >= 0
            and state.kind[unit] == state.kind[goal] == MOVE
            and state.goal[goal] == unit
        )

    def _explain_move(self, unit: int) -> str:
        state = self._state
        where = self._title(state.goal[unit])
        if state.moving[unit] == YES:
            return f"moved to {where} with strength {self._attack(unit)}"
        if state.kind[unit] == MOVE_BY_CONVOY and state.arriving[unit] == NO:
            return self._explain_failed_convoy(unit, where)
        return f"bounced in {where}: {self._explain_bounce(unit)}"

    def _explain_failed_convoy(self, army: int, where: str) -> str:
        state = self._state
        for fleet in self._route(army):
            is_told = state.kind[fleet] == CONVOY and state.other[fleet] == army
            if not is_told or state.goal[fleet] != state.goal[army]:
                return f"did not reach {where}: no fleet in {self._title(fleet)} convoyed it there"
        for fleet in self._route(army):
            if state.is_dislodged[fleet]:
                attacker = self._unit(state.conqueror[fleet])
                return (
                    f"did not reach {where}: the fleet in {self._title(fleet)} was dislodged by "
                    f"{attacker}"
                )
        return f"did not reach {where}: its convoy hung on an attack that the convoy itself decides"

    def _route(self, army: int) -> list[int]:
        order = self._is_ordered[self._province(army)]
        return [self._codec.province_index[sea] for sea in getattr(order, "via", ())]

    def _explain_bounce(self, unit: int) -> str:
        """Name the strongest thing that was not beaten."""
        state = self._state
        goal = state.goal[unit]
        own = 1 + state.least[unit]
        rivals = [
            rival
            for rival in self._attackers(goal)
            if rival != unit and state.arriving[rival] == YES and not self._lost_meeting(rival)
        ]
        if state.unit[goal] >= 0 and (state.moving[goal] != YES or self._meets(unit)):
            if state.power[goal] == state.power[unit] and not rivals:
                return f"its own {self._kind(goal)} did not leave"
            attack, hold = self._attack(unit), self._hold(unit, goal)
            if state.power[goal] != state.power[unit] and attack <= hold:
                return f"{self._unit(goal)} {versus(attack, hold)}"
        if not rivals:
            return f"its own {self._kind(goal)} did not leave"
        rival = max(rivals, key=lambda other: state.least[other])
        return f"{self._unit(rival)} {versus(own, 1 + state.least[rival])}"

    def _kind(self, unit: int) -> str:
        return KINDS[self._units[self._province(unit)].kind]

    def _hold(self, unit: int, goal: int) -> int:
        state = self._state
        is_mover = state.kind[goal] in (MOVE, MOVE_BY_CONVOY)
        return 1 if is_mover and not self._meets(unit) else 1 + state.least[goal]

    def _attackers(self, province: int) -> list[int]:
        found = []
        attacker = self._state.attackers[province]
        while attacker >= 0:
            found.append(attacker)
            attacker = self._state.next_attacker[attacker]
        return found

    def _lost_meeting(self, unit: int) -> bool:
        return self._meets(unit) and self._state.moving[self._state.goal[unit]] == YES

    def _explain_support(self, unit: int) -> str:
        state = self._state
        other = state.other[unit]
        if not state.is_matched[unit]:
            told = "go there" if state.kind[unit] == SUPPORT_MOVE else "stay"
            return f"support void: {self._unit(other)} was not told to {told}"
        if state.counting[unit] == YES:
            return f"supported {self._unit(other)}"
        aim = state.goal[unit] if state.kind[unit] == SUPPORT_MOVE else other
        for attacker in self._attackers(unit):
            is_foe = state.power[attacker] != state.power[unit]
            if is_foe and state.arriving[attacker] == YES and attacker != aim:
                return f"support cut by {self._unit(attacker)}"
        return "support cut because the supporter was dislodged"

    def _explain_convoy(self, unit: int) -> str:
        state = self._state
        army = state.other[unit]
        if not state.is_matched[unit] or state.result[unit] == NO_SUCH_ORDER:
            return f"convoy void: {self._unit(army)} was not told to come this way"
        return f"convoyed {self._unit(army)}"


def versus(own: int, other: int) -> str:
    """Compare two strengths."""
    if own == other:
        return f"was as strong: both had strength {own}"
    return f"was stronger: {other} against {own}"

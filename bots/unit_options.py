"""What one unit may do together with others of its power, as order codes sorted by kind."""

from collections.abc import Collection

from rules.kernel import Simulator
from rules.kernel.codes import (
    CONVOY,
    HOLD,
    MOVE,
    MOVE_BY_CONVOY,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    kind_of,
    other_of,
    path_of,
    target_of,
)


class UnitOptions:
    """The legal orders of a unit that help nobody but `movers`; of voyages those over one sea."""

    def __init__(
        self, state: Simulator, province: int, movers: Collection[int], closed: Collection[int]
    ) -> None:
        tables = state.tables
        self.province = province
        self.mover = state.unit[province]
        self.hold = 0
        self.holds: list[int] = []
        """Supports of units that stay."""
        self.moves: list[tuple[int, int]] = []
        """With the province where each goes."""
        self.supports: dict[tuple[int, int], int] = {}
        """By the mover that is supported and the province where it goes."""
        self.voyages: list[tuple[int, int, int]] = []
        """Moves by convoy, with goal and sea."""
        self.convoys: dict[tuple[int, int], int] = {}
        """As the supports."""
        for code in state.legal(province):
            kind, goal = kind_of(code), tables.province_of[target_of(code)]
            is_ours = other_of(code) in movers
            if kind == HOLD:
                self.hold = code
            elif kind == SUPPORT_HOLD and is_ours:
                self.holds.append(code)
            elif goal in closed:
                continue
            elif kind == MOVE:
                self.moves.append((code, goal))
            elif kind == MOVE_BY_CONVOY:
                seas = state.seas_of_path(province, goal, path_of(code))
                if len(seas) == 1:
                    self.voyages.append((code, goal, seas[0]))
            elif is_ours and kind in (SUPPORT_MOVE, CONVOY):
                store = self.supports if kind == SUPPORT_MOVE else self.convoys
                store[other_of(code), goal] = code

    def open_to(self, code: int | None) -> int:
        """Return an order as it is, or a hold in place of a move that is closed to us."""
        if code is None or (
            kind_of(code) == MOVE and all(code != open_code for open_code, _ in self.moves)
        ):
            return self.hold
        return code

"""How Talleyrand talks: the banker's language and books, and a statesman's reasons.

Peace with a power holds as long as ending it would not bring much more than keeping it, by what
the search says of both. Nobody who is about to win is spared, and nobody who stands between us and
the victory.
"""

from collections.abc import Sequence
from typing import Protocol

from attrs import Factory, evolve, frozen

from bots.banker.core import Core
from bots.banker.negotiator import BankTalk
from bots.banker.policy import Policy
from bots.banker.relations import Prospects, provinces_of
from bots.peace_talks import others
from bots.talleyrand.statecraft import Alarm, can_dash, runaway
from bots.view import Beliefs, GameView
from rules.places import Power
from rules.turns import Phase

FIRST_YEARS = 3
"""In so many years nobody is sure enough to want a draw."""


class Statesman(Core, Protocol):
    """A tactic that can also say what the game is worth to us."""

    def projected(self, view: GameView) -> float:
        """Return the share of the sum of squares that we can hope for."""


@frozen(kw_only=True)
class Reasons:
    """When friends are left."""

    alarm: Alarm = Factory(Alarm)
    stab_gain: float = 1.0
    """What leaving a friend must bring in the turn itself; 1 is a good place for a unit."""
    partner_gain: float = 2.0
    """The same for one with whom we do business."""
    weighed: int = 2
    """How many friends are thought about in a turn: each takes a search."""
    content: float = 0.8
    """Of a share in a draw, how much we must hope for to play on."""


class StateTalk(BankTalk):
    """What Talleyrand says and believes."""

    def __init__(
        self, core: Statesman, policy: Policy | None = None, reasons: Reasons | None = None
    ) -> None:
        super().__init__(core, policy)
        self._statesman = core
        self._reasons = reasons or Reasons()
        self._first_year: int | None = None

    # --- friends ----------------------------------------------------------------------------------

    def begin_turn(self, view: GameView) -> None:
        """Look in every movement turn, not only in spring, whether somebody must be left."""
        super().begin_turn(view)
        if self._first_year is None:
            self._first_year = view.turn.year
        if view.phase is Phase.MOVEMENT and view.units:
            for power in self._to_leave(view):
                self._leave(view, power)

    def _to_leave(self, view: GameView) -> Sequence[Power]:
        friends = [power for power in others(view) if power in self.friends]
        leader = runaway(view, self._reasons.alarm)
        if leader is not None:
            return [leader] if leader in friends else []
        prospects = Prospects(view, 1)
        near = [power for power in friends if prospects.centers_of(power)]
        if can_dash(view, self._reasons.alarm):
            return near
        near.sort(key=lambda power: -prospects.centers_of(power) / (1 + len(view.centers[power])))
        return self._tempting(view, near[: self._reasons.weighed])

    def _tempting(self, view: GameView, friends: Sequence[Power]) -> list[Power]:
        """Return the friend whom to leave brings most, if it brings enough."""
        if not friends:
            return []
        believed = self.beliefs(view)
        peace = self._statesman.worth(evolve(view, beliefs=believed))
        gains = {
            power: self._statesman.worth(evolve(view, beliefs=self._without(view, believed, power)))
            - peace
            for power in friends
        }
        best = max(friends, key=lambda power: gains[power])
        is_partner = best in self.partners
        least = self._reasons.partner_gain if is_partner else self._reasons.stab_gain
        return [best] if gains[best] >= least else []

    def _without(self, view: GameView, believed: Beliefs, power: Power) -> Beliefs:
        """Return what we would believe without the peace with a power."""
        kept = provinces_of([each for each in self.friends if each != power], view)
        zones = {each: zone for each, zone in self.zones.items() if each != power}
        return evolve(
            believed,
            attitudes={each: want for each, want in believed.attitudes.items() if each != power},
            closed=frozenset(kept | set().union(*zones.values())),
        )

    def _look_for_victim(self, view: GameView) -> None:
        """Leave nobody out of hunger while another power is about to win."""
        if runaway(view, self._reasons.alarm) is None:
            super()._look_for_victim(view)

    def accepts_peace(self, view: GameView, sender: Power, powers: frozenset[Power]) -> bool:
        """Agree as a banker does, but never with who is about to win."""
        leader = runaway(view, self._reasons.alarm)
        return leader not in powers and super().accepts_peace(view, sender, powers)

    def seeks_peace_with(self, view: GameView) -> Sequence[Power]:
        """Ask everybody but who is about to win, and nobody when we are."""
        if can_dash(view, self._reasons.alarm):
            self._wooed = []
            return self._wooed
        leader = runaway(view, self._reasons.alarm)
        self._wooed = [power for power in super().seeks_peace_with(view) if power != leader]
        return self._wooed

    # --- the end ----------------------------------------------------------------------------------

    def votes_for_draw(self, view: GameView) -> bool:
        """Be content with a draw when we cannot hope for as much as our share of it."""
        self.notice(view)
        first = view.turn.year if self._first_year is None else self._first_year
        if view.turn.year - first < FIRST_YEARS or can_dash(view, self._reasons.alarm):
            return False
        hope = self._statesman.projected(view) * len(view.survivors)
        return hope < self._reasons.content or super().votes_for_draw(view)

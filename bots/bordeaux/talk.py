"""The negotiator of the Bordeaux Diplomat: it knows nothing of the map, and asks the core.

What a support is worth, given or taken, the core says; whether the other side is liked and trusted,
the observer. The language and the manners are the banker's.
"""

from bots.banker.core import Core
from bots.banker.deals import Deal
from bots.banker.negotiator import BankTalk
from bots.banker.policy import Policy
from bots.bordeaux.observation import CENTER_GAIN, UNIT_GAIN, Observer
from bots.character import Character
from bots.view import GameView
from grammar.press import GiveOrder
from promises.promise import Promise, Verdict
from rules.places import Power

_MOST_HOSTILE = -2.0
"""Below it, times risk, there is no peace with a power."""


class BordeauxTalk(BankTalk):
    """What it says and believes."""

    def __init__(
        self, core: Core, observer: Observer, character: Character, policy: Policy
    ) -> None:
        super().__init__(core, policy)
        self._observer = observer
        self._character = character

    def begin_turn(self, view: GameView) -> None:
        """See first what the last orders tell."""
        self._observer.note(view)
        super().begin_turn(view)

    def accepts_peace(self, view: GameView, sender: Power, powers: frozenset[Power]) -> bool:
        """Agree unless somebody among them is hostile to us, or is known to stab for little."""
        return super().accepts_peace(view, sender, powers) and all(
            self._is_acceptable(view, power) for power in powers if power != view.power
        )

    def _is_acceptable(self, view: GameView, power: Power) -> bool:
        limit = self._observer.stab_limit(power)
        if limit is not None and limit <= UNIT_GAIN and self._character.risk < 1:
            return False
        friendliness = self._observer.friendliness(power, view.power)
        return friendliness >= _MOST_HOSTILE * (0.5 + self._character.risk)

    def is_worth_it(self, sender: Power, price: float, cost: float) -> bool:
        """Do a favour that costs less than it brings, the less so the less we trust the asker."""
        limit = self._observer.stab_limit(sender)
        trust = 1.0 if limit is None else min(1.0, limit / (2 * CENTER_GAIN))
        return super().is_worth_it(sender, price, cost / max(trust, 0.1))

    def means_it(self, view: GameView) -> bool:
        """Mean a promise unless loyalty is low: then look what it costs."""
        return view.random.random() < 0.5 + self._character.loyalty

    def keeps(self, deal: Deal, loss: float, worth: float) -> bool:
        """Break a promise only for a gain above our own StabLimit, which loyalty sets."""
        del deal, worth
        return loss <= 2.0 * self._character.loyalty

    def _settle(self, view: GameView, promise: Promise) -> None:
        if promise.verdict is Verdict.BROKEN:
            is_small = isinstance(promise.arrangement, GiveOrder)
            self._observer.note_breach(promise.maker, UNIT_GAIN if is_small else CENTER_GAIN)
        super()._settle(view, promise)

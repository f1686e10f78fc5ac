"""BlabBot: John Newbury's bot of 2006, DumbBot that makes peace with everybody who will.

It never changes its mind about a friend, whatever the friend does. When all that are left are
friends, Honest Joe asks for a draw, and Mac the Knife has none any more.
"""

from collections.abc import Sequence

from bots.bot_text import check_range
from bots.dumbbot.tactic import VARIANTS, DumbBot
from bots.peace_talks import PeaceTalks, others
from bots.strategy import Bot
from bots.view import Beliefs, GameView
from rules.errors import BadInputError
from rules.places import Power
from rules.turns import Season

POLICIES = ("mac", "joe")
FRIEND_FACTOR = 0.4
"""What a friend's centers and places count; nobody knows the original's number."""


def blabbot(variant: str = POLICIES[0], *, factor: float = FRIEND_FACTOR) -> Bot:
    """Return a BlabBot with a policy and with the factor for what friends have."""
    talk = BlabTalk(variant, factor=factor)
    return Bot(DumbBot(variant, program=VARIANTS["classic"]), talk)


class BlabTalk(PeaceTalks):
    """What BlabBot says and believes."""

    def __init__(self, policy: str = POLICIES[0], *, factor: float = FRIEND_FACTOR) -> None:
        if policy not in POLICIES:
            known = ", ".join(POLICIES)
            raise BadInputError(f"no such variant of blabbot: {policy!r}; choose one of {known}")
        check_range("factor", factor, 0)
        super().__init__()
        self._policy = policy
        self._factor = factor
        self._asked: set[Power] = set()
        self._has_drawn_knife = False

    def begin_turn(self, view: GameView) -> None:
        """See whether those who are not our friends are gone."""
        self._apply_policy(view)

    def seeks_peace_with(self, view: GameView) -> Sequence[Power]:
        """Return all that are no friends yet; who did not answer is asked again once a year."""
        if self._has_drawn_knife:
            return ()
        sought = [
            power
            for power in others(view)
            if power not in self.friends | self.deaf
            and (power not in self._asked or view.turn.season is Season.SPRING)
        ]
        self._asked.update(sought)
        return sought

    def accepts_peace(self, view: GameView, sender: Power, powers: frozenset[Power]) -> bool:
        """Agree if each member may be a friend: it lives, and we still have friends at all."""
        del sender
        return not self._has_drawn_knife and powers <= set(view.survivors)

    def make_peace(self, view: GameView, power: Power) -> None:
        """Take a friend, unless we are past having friends."""
        if not self._has_drawn_knife:
            super().make_peace(view, power)
            self._apply_policy(view)

    def beliefs(self, view: GameView) -> Beliefs:
        """Want less of what friends have."""
        self.notice(view)
        return Beliefs(
            attitudes={power: self._factor for power in others(view) if power in self.spared}
        )

    def votes_for_draw(self, view: GameView) -> bool:
        """As Honest Joe, be content among friends."""
        self.notice(view)
        return self._policy == "joe" and self._has_only_friends(view)

    def _apply_policy(self, view: GameView) -> None:
        # For good: they would offer peace again at once, and all would be friends as before.
        if self._policy == "mac" and self._has_only_friends(view):
            self._has_drawn_knife = True
            self.friends.clear()

    def _has_only_friends(self, view: GameView) -> bool:
        return self.friends.issuperset(others(view))

"""The Diplominator of 2008: peace with all who keep it, and a stab in the back when it pays.

It counts who attacks it, and keeps no peace with those who do so too often. When it owns enough
centers it turns on others, until that goes wrong.

There are three of it, because its authors' report and the program that they released differ:
`report` is what the report says, `0.2` what the program does, `ours` a mixture of both.
"""

from collections.abc import Sequence
from typing import Any

from attrs import Factory, evolve, frozen

from bots.bot_text import check_range
from bots.diplominator.hostility import Hostility, attacks_on, chances_against
from bots.draws import DrawPolicy
from bots.dumbbot.moves import Habits
from bots.dumbbot.tactic import DumbBot, Variant
from bots.dumbbot.value_maps import (
    FALL_WEIGHTS,
    SPRING_WEIGHTS,
    WINTER_WEIGHTS,
    Arithmetic,
    SeasonWeights,
    Valuation,
)
from bots.peace_talks import PeaceTalks, others
from bots.strategy import Bot
from bots.unit_places import unit_places_of
from bots.view import Beliefs, GameView
from rules.errors import BadInputError
from rules.places import Power
from rules.position import Position
from rules.turns import Phase, Season


@frozen(kw_only=True)
class Character:
    """Everything about its talk that can be tuned."""

    friend_factor: float = 0.4
    """By which factor we want what friends have."""
    victim_factor: float = 1.5
    """The same for those whom we stab."""
    homes_only: bool = False
    """Whether both are about home centers alone, or about everything that a power has."""
    window: int = 15
    """For how many movement turns attacks are remembered."""
    most_hostile: float = 0.4
    """With whom there can be peace: the largest enemy factor."""
    stabs_at: int = 10
    """With how many centers we stab."""
    stabs_as_largest: bool = True
    """Whether we stab only while nobody has more centers."""
    stabs_friends_only: bool = False
    """Whether we turn against those who were our friends, or against everybody."""
    relents_below: int = 9
    """With how few centers we ask for peace again."""
    accepts_everybody: bool = False
    """Whether we say YES to every offer of peace, whatever we think of the other."""
    draws: DrawPolicy | None = Factory(DrawPolicy)
    """When a draw is welcome; the originals know none."""


LONGEST_WINDOW = 10_000
VARIANTS = {
    # The memory and the answers of the report, and everything else as the program has it.
    "ours": Character(),
    # As its authors describe it.
    "report": Character(
        homes_only=True, stabs_as_largest=False, stabs_friends_only=True, draws=None
    ),
    # As the program that they released, but for neutral centers, which it stabs as well.
    "0.2": Character(window=20, accepts_everybody=True, draws=None),
}


def _less_defence(weights: SeasonWeights) -> SeasonWeights:
    return SeasonWeights(attack=weights.attack, defence=weights.defence - 100, steps=weights.steps)


_SPRING, _FALL, _WINTER = map(_less_defence, (SPRING_WEIGHTS, FALL_WEIGHTS, WINTER_WEIGHTS))
TACTIC = Variant(
    valuation=Valuation(
        arithmetic=Arithmetic.WRAPPING,
        weights={
            Season.SPRING: _SPRING,
            Season.SUMMER: _SPRING,
            Season.FALL: _FALL,
            Season.AUTUMN: _FALL,
            Season.WINTER: _WINTER,
        },
    ),
    habits=Habits(play_alternative=0.3, stay_bonus=0, most_faced_alone=0),
    removes_by_chance=False,
)
"""DumbBot with the changes of the Diplominator."""


def diplominator(  # noqa: PLR0913 - each a trait that the text of a bot can name
    variant: str = "ours",
    *,
    stabs_at: int | None = None,
    relents_below: int | None = None,
    window: int | None = None,
    most_hostile: float | None = None,
    friend_factor: float | None = None,
) -> Bot:
    """Return a Diplominator: one of the variants, perhaps with traits of its own."""
    if variant not in VARIANTS:
        known = ", ".join(VARIANTS)
        raise BadInputError(f"no such variant of diplominator: {variant!r}; choose one of {known}")
    traits: dict[str, Any] = {
        "stabs_at": stabs_at,
        "relents_below": relents_below,
        "window": window,
        "most_hostile": most_hostile,
        "friend_factor": friend_factor,
    }
    for trait in ("stabs_at", "relents_below", "most_hostile", "friend_factor"):
        check_range(trait, traits[trait], 0)
    check_range("window", window, 1, LONGEST_WINDOW)
    own = {trait: value for trait, value in traits.items() if value is not None}
    character = evolve(VARIANTS[variant], **own)
    return Bot(DumbBot(variant, program=TACTIC), DiplominatorTalk(character))


class DiplominatorTalk(PeaceTalks):
    """What the Diplominator says and believes."""

    words = (*PeaceTalks.words, "SLO")

    def __init__(self, character: Character = VARIANTS["ours"]) -> None:
        super().__init__()
        self.is_stabbing = False
        self.victims: set[Power] = set()
        """Whom we stab."""
        self._character = character
        self._hostility = Hostility(character.window)
        self._before: Position | None = None
        """The last position in which the units moved."""
        self._draws = character.draws.watch() if character.draws is not None else None

    def enemy_factor(self, power: Power) -> float:
        """Return how much of an enemy a power has been lately."""
        return self._hostility.enemy_factor(power)

    # --- a new turn -------------------------------------------------------------------------------

    def begin_turn(self, view: GameView) -> None:
        """Look back at the last movement turn, and decide whether to stab."""
        if self._draws is not None:
            self._draws.note(view)
        self._look_back(view)
        self._decide(view)
        if view.phase is Phase.MOVEMENT:
            self._before = view.position

    def _look_back(self, view: GameView) -> None:
        before, self._before = self._before, None
        if before is None:
            return
        orders = [result.order for result in view.results if result.turn == before.turn]
        if orders:
            chances = chances_against(view.power, before, unit_places_of(view.board))
            self._hostility.note(chances, attacks_on(view.power, before, orders))
        limit = self._character.most_hostile
        self.friends = {each for each in self.friends if self.enemy_factor(each) <= limit}

    def _decide(self, view: GameView) -> None:
        own = len(view.centers[view.power])
        is_largest = own == max(map(len, view.centers.values()))
        # In between it goes on as it is, so that it does not waver with every center.
        if own < self._character.relents_below:
            self.is_stabbing = False
            self.victims.clear()
        elif own >= self._character.stabs_at and (
            is_largest or not self._character.stabs_as_largest
        ):
            self.is_stabbing = True
            self.victims |= (
                self.friends if self._character.stabs_friends_only else set(others(view))
            )
            self.friends.clear()

    # --- talk -------------------------------------------------------------------------------------

    def seeks_peace_with(self, view: GameView) -> Sequence[Power]:
        """Return everybody who is not hostile and not a friend yet, unless we stab."""
        if self.is_stabbing:
            return ()
        return [
            power
            for power in others(view)
            if power not in self.friends | self.deaf
            and self.enemy_factor(power) < self._character.most_hostile
        ]

    def accepts_peace(self, view: GameView, sender: Power, powers: frozenset[Power]) -> bool:
        """Agree with who has not been hostile, unless we stab them."""
        if sender not in powers:
            return False
        if self._character.accepts_everybody:
            return True
        limit = self._character.most_hostile
        partners = [power for power in powers if power != view.power]
        return self.victims.isdisjoint(partners) and all(
            self.enemy_factor(each) <= limit for each in partners
        )

    def make_peace(self, view: GameView, power: Power) -> None:
        """Take a friend, but never a victim."""
        if power not in self.victims:
            super().make_peace(view, power)

    def end_peace(self, view: GameView, power: Power) -> bool:
        """Believe who says that the peace is over."""
        del view
        self.friends.discard(power)
        return True

    def votes_for_draw(self, view: GameView) -> bool:
        """Leave it to the draw policy."""
        self.notice(view)
        return self._draws is not None and self._draws.wants_draw(view)

    def proposes_draw(self, view: GameView) -> bool:
        """Ask once a year: a vote is taken every turn, but nobody likes to be pestered."""
        return view.turn.season is Season.SPRING and self.votes_for_draw(view)

    def beliefs(self, view: GameView) -> Beliefs:
        """Want less of what friends have, and more of what those have whom we stab."""
        self.notice(view)
        attitudes = {
            power: (
                self._character.victim_factor
                if power in self.victims
                else self._character.friend_factor
            )
            for power in others(view)
            if power in self.victims | self.spared
        }
        return Beliefs(attitudes=attitudes, homes_only=self._character.homes_only)

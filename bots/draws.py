"""When a bot is content with a draw of all survivors."""

from collections.abc import Mapping

from attrs import frozen

from bots.view import GameView
from rules.places import Power, Province
from rules.turns import Season


@frozen(kw_only=True)
class DrawPolicy:
    """What makes a draw welcome."""

    quiet_years: int = 2
    """After so many years without a change of centers; no draw at all in so many first years."""
    leader: int = 14
    """With how many centers another power, larger than ours, looks like the winner."""

    def watch(self) -> "DrawWatch":
        """Return what follows one game by this policy."""
        return DrawWatch(self)


class DrawWatch:
    """Sees how a game goes; tell it of every turn."""

    def __init__(self, policy: DrawPolicy) -> None:
        self._policy = policy
        self._first_year: int | None = None
        self._owners: Mapping[Province, Power] = {}
        self._quiet_years = 0

    def note(self, view: GameView) -> None:
        """Count the years in which no center changed hands, from spring to spring."""
        if self._first_year is None:
            self._first_year = view.turn.year
        if view.turn.season is Season.SPRING:
            is_quiet = self._owners == view.position.owners
            self._quiet_years = self._quiet_years + 1 if is_quiet else 0
            self._owners = view.position.owners

    def wants_draw(self, view: GameView) -> bool:
        """Whether a draw is as good as what we can hope for."""
        first = view.turn.year if self._first_year is None else self._first_year
        # At the beginning six of seven powers are below the mean, which says nothing.
        if view.turn.year - first < self._policy.quiet_years:
            return False
        is_stuck = self._quiet_years >= self._policy.quiet_years
        return is_stuck or self._is_losing(view) or is_below_share(view)

    def _is_losing(self, view: GameView) -> bool:
        sizes = {power: len(centers) for power, centers in view.centers.items()}
        largest = max(sizes.values())
        return largest >= self._policy.leader and sizes[view.power] < largest


def is_below_share(view: GameView) -> bool:
    """Whether our share by sum of squares is less than our share of a draw."""
    squares = {power: len(centers) ** 2 for power, centers in view.centers.items()}
    return squares[view.power] * len(view.survivors) < sum(squares.values())

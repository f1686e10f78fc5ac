"""Who is about to win, and who stands in the way: what a statesman sees on the map."""

from attrs import frozen

from bots.peace_talks import others
from bots.view import GameView
from rules.places import Power


@frozen(kw_only=True)
class Alarm:
    """When a power is too large to be left alone; distances are in centers to the victory."""

    runaway: int = 5
    """A power so close to it, and larger than ours, is everybody's enemy."""
    dash: int = 4
    """So close to it ourselves, we spare nobody who has what we need."""


def runaway(view: GameView, alarm: Alarm) -> Power | None:
    """Return the power that is about to win, unless it is ours."""
    sizes = {power: len(centers) for power, centers in view.centers.items()}
    leader = max(others(view), key=lambda power: sizes[power], default=None)
    if leader is None or sizes[leader] <= sizes[view.power]:
        return None
    return leader if sizes[leader] >= view.board.centers_to_win - alarm.runaway else None


def can_dash(view: GameView, alarm: Alarm) -> bool:
    """Whether the victory is so near that friends do not count any more."""
    return len(view.centers[view.power]) >= view.board.centers_to_win - alarm.dash

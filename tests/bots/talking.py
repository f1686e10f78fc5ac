"""What the tests of negotiators share: powers, views, and a short way to talk to a bot."""

from collections.abc import Sequence

from attrs import define, evolve

from bots.peace_talks import PeaceTalks
from bots.view import GameView
from grammar.messages import PressReceived, SendPress
from grammar.press import Accept, Draw, Peace, Press, Propose
from rules.maps import load_map
from rules.places import Power
from rules.position import Position
from rules.turns import Season, Turn

BOARD = load_map()
AUSTRIA, ENGLAND, FRANCE, GERMANY = map(BOARD.power, ("AUS", "ENG", "FRA", "GER"))
OTHERS = tuple(power for power in BOARD.powers if power != FRANCE)


def peace(*powers: Power) -> Propose:
    return Propose(Peace(powers))


def in_turn(season: Season, year: int = 1901, position: Position = BOARD.start) -> Position:
    return evolve(position, turn=Turn(season, year))


def left_to(*powers: Power, season: Season = Season.SPRING, year: int = 1905) -> Position:
    """Return a position in which only these powers are left, as they were at the start."""
    return Position(
        Turn(season, year),
        tuple(unit for unit in BOARD.start.units if unit.power in powers),
        (),
        {center: owner for center, owner in BOARD.start.owners.items() if owner in powers},
    )


@define
class Talk:
    """A negotiator of France, and what is said to it."""

    negotiator: PeaceTalks
    position: Position = BOARD.start

    @property
    def view(self) -> GameView:
        return GameView(board=BOARD, power=FRANCE, position=self.position, level=20)

    def open(self, position: Position | None = None) -> list[SendPress]:
        self.position = position or self.position
        return list(self.negotiator.open_turn(self.view))

    def asked(self, position: Position | None = None) -> list[Power]:
        """Begin a turn and return who is asked for peace."""
        said = self.open(position)
        return [each.recipients[0] for each in said if each.press != Propose(Draw())]

    def hear(self, sender: Power, press: Press) -> list[Press]:
        """Return what is answered, all to the sender."""
        answers = self.negotiator.on_press(self.view, PressReceived(sender, (FRANCE,), press))
        assert all(answer.recipients == (sender,) for answer in answers)
        return [answer.press for answer in answers]

    def agree(self, *powers: Power) -> None:
        """Let powers accept our peace."""
        for power in powers:
            self.hear(power, Accept(peace(FRANCE, power)))

    def confirm(self, power: Power, press: Press, *, accepted: bool = True) -> None:
        """Let the server say whether it has passed on what we said."""
        self.negotiator.on_answer(self.view, SendPress((power,), press), accepted=accepted)

    def attitudes(self) -> dict[Power, float]:
        return dict(self.negotiator.beliefs(self.view).attitudes)


def recipients(said: Sequence[SendPress], press: Press) -> list[Power]:
    return [power for each in said if each.press == press for power in each.recipients]

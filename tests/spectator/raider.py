"""A bot for tests: agrees with everybody, and takes Norway in spring 1902."""

from collections.abc import Sequence

from bots.strategy import Negotiator, Tactic
from bots.view import GameView
from grammar.messages import PressReceived, SendPress
from grammar.press import Accept, Propose
from rules.notation import parse_order
from rules.orders import Order
from rules.position_json import turn_to_json

PLAN = {
    ("SPR", 1901): ["A MOS - STP", "F STP/SCS - GOB"],
    ("FAL", 1901): ["F GOB - SWE"],
    ("SPR", 1902): ["A STP - NWY", "F SWE S A STP - NWY"],
}


class Raider(Tactic, Negotiator):
    """Plays Russia by a plan of three turns, and holds afterwards."""

    words = ("PRP", "PCE", "YES", "FCT", "NOT")

    def choose_orders(self, view: GameView) -> Sequence[Order]:
        """Follow the plan."""
        season, year = turn_to_json(view.turn)
        orders = PLAN.get((str(season), int(year)), [])
        return [parse_order(view.board, view.position, view.power, order) for order in orders]

    def on_press(self, view: GameView, received: PressReceived) -> Sequence[SendPress]:  # noqa: ARG002 - it never answers
        """Agree."""
        if isinstance(received.press, Propose):
            return [SendPress((received.sender,), Accept(received.press))]
        return []

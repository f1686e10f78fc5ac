"""Small negotiators for the tests: one that makes peace, one that says what it should not."""

from collections.abc import Sequence

from bots.strategy import Negotiator
from bots.view import Beliefs, GameView
from grammar.messages import PressReceived, SendPress
from grammar.press import Accept, FreeText, Peace, Propose, Refuse
from rules.places import Power


class Peacemaker(Negotiator):
    """Proposes peace to everybody once a turn, and accepts it."""

    words = ("PRP", "PCE", "YES", "REJ")

    def __init__(self) -> None:
        self.friends: set[Power] = set()
        self.confirmed: list[tuple[SendPress, bool]] = []

    def open_turn(self, view: GameView) -> Sequence[SendPress]:
        others = [power for power in view.survivors if power != view.power]
        strangers = [power for power in others if power not in self.friends]
        return [
            SendPress((power,), Propose(Peace(tuple(sorted((view.power, power), key=str)))))
            for power in strangers
        ]

    def on_press(self, view: GameView, received: PressReceived) -> Sequence[SendPress]:
        assert received in view.inbox
        match received.press:
            case Propose(Peace(powers)):
                if set(powers) != {view.power, received.sender}:
                    return [SendPress((received.sender,), Refuse(received.press))]
                self.friends.add(received.sender)
                return [SendPress((received.sender,), Accept(received.press))]
            case Accept(Propose(Peace())):
                self.friends.add(received.sender)
        return ()

    def on_answer(self, view: GameView, sent: SendPress, *, accepted: bool) -> None:
        del view
        self.confirmed.append((sent, accepted))

    def beliefs(self, view: GameView) -> Beliefs:
        del view
        return Beliefs(attitudes=dict.fromkeys(sorted(self.friends, key=str), 0.4))


class Loudmouth(Negotiator):
    """Says what no server of a level 10 game would take."""

    def open_turn(self, view: GameView) -> Sequence[SendPress]:
        atlantis = Power("ATL")
        return [
            SendPress(view.survivors, FreeText("hello")),
            SendPress((view.power,), Propose(Peace(view.survivors))),
            SendPress((atlantis,), Propose(Peace(view.survivors))),
            SendPress(view.survivors, Propose(Peace((view.power, atlantis)))),
        ]


class Broken(Negotiator):
    """Fails whatever it is asked."""

    words = ("PRP", "PCE")

    def open_turn(self, view: GameView) -> Sequence[SendPress]:
        raise RuntimeError(view.turn)

    def on_press(self, view: GameView, received: PressReceived) -> Sequence[SendPress]:
        raise RuntimeError(view.turn, received)

    def beliefs(self, view: GameView) -> Beliefs:
        raise RuntimeError(view.turn)

    def votes_for_draw(self, view: GameView) -> bool:
        raise RuntimeError(view.turn)

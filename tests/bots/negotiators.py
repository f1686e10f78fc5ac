"""Small negotiators for the tests: one that makes peace, some that say anything."""

from collections.abc import Sequence

from bots.strategy import Negotiator
from bots.view import Beliefs, GameView
from grammar.messages import PressReceived, SendPress
from grammar.press import (
    Accept,
    Alliance,
    Arrangement,
    Cancel,
    Decline,
    Demilitarize,
    Draw,
    FreeText,
    GiveOrder,
    NoArrangement,
    Not,
    Peace,
    Press,
    Propose,
    Refuse,
    Solo,
    StateFact,
)
from rules.orders import Hold
from rules.places import Power


def quick(name: str) -> str:
    """Return a bot's text for tests that need no strength: who searches does so for a moment."""
    return f"{name}/iterations=12" if name == "talleyrand" else name


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


class Babbler(Negotiator):
    """Says anything that is grammatical, and answers what it likes to what is said to it."""

    words = (
        *("PRP", "PCE", "ALY", "VSS", "DRW", "SLO", "NOT", "NAR", "XDO", "DMZ"),
        *("YES", "REJ", "BWX", "CCL", "FCT"),
    )

    def open_turn(self, view: GameView) -> Sequence[SendPress]:
        if not view.has_orders_due:
            return ()
        others = [power for power in view.survivors if power != view.power]
        return [SendPress((power,), self._press(view)) for power in others for _ in range(2)]

    def on_press(self, view: GameView, received: PressReceived) -> Sequence[SendPress]:
        if not isinstance(received.press, Propose):
            return ()
        answer = view.random.choice((Accept, Refuse, Decline, Cancel))
        return [SendPress((received.sender,), answer(received.press))]

    def _press(self, view: GameView) -> Press:
        chance = view.random
        arrangement = self._arrangement(view)
        if chance.random() < 0.2:
            arrangement = chance.choice((Not, NoArrangement))(arrangement)
        message = chance.choice((Propose, StateFact))(arrangement)
        if chance.random() < 0.5:
            return message
        return chance.choice((Accept, Refuse, Cancel))(message)

    def _arrangement(self, view: GameView) -> Arrangement:
        chance = view.random
        powers = chance.sample(view.board.powers, chance.randint(2, 7))
        one = chance.choice(view.board.provinces)
        options: list[Arrangement] = [
            Peace(tuple(powers)),
            Peace(tuple(powers[:2])),
            Peace((powers[0],)),
            Draw(),
            Solo(powers[0]),
            Alliance(tuple(powers[:1]), tuple(powers[1:])),
            Alliance((view.power, *powers[:1]), tuple(powers[1:])),
        ]
        if view.level >= 20:
            options.append(Demilitarize(tuple(powers), (one,)))
            options.append(GiveOrder(Hold(chance.choice(view.position.units))))
        return chance.choice(options)


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

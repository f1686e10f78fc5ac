"""Any interleaving of what clients, clocks and kills do to a game, by hypothesis.

The game is sans-I/O, as its room sees it: inputs are applied, kept, and only then answered. A kill
throws the game away and rebuilds it from what was kept, from a snapshot or from the beginning. It
must hold that every turn ends, that nothing acknowledged is lost, that nobody sees what is not
theirs, and that press has one order for all.
"""

from collections import defaultdict

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from grammar import messages as m
from grammar.text import from_text, to_text
from grammar.write import write
from rules.maps import load_map
from rules.orders import Order
from rules.places import Power
from server.effects import Effect, Send
from server.game import Game
from server.inputs import (
    Batch,
    Connected,
    Disconnected,
    Input,
    Received,
    Ticked,
    apply,
    batch_from_bytes,
    batch_to_bytes,
)
from server.record import GameRecord, GameSetup, replay
from server.settings import GameSettings
from server.snapshot import read_snapshot
from server.stage import Stage
from tests.server.hosting import hold_all, snapshot_of

BOARD = load_map()
NAMES = [power.name for power in BOARD.powers]
SETUP = GameSetup(
    "machine",
    "standard",
    GameSettings(
        level=20, movement_limit=60, retreat_limit=30, build_limit=30, last_year=1902,
        seats={name: name for name in NAMES},
    ),
    seed=1,
    passcodes={name: 100 + number for number, name in enumerate(NAMES)},
)  # fmt: skip


def order_text(order: Order) -> str:
    return to_text(write(m.SubmitOrders((order,)))[2:-1])


class Table(RuleBasedStateMachine):
    """One game, its clients, and what they were told."""

    @initialize()
    def begin(self) -> None:
        """Let seven players sit down."""
        self.game: Game = SETUP.new_game()
        self.kept: list[bytes] = []
        self.now = 0.0
        self.number = 0
        self.seat: dict[int, str] = {}
        self.heard: dict[int, list[tuple[str, str, str]]] = defaultdict(list)
        self.said: list[tuple[str, str, str]] = []
        self.thanked: dict[str, set[str]] = defaultdict(set)
        self.words = 0
        for name in NAMES:
            client = self._come()
            self._say(client, f"NME ( '{name}' ) ( '1' )")
            self._say(client, "YES ( MAP ( 'standard' ) )")
            self.seat[client] = name
        assert self.game.stage is Stage.RUNNING

    # --- what is done to it -----------------------------------------------------------------------

    def _do(self, happened: Input) -> list[Effect]:
        turn = self.game.position.turn
        effects = apply(self.game, happened, self.now)
        self.kept.append(batch_to_bytes(Batch(self.now, (happened,))))
        if self.game.position.turn != turn:
            self._check_orders_were_used()
        for effect in effects:
            if isinstance(effect, Send):
                self._listen(effect)
        return effects

    def _listen(self, sent: Send) -> None:
        message = sent.message
        if isinstance(message, m.PressReceived):
            text = to_text(write(message), self.game.representation)
            told = (message.sender.name, " ".join(p.name for p in message.recipients), text)
            for client in sent.to:
                assert self.seat[client] in told[1], "press reached somebody else"
                self.heard[client].append(told)
        elif isinstance(message, m.Hello) and message.power is not None:
            assert [self.seat.get(client) for client in sent.to] in ([message.power.name], [None])
        elif isinstance(message, m.OrderAnswer):
            (client,) = sent.to
            if message.note.value == "MBV":
                order = order_text(message.order)
                self.thanked[self.seat[client]].add(order)

    def _check_orders_were_used(self) -> None:
        played = self.game.history.turns[-1]
        used = {order_text(outcome.order) for outcome in played.outcomes}
        for name, orders in self.thanked.items():
            assert orders <= used, f"{name} was thanked for what was not used"
        self.thanked.clear()

    def _say(self, client: int, text: str) -> list[str]:
        effects = self._do(Received(client, from_text(text, self.game.representation)))
        return [
            to_text(write(each.message, self.game.representation), self.game.representation)
            for each in effects
            if isinstance(each, Send) and each.to == (client,)
        ]

    def _come(self) -> int:
        self.number += 1
        self._do(Connected(self.number, "127.0.0.1"))
        return self.number

    # --- rules ------------------------------------------------------------------------------------

    @property
    def _players(self) -> list[int]:
        return [client for client in self.seat if client in self.game.clients]

    @precondition(lambda self: self._players)
    @rule(data=st.data())
    def order(self, data: st.DataObject) -> None:
        """Order the least that is due."""
        client = data.draw(st.sampled_from(self._players))
        power: Power = BOARD.power(self.seat[client])
        orders = hold_all(self.game.position, power)
        if orders:
            if self.game.position.turn.phase.name == "ADJUSTMENT":
                self._say(client, "NOT ( SUB )")
                self.thanked.pop(power.name, None)
            self._say(client, "SUB " + " ".join(f"( {order_text(each)} )" for each in orders))

    @precondition(lambda self: self._players)
    @rule(data=st.data(), to=st.sets(st.sampled_from(NAMES), min_size=1, max_size=3))
    def talk(self, data: st.DataObject, to: set[str]) -> None:
        """Send press; what is confirmed must be kept."""
        client = data.draw(st.sampled_from(self._players))
        names = " ".join(sorted(to))
        both = " ".join(sorted({self.seat[client], *to}))
        answers = self._say(client, f"SND ( {names} ) ( PRP ( PCE ( {both} ) ) )")
        if any(answer.startswith("YES") for answer in answers):
            self.words += 1

    @precondition(lambda self: self._players)
    @rule(data=st.data(), text=st.sampled_from(["DRW", "NOT ( DRW )", "GOF", "NOT ( GOF )", "MIS"]))
    def vote(self, data: st.DataObject, text: str) -> None:
        """Vote, or say something about going on."""
        self._say(data.draw(st.sampled_from(self._players)), text)

    @precondition(lambda self: len(self._players) > 1)
    @rule(data=st.data())
    def vanish(self, data: st.DataObject) -> None:
        """Lose a client."""
        self._do(Disconnected(data.draw(st.sampled_from(self._players))))

    @rule(name=st.sampled_from(NAMES), is_right=st.booleans())
    def rejoin(self, name: str, *, is_right: bool) -> None:
        """Come back; only the right passcode of an empty seat is let in."""
        power = BOARD.power(name)
        is_open = self.game.seats[power].client is None and self.game.stage is Stage.RUNNING
        client = self._come()
        code = (SETUP.passcodes or {})[name] + (0 if is_right else 500)
        answer = self._say(client, f"IAM ( {name} ) ( {code} )")[0]
        assert answer.startswith("YES" if is_right and is_open else "REJ")
        if answer.startswith("YES"):
            self.seat[client] = name

    @rule(seconds=st.sampled_from([0.5, 5.0, 61.0]))
    def wait(self, seconds: float) -> None:
        """Let time pass; a deadline ends the turn."""
        self.now += seconds
        due = self.game.next_tick()
        turn, stage = self.game.position.turn, self.game.stage
        if due is not None and due <= self.now:
            self._do(Ticked())
            if seconds > 60 and stage is Stage.RUNNING and self._players:
                has_ended = self.game.stage is Stage.ENDED
                assert has_ended or self.game.position.turn != turn, "a turn did not end"

    @rule(with_snapshot=st.booleans())
    def kill(self, *, with_snapshot: bool) -> None:
        """Kill the server, and start it again from what was kept."""
        before = self.game
        batches = tuple(batch_from_bytes(data) for data in self.kept)
        if with_snapshot:
            self.game = read_snapshot(SETUP, snapshot_of(before))
        else:
            self.game = replay(GameRecord(SETUP, batches))
        assert self.game.position == before.position
        assert self.game.history == before.history
        assert self.game.seats == before.seats
        for client in tuple(self.game.clients):
            self._do(Disconnected(client))

    # --- what always holds ------------------------------------------------------------------------

    @invariant()
    def confirmed_press_is_kept(self) -> None:
        """Whatever was confirmed is in the history, once."""
        if hasattr(self, "game"):
            assert len(self.game.history.press) == self.words

    @invariant()
    def press_has_one_order(self) -> None:
        """Everybody hears press in the order in which the game has it."""
        if not hasattr(self, "game"):
            return
        order = [
            to_text(write(each.press), self.game.representation) for each in self.game.history.press
        ]
        for heard in self.heard.values():
            places = iter(order)
            assert all(text in places for _, _, text in heard)


TestTable = Table.TestCase
TestTable.settings = settings(
    max_examples=15, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)

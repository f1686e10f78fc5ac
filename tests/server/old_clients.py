"""Clients of twenty years ago, as they behave on the wire, in a few lines each."""

from collections.abc import Iterable, Sequence

from grammar.text import from_text
from tests.server.red import Replay
from tests.server.table import Heard, Table


class OldClient:
    """A bot of the C++ framework: asks for the map, thinks at NOW, never sends GOF."""

    map_answer = "YES ( MAP ( '{map}' ) )"
    stays_to_the_end = True

    def __init__(self, table: Table, name: str) -> None:
        self.table, self.name = table, name
        self.outbox: list[str] = []
        self.heard: list[str] = []
        self.has_left = False

    def join(self) -> list[str]:
        return [f"NME ( '{self.name}' ) ( '1' )"]

    def hear(self, text: str) -> None:
        self.heard.append(text)
        word = text.split(maxsplit=1)[0]
        self.outbox += getattr(self, f"on_{word.lower()}", lambda _: ())(text)

    def on_map(self, _: str) -> Iterable[str]:
        return ["MDF"]

    def on_mdf(self, _: str) -> Iterable[str]:
        return [self.map_answer.format(map=self.table.board.name)]

    def on_now(self, text: str) -> Iterable[str]:
        return self.orders(text)

    def on_smr(self, _: str) -> Iterable[str]:
        self.has_left = not self.stays_to_the_end
        return []

    def orders(self, text: str) -> list[str]:
        """Order the least that the NOW asks for, without a turn."""
        if self.is_over:
            # Framework bots do not know: the last NOW makes them order once more.
            return [f"SUB ( {self.name} WVE )"]
        sub = self.table.least(self.name)
        assert text.split()[2:4] == str(self.table.game.position.turn).split()
        return [sub] if sub else []

    @property
    def is_over(self) -> bool:
        return self.table.game.stage.value == "ended"


class DumbBot(OldClient):
    """Replaces an order that was refused by a bare one, and answers all press with HUH and TRY."""

    def on_thx(self, text: str) -> Iterable[str]:
        if text.endswith("( MBV )"):
            return []
        unit = text[len("THX ( ( ") :].split(" ) ", maxsplit=1)[0]
        return [f"( {unit} ) HLD"]

    def on_frm(self, text: str) -> Iterable[str]:
        sender = text.split()[2]
        return [f"SND ( {sender} ) ( HUH ( ERR {text} ) )", f"SND ( {sender} ) ( TRY ( ) )"]


class Albert(OldClient):
    """Clears its go flag after every NOW, also where it owes nothing, and names the turn."""

    def on_now(self, text: str) -> Iterable[str]:
        turn = " ".join(text.split()[2:4])
        yield "NOT ( GOF )"
        if turn.startswith(("SPR", "FAL")):
            yield "NOT ( DRW )"
        for sub in self.orders(text):
            yield sub.replace("SUB", f"SUB ( {turn} )")
        yield "GOF"


class KissMyBot(OldClient):
    """Asks for a notice in every phase and takes it back; sends a number that cannot be."""

    def on_now(self, text: str) -> Iterable[str]:
        yield "TME ( 18 )"
        yield "TME"
        yield from self.orders(text)
        yield "NOT ( TME ( 18 ) )"
        yield "TME ( 0xFFFE )"


class DBrane(OldClient):
    """Accepts the map before it has seen it, asks for a draw after its last year, then leaves."""

    stays_to_the_end = False
    last_year = 1902

    def on_map(self, _: str) -> Iterable[str]:
        return ["MDF", self.map_answer.format(map=self.table.board.name)]

    def on_mdf(self, _: str) -> Iterable[str]:
        return []

    def on_now(self, text: str) -> Iterable[str]:
        if int(text.split()[3]) > self.last_year:
            yield "DRW"
        yield from self.orders(text)


class DiploBot(OldClient):
    """Does not know SMR and breaks off the connection at it."""

    stays_to_the_end = False


class Diplominator(OldClient):
    """Writes the name of the map in capitals and sends one SUB for each order."""

    map_answer = "YES ( MAP ( 'STANDARD' ) )"

    def orders(self, text: str) -> list[str]:
        return [f"SUB {each}" for sub in super().orders(text) for each in split_orders(sub)]


class Red(OldClient):
    """Replays all results and stops at the first that does not explain the next position."""

    def __init__(self, table: Table, name: str) -> None:
        super().__init__(table, name)
        self.replay = Replay()

    def hear(self, text: str) -> None:
        names = self.table.game.representation
        if text.split(maxsplit=1)[0] in ("ORD", "SCO", "NOW"):
            self.replay.hear_tokens(from_text(text, names), names)
        super().hear(text)


def split_orders(sub: str) -> list[str]:
    """Return the bracketed orders of a SUB without a turn."""
    orders, depth, start = [], 0, 0
    words = sub.split()[1:]
    for place, word in enumerate(words):
        if word == "(":
            start = place if depth == 0 else start
            depth += 1
        elif word == ")":
            depth -= 1
            if depth == 0:
                orders.append(" ".join(words[start : place + 1]))
    return orders


def play(table: Table, clients: Sequence[OldClient]) -> None:
    """Let clients join and talk, each in turn, until all have fallen silent."""
    by_name = {client.name: client for client in clients}

    def spread(heard: Heard) -> None:
        for name, text in heard:
            if name in by_name:
                by_name[name].hear(text)

    for client in clients:
        table.connect(client.name)
        client.outbox += client.join()
    while any(client.outbox for client in clients):
        for client in clients:
            if client.outbox and client.name in table.numbers:
                spread(table.say(client.name, client.outbox.pop(0)))
            if client.has_left:
                client.outbox.clear()
                if client.name in table.numbers:
                    spread(table.leave(client.name))

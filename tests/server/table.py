"""A game with fake clients around it, spoken to in text, with a clock that moves when told to."""

from collections.abc import Iterable
from random import Random

from attrs import evolve

from grammar.messages import SubmitOrders
from grammar.text import from_text, to_text
from grammar.write import write
from rules.board import Board
from rules.legal_orders import legal_adjustments, legal_orders
from rules.maps import load_map
from rules.notation import parse_location, parse_unit
from rules.orders import Build, Order, Remove, Unit, Waive
from rules.places import Power, Province
from rules.position import DislodgedUnit, Position
from rules.turns import Season, Turn
from server.effects import Drop, Effect, Send
from server.game import Game
from server.settings import GameSettings

Heard = list[tuple[str, str]]
DROPPED = "<dropped>"
STAND_IN = "<stand-in wanted>"


class Table:
    """A game and its clients, known by names; players are called like their powers."""

    def __init__(
        self,
        settings: GameSettings | None = None,
        *,
        board: Board | None = None,
        start: Position | None = None,
        seed: int = 0,
    ) -> None:
        self.board = board or load_map()
        self.powers = [power.name for power in self.board.powers]
        settings = settings or GameSettings()
        if not settings.seats:
            settings = evolve(settings, seats={name: name for name in self.powers})
        self.game = Game(self.board, settings, name="test", seed=seed, start=start)
        self.now = 1000.0
        self.numbers: dict[str, int] = {}
        self.names: dict[int, str] = {}
        self.log: Heard = []

    # What clients do.

    def connect(self, name: str) -> str:
        number = len(self.names) + 1
        self.numbers[name], self.names[number] = number, name
        self._told(self.game.connect(number, self.now))
        return name

    def obey(self, words: str) -> Heard:
        """Let the host do something to the game, and return what everybody hears."""
        return self._told(self.game.obey(words, self.now))

    def say(self, name: str, text: str) -> Heard:
        """Let a client say something, and return what everybody hears."""
        tokens = from_text(text, self.game.representation)
        return self._told(self.game.receive(self.numbers[name], tokens, self.now))

    def ask(self, name: str, text: str) -> list[str]:
        """Let a client say something, and return what it hears itself."""
        return heard_by(name, self.say(name, text))

    def leave(self, name: str) -> Heard:
        number = self.numbers.pop(name)
        heard = self._told(self.game.disconnect(number, self.now))
        del self.names[number]
        self.names[number] = f"{name} (gone)"
        return heard

    def wait(self, seconds: float) -> Heard:
        """Let time pass with a tick at each moment the game asks for, and at the end."""
        heard: Heard = []
        until = self.now + seconds
        while (due := self.game.next_tick()) is not None and due <= until:
            self.now = max(self.now, due)
            heard += self._told(self.game.tick(self.now))
        self.now = until
        return heard + self._told(self.game.tick(self.now))

    # Ways to begin.

    def join(self, name: str, *, version: str = "1") -> Heard:
        """Let a player come, name itself and accept the map."""
        self.connect(name)
        heard = self.say(name, f"NME ( '{name}' ) ( '{version}' )")
        return heard + self.accept_map(name)

    def observe(self, name: str = "watcher") -> Heard:
        self.connect(name)
        return self.say(name, "OBS") + self.accept_map(name)

    def accept_map(self, name: str) -> Heard:
        return self.say(name, f"YES ( MAP ( '{self.board.name}' ) )")

    def fill(self) -> "Table":
        """Let all powers sit down; the game starts with the last one."""
        for name in self.powers:
            self.join(name)
        return self

    def rejoin(self, name: str) -> Heard:
        self.connect(name)
        return self.say(name, f"IAM ( {name} ) ( {self.passcode(name)} )")

    # Ways to go on.

    def passcode(self, name: str) -> int:
        return self.game.seats[self.board.power(name)].passcode

    def hold(self, *names: str) -> Heard:
        """Let powers order the least that is due: hold, disband, waive or remove."""
        heard: Heard = []
        for name in names or [power.name for power in self.game.survivors]:
            if name in self.numbers and (text := self.least(name)):
                heard += self.say(name, text)
        return heard

    def least(self, name: str) -> str:
        """Return a SUB with the least that a power still owes, empty if it owes nothing."""
        missing = self.game.book.missing(self.board.power(name))
        if missing is None:
            return ""
        if missing.adjustments is not None and missing.adjustments < 0:
            return "SUB" + f" ( {name} WVE )" * -missing.adjustments
        units = [
            (each, "HLD") if not isinstance(each, DislodgedUnit) else (each.unit, "DSB")
            for each in missing.units
        ]
        if missing.adjustments is not None:
            mine = [each for each in self.game.position.units if each.power.name == name]
            units = [(each, "REM") for each in mine[: missing.adjustments]]
        return "SUB" + "".join(f" ( ( {unit_text(each)} ) {word} )" for each, word in units)

    def random_orders(self, name: str, chance: Random) -> str:
        """Return a SUB with a legal order for everything that a power owes, empty if nothing."""
        power, position = self.board.power(name), self.game.position
        missing = self.game.book.missing(power)
        if missing is None:
            return ""
        due = missing.adjustments
        if due is None:
            choices = legal_orders(self.board, position, power).values()
            orders = [chance.choice(each) for each in choices]
        elif due > 0:
            mine = [unit for unit in position.units if unit.power == power]
            orders = [Remove(unit) for unit in chance.sample(mine, due)]
        else:
            orders = self._random_builds(power, -due, chance)
        names = self.game.representation
        texts = [to_text(write(SubmitOrders((order,)), names)[2:-1], names) for order in orders]
        return "SUB" + "".join(f" ( {text} )" for text in texts)

    def _random_builds(self, power: Power, due: int, chance: Random) -> list[Order]:
        options = legal_adjustments(self.board, self.game.position, power)
        by_place: dict[Province, Order] = {
            order.unit.location.province: order
            for order in chance.sample(options, len(options))
            if isinstance(order, Build)
        }
        builds = [*by_place.values()][:due]
        return builds + [Waive(power)] * (due - len(builds))

    def _told(self, effects: Iterable[Effect]) -> Heard:
        heard: Heard = []
        for effect in effects:
            if isinstance(effect, Send):
                text = to_text(
                    write(effect.message, self.game.representation), self.game.representation
                )
                heard += ((self.names[number], text) for number in effect.to)
            elif isinstance(effect, Drop):
                heard.append((self.names[effect.client], DROPPED))
            else:
                heard.append(("host", f"{STAND_IN} {effect.power} {effect.passcode}"))
        self.log += heard
        return heard


def heard_by(name: str, heard: Heard) -> list[str]:
    """Return what one client heard."""
    return [text for to, text in heard if to == name]


def words(texts: Iterable[str]) -> list[str]:
    """Return the first word of each text: ORD, SCO, NOW, ...; NOT ( x ) stays together."""
    return [text if text.startswith("NOT") else text.split()[0] for text in texts]


def unit_text(unit: Unit) -> str:
    """Write a unit as it stands in NOW."""
    coast = unit.location.coast
    province = unit.location.province.name
    place = f"( {province} {coast.value} )" if coast else province
    return f"{unit.power} {unit.kind.value} {place}"


def place(
    turn: str = "SPR 1901",
    board: Board | None = None,
    others: dict[str, str] | None = None,
    *,
    dislodged: dict[str, tuple[str, str]] | None = None,
    centers: dict[str, str] | None = None,
    **units: str,
) -> Position:
    """Make a position: place("SUM 1901", ENG="F NTH, A LON", dislodged={"FRA": ("A BUR", "GAS")}).

    Without `centers` the ownership is that of the start; `others` are more units.
    """
    board = board or load_map()
    season, year = turn.split()
    standing = [
        parse_unit(board, board.power(name), text)
        for name, texts in ((others or {}) | units).items()
        for text in texts.split(", ")
    ]
    out = [
        DislodgedUnit(
            parse_unit(board, board.power(name), text),
            tuple(parse_location(board, each) for each in retreats.split()),
        )
        for name, (text, retreats) in (dislodged or {}).items()
    ]
    owners = {
        board.province(center): board.power(name)
        for name, owned in (centers or {}).items()
        for center in owned.split()
    }
    return Position(
        turn=Turn(Season(season), int(year)),
        units=tuple(sorted(standing, key=lambda unit: unit.location.province.name)),
        dislodged=tuple(sorted(out, key=lambda each: each.unit.location.province.name)),
        owners=owners if centers is not None else dict(board.start.owners),
    )

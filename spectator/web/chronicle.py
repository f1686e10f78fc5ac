"""One game for all its readers: facts in, messages and documents for each of them out. Sans-I/O."""

import json
from typing import Any

from attrs import define

from feed.events import Event, Lobby, PositionReached
from feed.facts import BookEnded, EventTold, GameOpened, PressTold, TurnTold
from feed.facts_to_events import EventMaker
from grammar.english_press import arrangement_phrase
from promises.promise import Kind, Promise
from rules.board import Board
from rules.notation import format_order
from rules.orders import Order
from rules.phrases import power_names
from rules.places import Power
from rules.position_json import PositionJson
from spectator.web.views import ALL, PUBLIC, CommonNews, Message, View


@define
class News:
    """A message that is new to one kind of reader."""

    reader: str
    number: int
    message: Message


class Chronicle:
    """Everything that was told of one game."""

    def __init__(self, opened: GameOpened) -> None:
        self.name, self.run = opened.name, opened.run
        self.press_level = opened.press_level
        self._maker = EventMaker(opened)
        readers = (PUBLIC, ALL, *(power.name for power in self.board.powers))
        self.views = {reader: View(reader, opened.press_level) for reader in readers}
        self._common = CommonNews()
        start = self._common.message(0.0, PositionReached(opened.start))
        assert start is not None
        for view in self.views.values():
            view.take(start)
        self.lobby: Lobby | None = None
        self.tints = home_tints(self.board)
        self.position: PositionJson | None = None

    @property
    def board(self) -> Board:
        """What it is played on."""
        return self._maker.board

    @property
    def variant(self) -> str:
        """The name of the board, not the folder that it may come from: that is ours alone."""
        return self.board.name

    def learn(self, fact: EventTold | PressTold | TurnTold | BookEnded) -> list[News]:
        """Take note of what the server tells; return what is new, reader by reader."""
        news: list[News] = []
        for event in self._maker.learn(fact):
            self._note(event)
            time = fact.time or 0.0
            common = self._common.message(time, event)
            for view in self.views.values():
                message = common
                if common is not None:
                    view.take(common)
                else:
                    message = view.learn(time, event)
                if message is not None:
                    news.append(News(view.reader, view.number, message))
        return news

    def _note(self, event: Event) -> None:
        match event:
            case Lobby():
                self.lobby = event
            case PositionReached(position):
                self.position = position
                self.tints.update(tints_of(self.board, position))

    def open_press(self) -> None:
        """Let everybody read everything, now that the game is over; readers have to begin anew."""
        self.run += "+"
        for view in self.views.values():
            if view.reader != ALL:
                view.become(self.views[ALL])

    def broken_by(self, power: Power, orders: list[Order]) -> list[dict[str, Any]]:
        """Return what a power's own orders would break of its word."""
        view = self.views[power.name]
        return [
            {
                "promise": view.promise_number(number),
                "order": format_order(order),
                "with": [each.name for each in promise.to],
                "en": _breach_sentence(promise),
            }
            for number, promise, order in self._maker.would_break(orders)
            if promise.maker == power
        ]

    # --- documents --------------------------------------------------------------------------------

    def document(self, reader: str) -> dict[str, Any]:
        """Return the whole game as that reader may see it."""
        view = self.views[reader]
        return {
            "game": self.name,
            "view": reader,
            "run": self.run,
            "n": view.number,
            "variant": self.variant,
            "press_level": self.press_level,
            **view.document,
        }

    def envelope(self, number: int, message: Message) -> str:
        """Write a message for a socket."""
        fields = {"game": self.name, "run": self.run, "n": number, **message}
        return json.dumps(fields, separators=(",", ":"))

    def card(self) -> dict[str, Any]:
        """Return the game as the lobby shows it."""
        document = self.views[PUBLIC].document
        shown = ("stage", "press_level", "last_year", "seats", "players")
        card: dict[str, Any] = {"game": self.name, "variant": self.variant}
        card |= {name: document[name] for name in shown if name in document}
        if (now := document.get("now")) is not None:
            card |= {"turn": now["turn"], "phase": now["phase"]}
        elif self.position is not None:
            card["turn"] = self.position["turn"]
        if self.position is not None:
            centers = self.position["centers"]
            names = [power.name for power in self.board.powers]
            card["counts"] = {name: len(centers.get(name, ())) for name in names}
        card["tints"] = self.tints
        if (result := document.get("result")) is not None:
            card["result"] = {
                name: result[name] for name in ("outcome", "ending", "winner", "draw")
            }
        return card


def _breach_sentence(promise: Promise) -> str:
    partners = power_names(promise.to)
    if promise.kind in (Kind.PEACE, Kind.ALLIANCE):
        return f"breaks your {promise.kind.value} with {partners}"
    return f"breaks your word to {partners}: {arrangement_phrase(promise.arrangement)}"


def home_tints(board: Board) -> dict[str, str]:
    """Return the tints of a board on which nobody has moved."""
    return {province.name: power.name for power, homes in board.homes.items() for province in homes}


def tints_of(board: Board, position: PositionJson) -> dict[str, str]:
    """Return what a position tints: land where units stand, and the centers of their owners."""
    standing = {
        unit.split()[1].partition("/")[0]: power
        for power, units in position["units"].items()
        for unit in units
    }
    owned = {center: power for power, centers in position["centers"].items() for center in centers}
    land = {name: power for name, power in standing.items() if not board.province(name).is_sea}
    return land | owned

"""What one reader of a game may see: its messages, numbered for it alone, and its document.

A message is made for its reader from an allow-list, never by taking things out of a fuller one. The
document is what all messages so far amount to, so that who comes late and who was there from the
beginning know the same. `docs/page-data.md` describes both. Sans-I/O.
"""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from attrs import Factory, define

from feed.events import (
    Event,
    GameEnded,
    Lobby,
    OrderJson,
    OrdersJudged,
    PhaseBegun,
    PlayersSeated,
    PositionReached,
    PressSent,
    PromiseJson,
    PromisesJudged,
    PromisesMade,
    StabJson,
    Waiting,
    WaitingFor,
)
from rules.outcome import OUTCOMES, EndingKind
from rules.position_json import PositionJson, TurnJson

PUBLIC, ALL = "public", "all"
Message: TypeAlias = dict[str, Any]


@define
class CommonNews:
    """What every reader of a game is told alike; made once, whoever reads."""

    _has_start: bool = False
    _orders: OrdersJudged | None = None

    def message(self, time: float, event: Event) -> Message | None:
        """Return what an event is to everybody, None if it is not for everybody."""
        match event:
            case Lobby():
                return {"event": "lobby", **lobby_fields(event)}
            case PositionReached(position):
                return self._reach(position)
            case OrdersJudged():
                self._orders = event
            case PhaseBegun(turn, phase, seconds):
                now: dict[str, Any] = {"turn": turn, "phase": phase, "at": round(time, 3)}
                if seconds is not None:
                    now["seconds"] = seconds
                return {"event": "phase", "now": now}
            case GameEnded():
                return {"event": "result", "result": result_fields(event)}
        return None

    def _reach(self, position: PositionJson) -> Message | None:
        orders, self._orders = self._orders, None
        if orders is not None:
            return _turn(orders, position)
        if self._has_start:
            return None  # the same as after the last turn
        self._has_start = True
        return {"event": "start", "start": _position(position, None)}


def _turn(orders: OrdersJudged, position: PositionJson) -> Message:
    played = {
        "turn": orders.turn,
        "phase": PHASES[orders.turn[0]],
        "orders": [_order(each) for each in orders.orders],
        "after": _position(position, orders),
    }
    return {"event": "turn", "played": played}


@define
class View:
    """A game for one kind of reader: `public`, `all`, or the power whose seat it has."""

    reader: str
    press_level: int
    document: dict[str, Any] = Factory(dict)
    messages: list[Message] = Factory(list)
    """Message N is at place N - 1."""
    _press: dict[int, int] = Factory(dict)
    """The reader's numbers of press by those of the game."""
    _promises: dict[int, int] = Factory(dict)

    def __attrs_post_init__(self) -> None:
        state = "none" if not self.press_level else "secret" if self.reader == PUBLIC else "open"
        self.document |= {"press": state, "turns": [], "promises": [], "stabs": []}

    def become(self, other: "View") -> None:
        """See what another reader sees."""
        self.messages, self.document = [*other.messages], {**other.document}
        self._press, self._promises = other._press, other._promises  # noqa: SLF001 - of our own kind

    @property
    def number(self) -> int:
        """How many messages there are."""
        return len(self.messages)

    def take(self, message: Message) -> None:
        """Add a message to those of this reader."""
        self.messages.append(message)
        fold(self.document, message)

    def learn(self, time: float, event: Event) -> Message | None:
        """Take note of what is not for everybody; return the message that it is to this reader."""
        message = self._message(time, event)
        if message is not None:
            self.take(message)
        return message

    def _message(self, time: float, event: Event) -> Message | None:
        match event:
            case PressSent() if self._hears(event):
                return self._press_message(time, event)
            case PromisesMade(_, promises):
                return self._promise_message(promises, ())
            case PromisesJudged(_, promises, stabs):
                return self._promise_message(promises, stabs)
            case Waiting(turn, count) if self.reader != ALL:
                return {"event": "waiting", "turn": turn, "waiting": {"count": count}}
            case WaitingFor(turn, powers) if self.reader == ALL:
                waiting = {"count": len(powers), "powers": powers}
                return {"event": "waiting", "turn": turn, "waiting": waiting}
            case PlayersSeated(players) if self.reader == ALL:
                names = {
                    each["power"]: {"name": each["name"], "version": each["version"]}
                    for each in players
                }
                return {"event": "names", "names": names}
        return None

    # --- press and promises -----------------------------------------------------------------------

    def _hears(self, said: PressSent) -> bool:
        return self.reader == ALL or self.reader in (said.sender, *said.recipients)

    def _press_message(self, time: float, said: PressSent) -> Message:
        number = self._press[said.id] = len(self._press) + 1
        press: dict[str, Any] = {"id": number}
        if said.answers in self._press:
            press["re"] = self._press[said.answers]
        press |= {
            "at": round(time, 3),
            "from": said.sender,
            "to": said.recipients,
            "kind": "TXT" if said.text.startswith("'") else said.text.partition(" ")[0],
            "text": said.text,
            "en": said.english,
        }
        return {"event": "press", "turn": said.turn, "press": press}

    def _promise_message(
        self, promises: Iterable[PromiseJson], stabs: Iterable[StabJson]
    ) -> Message | None:
        seen = [self._promise(each) for each in promises if self._is_in(each)]
        known = [_stab(each) for each in stabs if self._sees(each["by"], each["victim"])]
        return {"event": "promises", "promises": seen, "stabs": known} if seen or known else None

    def _is_in(self, promise: PromiseJson) -> bool:
        return self._sees(promise["maker"], *promise["to"])

    def _sees(self, *powers: str) -> bool:
        return self.reader == ALL or self.reader in powers

    def promise_number(self, number: int) -> int | None:
        """Return the reader's own number of a promise, None for one that it does not know."""
        return self._promises.get(number)

    def _promise(self, promise: PromiseJson) -> dict[str, Any]:
        number = self._promises.setdefault(promise["id"], len(self._promises) + 1)
        told: dict[str, Any] = {"id": number}
        sealed = promise.get("sealed")
        if sealed in self._press:
            told["sealed"] = self._press[sealed]
        return told | {
            "kind": promise["kind"],
            "maker": promise["maker"],
            "to": promise["to"],
            "text": promise["text"],
            "en": promise["english"],
            "made": promise["made"],
            "ended": promise["ended"],
            "verdict": promise["verdict"],
            "breach": promise["breach"],
        }


PHASES = {
    "SPR": "movement",
    "SUM": "retreat",
    "FAL": "movement",
    "AUT": "retreat",
    "WIN": "adjustment",
}


def fold(document: dict[str, Any], message: Message) -> None:
    """Let a message change the document, as the page does it with its own."""
    match message:
        case {"event": "press", "turn": turn, "press": press}:
            _said_in(document, turn).append(press)
        case {"event": "turn", "played": played}:
            now = document.pop("now", {})
            document["turns"].append({**played, "press": now.get("press", [])})
        case {"event": "phase", "now": now}:
            document["now"] = {**now, "press": []}
        case {"event": "promises", "promises": promises, "stabs": stabs}:
            document["promises"] = _replaced(document["promises"], promises, ("id",))
            document["stabs"] = _replaced(document["stabs"], stabs, ("turn", "by", "victim"))
        case {"event": "waiting", "turn": turn, "waiting": waiting}:
            if "now" in document and document["now"]["turn"] == turn:
                document["now"]["waiting"] = waiting
        case {"event": "result", "result": result}:
            document |= {"result": result, "stage": "ended"}
            _end(document)
        case _:
            document |= {name: value for name, value in message.items() if name != "event"}


def _said_in(document: dict[str, Any], turn: TurnJson) -> list[Any]:
    now = document.get("now")
    if now is not None and now["turn"] == turn:
        return list_in(now)
    for played in reversed(document["turns"]):
        if played["turn"] == turn:
            return list_in(played)
    # Said before we were told that the turn had begun.
    document["now"] = {"turn": turn, "phase": PHASES[turn[0]]}
    return list_in(document["now"])


def list_in(turn: dict[str, Any]) -> list[Any]:
    """Return the press of a turn."""
    said: list[Any] = turn.setdefault("press", [])
    return said


def _end(document: dict[str, Any]) -> None:
    """Keep what was said in a turn that was not played any more."""
    now = document.pop("now", None)
    if now is not None and now.get("press"):
        document["unplayed"] = {name: now[name] for name in ("turn", "phase", "press")}


def _replaced(known: list[Any], new: list[Any], key: tuple[str, ...]) -> list[Any]:
    def name(each: Mapping[str, Any]) -> str:
        return repr([each[part] for part in key])

    by_name = {name(each): each for each in known}
    by_name |= {name(each): each for each in new}
    return list(by_name.values())


# --- what anybody may see -------------------------------------------------------------------------


def lobby_fields(lobby: Lobby) -> dict[str, Any]:
    """Return what everybody may know of how a game is set up."""
    return {
        "stage": lobby.stage,
        "press_level": lobby.press_level,
        "limits": lobby.limits,
        "last_year": lobby.last_year,
        "seats": lobby.seats,
        "players": lobby.players,
    }


def result_fields(ended: GameEnded) -> dict[str, Any]:
    """Return how a game ended; the names of the players are no secret any more."""
    return {
        "outcome": OUTCOMES[EndingKind(ended.ending["kind"])],
        "ending": ended.ending["kind"],
        "winner": ended.winner,
        "draw": ended.draw,
        "turn": ended.turn,
        "players": ended.players,
    }


def _order(order: OrderJson) -> list[Any]:
    flags = ("d" if order["dislodged"] else "") + ("a" if order.get("automatic") else "")
    return [
        order["power"],
        order["order"],
        order.get("note") or order.get("result"),
        order.get("strength"),
        order.get("reason", ""),
        flags,
    ]


def _position(position: PositionJson, orders: OrdersJudged | None) -> dict[str, Any]:
    by = {(each["power"], each["unit"]): each for each in orders.dislodged} if orders else {}
    dislodged = []
    for each in position["dislodged"]:
        out: dict[str, Any] = {"power": each["power"], "unit": each["unit"]}
        if (driven := by.get((each["power"], each["unit"]))) is not None:
            out |= {"from": driven["attacker_from"], "convoyed": driven["attacker_convoyed"]}
        dislodged.append(out | {"retreats": each["retreats"]})
    return {
        "units": position["units"],
        "centers": position["centers"],
        "dislodged": dislodged,
        "contested": orders.contested if orders else [],
    }


def _stab(stab: StabJson) -> dict[str, Any]:
    return {
        "turn": stab["turn"],
        "by": stab["by"],
        "victim": stab["victim"],
        "order": stab["order"],
        "centers": stab["centers"],
    }

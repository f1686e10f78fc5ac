"""The events of a game as values, and as JSON: `docs/events.md` describes them for others.

What stands in an event is written as in a game's record: turns as `["SPR", 1901]`, units and orders
in the notation of `daide adjudicate`. Raises BadInputError for JSON that is no event.
"""

import json
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, NotRequired, TypeAlias, TypedDict, cast

import attrs
from attrs import Factory, frozen

from feed.shapes import check, hints_of, is_optional
from rules.errors import BadInputError
from rules.outcome import Ending, EndingJson, ending_to_json
from rules.position_json import DrivenOutJson, PositionJson, TurnJson, turn_to_json
from rules.turns import Turn


class OrderJson(TypedDict):
    """An order and what came of it; `note` in place of `result` if it could not be tried."""

    power: str
    order: str
    result: NotRequired[str | None]
    note: NotRequired[str | None]
    dislodged: bool
    automatic: NotRequired[bool]
    """Nobody has given it."""
    strength: NotRequired[int | None]
    """Of a move that reached the province it was for."""
    reason: NotRequired[str]
    """Why it came out as it did, in one sentence."""


class LimitsJson(TypedDict):
    """The seconds that a turn lasts, None for no limit."""

    movement: int | None
    retreat: int | None
    build: int | None


class PlayerJson(TypedDict):
    """Who plays a power."""

    power: str
    name: str
    version: str


class FinishedJson(TypedDict):
    """How a power has fared."""

    power: str
    name: str
    version: str
    centers: int
    eliminated: int | None


class PromiseJson(TypedDict):
    """What a power has promised, and whether it kept it."""

    id: NotRequired[int]
    """Its place in the book, from 1."""
    sealed: NotRequired[int | None]
    """The press that made it."""
    english: NotRequired[str]
    """What `text` says."""
    kind: str
    maker: str
    to: list[str]
    text: str
    made: TurnJson
    ended: TurnJson | None
    verdict: str
    breach: str | None


class OfferJson(TypedDict):
    """A proposal and its answer."""

    turn: TurnJson
    sender: str
    to: str
    kind: str
    answer: str


class StabJson(TypedDict):
    """An attack on a partner; the centers of the stabber then and two years later."""

    turn: TurnJson
    by: str
    victim: str
    order: str
    centers: list[int | None]


@frozen
class Lobby:
    """A game has been made, a player has come or left, or it has begun or ended."""

    kind: ClassVar[str] = "lobby"
    is_private: ClassVar[bool] = False
    is_retained: ClassVar[bool] = True

    stage: Literal["forming", "running", "ended"]
    variant: str
    press_level: int
    limits: LimitsJson
    last_year: int | None
    seats: int
    players: int
    """How many of the seats are taken; who takes them is not told before the end."""


@frozen
class PhaseBegun:
    """Orders may be given for a turn."""

    kind: ClassVar[str] = "phase"
    is_private: ClassVar[bool] = False
    is_retained: ClassVar[bool] = False

    turn: TurnJson
    phase: Literal["movement", "retreat", "adjustment"]
    seconds: int | None
    """How long it lasts at most."""
    left: float | None = None
    """How much of that is left, where it began before."""


@frozen
class PositionReached:
    """What stands where and who owns what, at the beginning and after every turn."""

    kind: ClassVar[str] = "position"
    is_private: ClassVar[bool] = False
    is_retained: ClassVar[bool] = True

    position: PositionJson


@frozen
class OrdersJudged:
    """All orders of a turn and their results."""

    kind: ClassVar[str] = "orders"
    is_private: ClassVar[bool] = False
    is_retained: ClassVar[bool] = False

    turn: TurnJson
    orders: list[OrderJson]
    contested: list[str] = Factory(list)
    """Where units bounced, so that nobody may retreat there."""
    dislodged: list[DrivenOutJson] = Factory(list)


@frozen
class GameEnded:
    """The game is over; the names of the players are no secret any more."""

    kind: ClassVar[str] = "result"
    is_private: ClassVar[bool] = False
    is_retained: ClassVar[bool] = True

    outcome: Literal["solo", "draw", "aborted"]
    """What was declared; `ending` says why."""
    winner: str | None
    draw: list[str]
    ending: EndingJson
    turn: TurnJson
    """The turn that was reached; the last one that was played stands in `ending`."""
    players: list[FinishedJson]


def game_ended(ending: Ending, turn: Turn, players: list[FinishedJson]) -> GameEnded:
    """Tell how a game ended in which that turn was reached."""
    return GameEnded(
        outcome="solo" if ending.winner else "draw" if ending.draw else "aborted",
        winner=ending.winner.name if ending.winner else None,
        draw=[power.name for power in ending.draw],
        ending=ending_to_json(ending),
        turn=turn_to_json(turn),
        players=players,
    )


@frozen
class PressSent:
    """A power has told others something."""

    kind: ClassVar[str] = "press"
    is_private: ClassVar[bool] = True
    is_retained: ClassVar[bool] = False

    turn: TurnJson
    sender: str
    recipients: list[str]
    text: str
    """What was said, as DAIDE text."""
    english: str
    id: int = 0
    """Counts the press of the game from 1; 0 if the server is an older one."""
    answers: int | None = None
    """The press that it answers or takes back."""


@frozen
class Waiting:
    """How many powers have not finished their orders; told while it stays so for a moment."""

    kind: ClassVar[str] = "waiting"
    is_private: ClassVar[bool] = False
    is_retained: ClassVar[bool] = False

    turn: TurnJson
    count: int


@frozen
class WaitingFor:
    """Which powers these are: who is slow tells bots from people, so it is not public."""

    kind: ClassVar[str] = "missing"
    is_private: ClassVar[bool] = True
    is_retained: ClassVar[bool] = False

    turn: TurnJson
    powers: list[str]


@frozen
class PlayersSeated:
    """Who plays which power, once the game has begun."""

    kind: ClassVar[str] = "players"
    is_private: ClassVar[bool] = True
    is_retained: ClassVar[bool] = True

    players: list[PlayerJson]


@frozen
class PromisesMade:
    """Promises that press has just made, all of them open."""

    kind: ClassVar[str] = "promised"
    is_private: ClassVar[bool] = True
    is_retained: ClassVar[bool] = False

    turn: TurnJson
    promises: list[PromiseJson]


@frozen
class PromisesJudged:
    """Promises that were kept, broken or given up in a turn, and the stabs of the turn."""

    kind: ClassVar[str] = "promises"
    is_private: ClassVar[bool] = True
    is_retained: ClassVar[bool] = False

    turn: TurnJson
    promises: list[PromiseJson]
    stabs: list[StabJson]


@frozen
class BookClosed:
    """All promises, offers and stabs of a game that is over, as in its record."""

    kind: ClassVar[str] = "book"
    is_private: ClassVar[bool] = True
    is_retained: ClassVar[bool] = False

    promises: list[PromiseJson]
    offers: list[OfferJson]
    stabs: list[StabJson]


Event: TypeAlias = (
    Lobby
    | PhaseBegun
    | PositionReached
    | OrdersJudged
    | GameEnded
    | Waiting
    | PressSent
    | WaitingFor
    | PlayersSeated
    | PromisesMade
    | PromisesJudged
    | BookClosed
)
PlainEvent: TypeAlias = (
    Lobby | PhaseBegun | PositionReached | GameEnded | PlayersSeated | Waiting | WaitingFor
)
"""What a server makes itself; the others are made of what it tells its relay."""
EVENTS: tuple[type[Event], ...] = (
    Lobby,
    PhaseBegun,
    PositionReached,
    OrdersJudged,
    GameEnded,
    Waiting,
    PressSent,
    WaitingFor,
    PlayersSeated,
    PromisesMade,
    PromisesJudged,
    BookClosed,
)
_BY_KIND = {each.kind: each for each in EVENTS}


@frozen
class Told:
    """An event as it is told: of which game, when, and in which place among the others."""

    game: str
    run: str
    """Names one run of the server; the numbers begin anew with it."""
    number: int
    """Counts the public events of the game, or its private ones: a subscriber sees what it missed,
    and what came twice."""
    time: float
    """The game's own time in seconds, which stands still while the server is down."""
    event: Event
    after: int | None = None
    """For a private event, the number of the last public one before it."""

    def to_bytes(self) -> bytes:
        """Write it as one line of JSON."""
        fields = {
            "event": self.event.kind,
            "game": self.game,
            "run": self.run,
            "number": self.number,
            "time": round(self.time, 3),
            **({} if self.after is None else {"after": self.after}),
            **_fields_of(self.event),
        }
        return json.dumps(fields).encode()


def _fields_of(event: Event) -> dict[str, Any]:
    return {name: getattr(event, name) for name in _NAMES[type(event)]}


def event_to_json(event: PlainEvent) -> dict[str, Any]:
    """Write an event alone; `event_from_json` reads it."""
    return {"event": event.kind, **_fields_of(event)}


def event_from_json(fields: dict[str, Any]) -> PlainEvent:
    """Read an event that we have written ourselves."""
    kind = _BY_KIND[fields.pop("event")]
    return cast("PlainEvent", kind(**fields))


_NAMES = {each: tuple(field.name for field in attrs.fields(each)) for each in EVENTS}
ENVELOPE: Mapping[str, Any] = {
    "game": str,
    "run": str,
    "number": int,
    "time": float,
    "after": NotRequired[int],
}


def told_from_bytes(data: bytes) -> Told:
    """Read an event."""
    try:
        fields = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadInputError(f"event: not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise BadInputError("event: not a JSON object")
    name = fields.pop("event", None)
    kind = _BY_KIND.get(name) if isinstance(name, str) else None
    if kind is None:
        raise BadInputError("event: there is no event of that name; see docs/events.md")
    hints = hints_of(kind)
    for name, hint in {**ENVELOPE, **hints}.items():
        if name not in fields:
            if is_optional(hint):
                continue  # it came later than the server that tells this
            raise BadInputError(f"{kind.kind}: {name} is missing")
        check(fields[name], hint, f"{kind.kind}: {name}")
    event = kind(**{name: fields[name] for name in hints if name in fields})
    envelope = {name: fields[name] for name in ENVELOPE if name in fields}
    return Told(event=event, **envelope)

"""What clients and servers tell each other: one frozen class per message.

The word of the language stands in the first line of each docstring. Classes that ask begin with
`Ask`; what a client withdraws begins with `Cancel`. Press itself is in `grammar.press`.
"""

from enum import Enum
from typing import TypeAlias

from attrs import frozen

from grammar.press import Press
from grammar.tokens import Tokens
from rules.orders import Order, OrderNote, OrderResult, Unit, UnitKind
from rules.places import Coast, Location, Power, Province
from rules.position import DislodgedUnit
from rules.turns import Turn

# --- from clients ---------------------------------------------------------------------------------


@frozen
class Name:
    """NME: a would-be player gives its name and version."""

    name: str
    version: str


@frozen
class Observe:
    """OBS: joins as an observer; Parlance's clients add name and version."""

    name: str | None = None
    version: str | None = None


@frozen
class IAm:
    """IAM: takes back a power after a lost connection."""

    power: Power
    passcode: int


@frozen
class AskMap:
    """MAP: asks for the name of the map."""


@frozen
class AskMapDefinition:
    """MDF: asks for the map."""


@frozen
class AskHello:
    """HLO: asks for power, passcode and variant options again."""


@frozen
class AskNow:
    """NOW: asks for the current position."""


@frozen
class AskOwnership:
    """SCO: asks who owns which center."""


@frozen
class AskOrders:
    """ORD: asks for the results of the last movement turn and later."""


@frozen
class AskHistory:
    """HST: asks for the results of a past turn, or for the starting position."""

    turn: Turn | None = None


@frozen
class AskMissing:
    """MIS: asks which orders are missing."""


@frozen
class AskTime:
    """TME: asks for the seconds that remain."""


@frozen
class AskSummary:
    """SMR: asks for the result of an ended game (an addition of Parlance)."""


@frozen
class SubmitOrders:
    """SUB: submits orders, for a given turn if one is given."""

    orders: tuple[Order, ...]
    turn: Turn | None = None


@frozen
class CancelOrders:
    """NOT ( SUB ): takes back one order, or all."""

    order: Order | None = None


@frozen
class Go:
    """GOF: the turn may be processed as soon as all orders are in."""


@frozen
class CancelGo:
    """NOT ( GOF ): the turn is to wait for its deadline."""


@frozen
class RequestDraw:
    """DRW: votes for a draw of all survivors, or of the listed powers."""

    powers: tuple[Power, ...] = ()


@frozen
class CancelDraw:
    """NOT ( DRW ): takes back that vote."""

    powers: tuple[Power, ...] = ()


@frozen
class RequestTime:
    """TME ( seconds ): wants to be told when that many seconds remain."""

    seconds: int


@frozen
class CancelTime:
    """NOT ( TME ): takes back one such request, or all."""

    seconds: int | None = None


@frozen
class SendPress:
    """SND: sends press, in a given turn only if one is given.

    The number is the id that the old Mapper gives a message: the answer quotes it, nobody else
    sees it.
    """

    recipients: tuple[Power, ...]
    press: Press
    turn: Turn | None = None
    number: int | None = None


@frozen
class AskGames:
    """LST: asks for a list of the games, or about one of them (an addition of Parlance)."""

    game: str | None = None


@frozen
class Ping:
    """PNG: asks for a sign of life (an addition of Parlance)."""


# --- from servers ---------------------------------------------------------------------------------


@frozen
class Yes:
    """YES: the client's message is accepted."""

    message: "ClientMessage"


@frozen
class Rej:
    """REJ: the client's message is refused."""

    message: "ClientMessage"


@frozen
class MapName:
    """MAP: the name of the map."""

    name: str


@frozen
class HomeCenters:
    """Centers with the powers that may build there: none, one, or several."""

    powers: tuple[Power, ...]
    centers: tuple[Province, ...] = ()


@frozen
class Borders:
    """Where a unit of a kind, for fleets perhaps on a coast, can go from a province."""

    kind: UnitKind
    coast: Coast | None
    destinations: tuple[Location, ...]


@frozen
class ProvinceBorders:
    """A province and the ways out of it."""

    province: Province
    borders: tuple[Borders, ...]


@frozen
class MapDefinition:
    """MDF: powers, centers by home, other provinces, and borders."""

    powers: tuple[Power, ...]
    homes: tuple[HomeCenters, ...]
    other_provinces: tuple[Province, ...]
    borders: tuple[ProvinceBorders, ...]


@frozen
class VariantOption:
    """One option of HLO, by its DAIDE word: LVL, MTL, RTL, BTL, DSD, AOA, PDA, NPR, NPB, PTL."""

    word: str
    value: int | None = None


@frozen
class Hello:
    """HLO: the game starts; no power for an observer."""

    power: Power | None
    passcode: int
    options: tuple[VariantOption, ...]

    @property
    def level(self) -> int:
        """The press level of the game."""
        return self.option("LVL") or 0

    def option(self, word: str) -> int | None:
        """Return the value of an option, or None if it is absent or has no value."""
        return next((option.value for option in self.options if option.word == word), None)

    def has(self, word: str) -> bool:
        """Whether an option is set."""
        return any(option.word == word for option in self.options)


@frozen
class OwnedCenters:
    """Centers of one owner; no owner means neutral."""

    owner: Power | None
    centers: tuple[Province, ...] = ()


@frozen
class Ownership:
    """SCO: who owns which center."""

    holdings: tuple[OwnedCenters, ...]


@frozen
class Now:
    """NOW: the turn to be ordered next, and all units, dislodged ones with their retreats."""

    turn: Turn
    units: tuple[Unit | DislodgedUnit, ...]


@frozen
class OrderAnswer:
    """THX: the note on one submitted order."""

    order: Order
    note: OrderNote


@frozen
class Missing:
    """MIS: what is not ordered yet; `adjustments` counts removals, builds if negative."""

    units: tuple[Unit | DislodgedUnit, ...] = ()
    adjustments: int | None = None


@frozen
class OrderOutcome:
    """ORD: what came of an order; a note instead of a result only where AOA is set."""

    turn: Turn
    order: Order
    result: OrderResult | OrderNote | None
    dislodged: bool = False


@frozen
class TimeLeft:
    """TME: the seconds until the deadline."""

    seconds: int


@frozen
class TimerStopped:
    """NOT ( TME ): the deadline timer stands still with that many seconds left."""

    seconds: int


@frozen
class CivilDisorder:
    """CCD: a power is in civil disorder; Parlance adds the turn or the press it could not get."""

    power: Power
    turn: Turn | None = None
    undelivered: SendPress | None = None


@frozen
class BackInOrder:
    """NOT ( CCD ): the power is back."""

    power: Power


@frozen
class Eliminated:
    """OUT: press cannot reach an eliminated power; Parlance adds the press."""

    power: Power
    undelivered: SendPress | None = None


@frozen
class PressReceived:
    """FRM: press from a power."""

    sender: Power
    recipients: tuple[Power, ...]
    press: Press


@frozen
class SaveGame:
    """SVE: the client is to save its state under that name."""

    game: str


@frozen
class LoadGame:
    """LOD: the client is to restore its state and rejoin."""

    game: str


@frozen
class TurnOff:
    """OFF: the client must leave without an answer."""


@frozen
class SoloDeclared:
    """SLO: the power has won."""

    power: Power


@frozen
class DrawDeclared:
    """DRW: the game ended in a draw, of the listed powers where partial draws are allowed."""

    powers: tuple[Power, ...] = ()


@frozen
class PlayerSummary:
    """One power in the summary; `eliminated` is the year in which it lost its last center."""

    power: Power
    name: str
    version: str
    centers: int
    eliminated: int | None = None


@frozen
class Summary:
    """SMR: who played and what they had at the end."""

    turn: Turn
    players: tuple[PlayerSummary, ...]


class GameStatus(Enum):
    """What a game in a list is open to, or what holds it up."""

    FORMING = "NME"
    PLAYED = "OBS"
    VACANT = "IAM"
    PAUSED = "TME"
    HELD_UP = "DSD"
    WON = "SLO"
    DRAWN = "DRW"
    CLOSED = "OFF"


@frozen
class GameListed:
    """LST: one of the server's games (an addition of Parlance)."""

    name: str
    players_needed: int
    status: GameStatus
    variant: str
    options: tuple[VariantOption, ...]


# --- from either side -----------------------------------------------------------------------------


@frozen
class Admin:
    """ADM: a text to everybody, not for negotiation."""

    name: str
    text: str


@frozen
class SelectGame:
    """SEL: chooses a game, or asks for the one that is chosen (an addition of Parlance).

    From a server: the game in which the client is.
    """

    game: str | None = None


@frozen
class AcceptMap:
    """YES ( MAP ): the client is ready to play on this map."""

    name: str


@frozen
class RefuseMap:
    """REJ ( MAP ): the client does not know this map."""

    name: str


@frozen
class Saved:
    """YES ( SVE ) or REJ ( SVE ): whether the client saved its state."""

    game: str
    done: bool


@frozen
class Loaded:
    """YES ( LOD ) or REJ ( LOD ): whether the client restored its state."""

    game: str
    done: bool


@frozen
class Huh:
    """HUH: a message with a syntax error, ERR before the first token that is wrong."""

    tokens: Tokens


@frozen
class Prn:
    """PRN: a message whose brackets do not match."""

    tokens: Tokens


ClientMessage: TypeAlias = (
    Name
    | Observe
    | IAm
    | AskMap
    | AskMapDefinition
    | AskHello
    | AskNow
    | AskOwnership
    | AskOrders
    | AskHistory
    | AskMissing
    | AskTime
    | AskSummary
    | SubmitOrders
    | CancelOrders
    | Go
    | CancelGo
    | RequestDraw
    | CancelDraw
    | RequestTime
    | CancelTime
    | SendPress
    | Admin
    | AcceptMap
    | RefuseMap
    | Saved
    | Loaded
    | AskGames
    | SelectGame
    | Ping
    | Huh
    | Prn
)
ServerMessage: TypeAlias = (
    Yes
    | Rej
    | MapName
    | MapDefinition
    | Hello
    | Ownership
    | Now
    | OrderAnswer
    | Missing
    | OrderOutcome
    | TimeLeft
    | TimerStopped
    | CivilDisorder
    | BackInOrder
    | Eliminated
    | PressReceived
    | SaveGame
    | LoadGame
    | TurnOff
    | SoloDeclared
    | DrawDeclared
    | Summary
    | GameListed
    | SelectGame
    | Admin
    | Huh
    | Prn
)
DaideMessage: TypeAlias = ClientMessage | ServerMessage

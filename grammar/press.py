"""What powers tell each other: press messages, replies, and the arrangements they talk about.

Each class is one production of the press grammar; the word of the language stands in the first
line of its docstring. A message opens a topic, a reply answers one by quoting it whole.
"""

from typing import TypeAlias

from attrs import frozen

from grammar.tokens import Tokens
from rules.orders import Order, Unit
from rules.places import Power, Province
from rules.turns import Turn

# --- arrangements ---------------------------------------------------------------------------------


@frozen
class Peace:
    """PCE, level 10: peace between the powers."""

    powers: tuple[Power, ...]


@frozen
class Alliance:
    """ALY ... VSS, level 10: an alliance against others."""

    allies: tuple[Power, ...]
    enemies: tuple[Power, ...]


@frozen
class Draw:
    """DRW, level 10: a draw; among the listed powers only where partial draws are allowed."""

    powers: tuple[Power, ...] = ()


@frozen
class Solo:
    """SLO, level 10: a solo for the power."""

    power: Power


@frozen
class Not:
    """NOT, level 10: the opposite of an arrangement, or that the answer to a query is no."""

    about: "Arrangement | Query"


@frozen
class NoArrangement:
    """NAR, level 10: nothing is agreed about it, either way is free."""

    about: "Arrangement | Query"


@frozen
class GiveOrder:
    """XDO, level 20: the order is to be given at the next turn that takes it."""

    order: Order


@frozen
class Demilitarize:
    """DMZ, level 20: these powers keep out of these provinces."""

    powers: tuple[Power, ...]
    provinces: tuple[Province, ...]


@frozen
class AllOf:
    """AND, level 30: every part."""

    parts: tuple["Arrangement", ...]


@frozen
class AnyOf:
    """ORR, level 30: one or more of the parts."""

    parts: tuple["Arrangement", ...]


@frozen
class CenterShare:
    """One part of a division of centers; no owner means that they stay neutral."""

    owner: Power | None
    centers: tuple[Province, ...]


@frozen
class DivideCenters:
    """SCD, level 40: who is to have which centers in the long run."""

    shares: tuple[CenterShare, ...]


@frozen
class AnyUnit:
    """UNT, level 40: an army or fleet of the power in the province, no matter which."""

    power: Power
    province: Province


@frozen
class Occupy:
    """OCC, level 40: which units are to stand where in the long run."""

    placements: tuple[Unit | AnyUnit, ...]


@frozen
class Choose:
    """CHO, level 50: at least `minimum` and at most `maximum` of the parts."""

    minimum: int
    maximum: int
    parts: tuple["Arrangement", ...]


@frozen
class During:
    """FOR, level 90: the arrangement holds in that turn, or from `first` to `last`."""

    first: Turn
    last: Turn | None
    arrangement: "Arrangement"


@frozen
class OweFavor:
    """XOY, level 110: the debtor owes the creditor a favour."""

    debtor: Power
    creditor: Power


@frozen
class ControlUnits:
    """YDO, level 110: the power decides the orders of the units; their owner submits them."""

    power: Power
    units: tuple[Unit, ...]


@frozen
class SayTo:
    """SND in press, level 120: the sender is to send this press to the recipients."""

    sender: Power
    recipients: tuple[Power, ...]
    press: "Press"


@frozen
class ForwardPress:
    """FWD, level 120: what the senders tell `receiver` is passed on to `reader`."""

    senders: tuple[Power, ...]
    receiver: Power
    reader: Power


@frozen
class CopyPress:
    """BCC, level 120: what `sender` tells the recipients is copied to `reader`."""

    sender: Power
    recipients: tuple[Power, ...]
    reader: Power


Arrangement: TypeAlias = (
    Peace
    | Alliance
    | Draw
    | Solo
    | Not
    | NoArrangement
    | GiveOrder
    | Demilitarize
    | AllOf
    | AnyOf
    | DivideCenters
    | Occupy
    | Choose
    | During
    | OweFavor
    | ControlUnits
    | SayTo
    | ForwardPress
    | CopyPress
)

# --- messages -------------------------------------------------------------------------------------


@frozen
class Propose:
    """PRP, level 10: proposes an arrangement."""

    arrangement: Arrangement


@frozen
class StateFact:
    """FCT, level 10: states something; from level 60 also the answer to a query."""

    about: "Arrangement | Query"


@frozen
class Cancel:
    """CCL, level 10: takes back one's own proposal or acceptance before it is agreed."""

    press: "Press"


@frozen
class Understand:
    """TRY, level 10: the words of press that the sender understands."""

    words: tuple[str, ...]


@frozen
class Insist:
    """INS, level 60: demands an arrangement."""

    arrangement: Arrangement


@frozen
class Query:
    """QRY, level 60: asks whether an arrangement is true."""

    arrangement: Arrangement


@frozen
class Suggest:
    """SUG, level 60: an arrangement would be in our interest."""

    arrangement: Arrangement


@frozen
class Think:
    """THK, level 60: believes something; also the answer to a query."""

    about: "Arrangement | Query"


@frozen
class AskOrder:
    """WHT, level 70: asks what the unit should be ordered to do."""

    unit: Unit


@frozen
class AskAttack:
    """HOW, level 70: asks how the province or the power should be attacked."""

    target: Province | Power


@frozen
class DemandExplanation:
    """EXP, level 80: explain the orders of that turn in the light of what was said."""

    turn: Turn
    press: "Press"


@frozen
class IfThen:
    """IFF ... THN ... ELS, level 100: press that depends on an arrangement."""

    condition: Arrangement
    then: "Press"
    otherwise: "Press | None" = None


@frozen
class Forwarded:
    """FRM in press, level 120: passes on press that was sent or received."""

    sender: Power
    recipients: tuple[Power, ...]
    press: "Press"


@frozen
class FreeText:
    """A string as press, level 8000."""

    text: str


# --- replies --------------------------------------------------------------------------------------


@frozen
class Accept:
    """YES in press, level 10: accepts."""

    press: "Press"


@frozen
class Refuse:
    """REJ in press, level 10: refuses."""

    press: "Press"


@frozen
class Decline:
    """BWX, level 10: none of your business."""

    press: "Press"


@frozen
class NotUnderstood:
    """HUH in press, level 10: quotes tokens with ERR before the first one not understood."""

    tokens: Tokens


@frozen
class DontKnow:
    """IDK, level 60: does not know the answer."""

    press: "Press"


@frozen
class Sorry:
    """SRY, level 80: apologises for what is to be explained."""

    demand: DemandExplanation


@frozen
class Why:
    """WHY, level 130: asks for the reason of what was said."""

    press: "Think | StateFact | Suggest | Propose | Insist"


@frozen
class PositionExplains:
    """POB, level 130: the position on the board is the reason."""

    why: Why


Message: TypeAlias = (
    Propose
    | StateFact
    | Cancel
    | Understand
    | Insist
    | Query
    | Suggest
    | Think
    | AskOrder
    | AskAttack
    | DemandExplanation
    | IfThen
    | Forwarded
    | FreeText
)
Reply: TypeAlias = (
    Accept | Refuse | Decline | NotUnderstood | DontKnow | Sorry | Why | PositionExplains
)
Press: TypeAlias = Message | Reply

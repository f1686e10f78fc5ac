"""A growing list of tokens, and how the parts that orders and press share are appended to it."""

from collections.abc import Iterable, Sequence

from grammar.messages import VariantOption
from grammar.representation import Representation
from grammar.tokens import Token, Word, integer_token, text_tokens
from rules import orders as o
from rules.orders import Order, Unit, UnitKind
from rules.places import Coast, Location, Power, Province
from rules.position import DislodgedUnit
from rules.turns import Season, Turn


class UnknownNameError(ValueError):
    """A power or province that this game's representation does not have."""


class Writer:
    """Appends values as tokens; the names are those of one game."""

    def __init__(self, names: Representation) -> None:
        self.tokens: list[Token] = []
        self._powers = names.power_tokens
        self._provinces = names.province_tokens
        self._units = names.unit_tokens

    def words(self, *tokens: Token) -> None:
        """Append words as they are."""
        self.tokens.extend(tokens)

    def options(self, options: Iterable[VariantOption]) -> None:
        """Append the options of a game in brackets."""
        self.tokens.append(BRA)
        for option in options:
            self.tokens += (BRA, int(Word[option.word]))
            if option.value is not None:
                self.number(option.value)
            self.tokens.append(KET)
        self.tokens.append(KET)

    def number(self, number: int) -> None:
        """Append a number."""
        self.tokens.append(integer_token(number))

    def text(self, text: str) -> None:
        """Append a string in brackets."""
        self.tokens += (BRA, *text_tokens(text), KET)

    def power(self, power: Power) -> None:
        """Append a power."""
        try:
            self.tokens.append(self._powers[power.name])
        except KeyError:
            raise UnknownNameError(f"no such power in this game: {power.name!r}") from None

    def owner(self, power: Power | None) -> None:
        """Append a power, or UNO for nobody."""
        if power is None:
            self.tokens.append(UNO)
        else:
            self.power(power)

    def province(self, province: Province) -> None:
        """Append a province."""
        try:
            self.tokens.append(self._provinces[province.name])
        except KeyError:
            # An order for an unknown province is quoted with the number that it came with.
            if not province.name.startswith("0x"):
                raise UnknownNameError(
                    f"no such province in this game: {province.name!r}"
                ) from None
            self.tokens.append(int(province.name, 16))

    def location(self, location: Location) -> None:
        """Append a province, in brackets with its coast if there is one."""
        if location.coast is None:
            self.province(location.province)
        else:
            self.tokens.append(BRA)
            self.province(location.province)
            self.tokens += (COASTS[location.coast], KET)

    def one_power(self, power: Power) -> None:
        """Append a power in brackets."""
        self.tokens.append(BRA)
        self.power(power)
        self.tokens.append(KET)

    def powers(self, powers: Iterable[Power]) -> None:
        """Append a bracketed list of powers."""
        self.tokens.append(BRA)
        for power in powers:
            self.power(power)
        self.tokens.append(KET)

    def provinces(self, provinces: Iterable[Province]) -> None:
        """Append a bracketed list of provinces."""
        self.tokens.append(BRA)
        for province in provinces:
            self.province(province)
        self.tokens.append(KET)

    def turn(self, turn: Turn) -> None:
        """Append a turn in brackets."""
        self.tokens += (BRA, SEASONS[turn.season], integer_token(turn.year), KET)

    def unit(self, unit: Unit) -> None:
        """Append a unit in brackets."""
        known = self._units.get(unit)
        if known is None:
            start = len(self.tokens)
            self.tokens.append(BRA)
            self._unit(unit)
            self.tokens.append(KET)
            self._keep(unit, start)
        else:
            self.tokens += known

    def _keep(self, unit: Unit, start: int) -> None:
        """Keep how a unit is written; provinces that the map has not are too many for that."""
        if unit.location.province.name in self._provinces:
            if len(self._units) >= MOST_UNITS:
                self._units.clear()
            self._units[unit] = tuple(self.tokens[start:])

    def _unit(self, unit: Unit) -> None:
        self.power(unit.power)
        self.tokens.append(AMY if unit.kind is UnitKind.ARMY else FLT)
        self.location(unit.location)

    def standing(self, units: Sequence[Unit | DislodgedUnit]) -> None:
        """Append units, each in brackets, dislodged ones with their retreats."""
        for unit in units:
            if isinstance(unit, Unit):
                self.unit(unit)
                continue
            self.tokens.append(BRA)
            self._unit(unit.unit)
            self.tokens += (MRT, BRA)
            for location in unit.retreats:
                self.location(location)
            self.tokens += (KET, KET)

    def ordered(self, order: Order) -> None:
        """Append an order in brackets."""
        self.tokens.append(BRA)
        self.order(order)
        self.tokens.append(KET)

    def order(self, order: Order) -> None:
        """Append an order."""
        if isinstance(order, o.Waive):
            self.power(order.power)
            self.tokens.append(WVE)
            return
        self.unit(order.unit)
        match order:
            case o.Move(destination=destination):
                self.tokens.append(MTO)
                self.location(destination)
            case o.SupportHold(supported=supported):
                self.tokens.append(SUP)
                self.unit(supported)
            case o.SupportMove(supported=supported):
                self.tokens.append(SUP)
                self.unit(supported)
                self.tokens.append(MTO)
                self.province(order.destination)
            case o.Convoy():
                self.tokens.append(CVY)
                self.unit(order.convoyed)
                self.tokens.append(CTO)
                self.province(order.destination)
            case o.MoveByConvoy():
                self.tokens.append(CTO)
                self.province(order.destination)
                self.tokens.append(VIA)
                self.provinces(order.via)
            case o.Retreat():
                self.tokens.append(RTO)
                self.location(order.destination)
            case _:
                self.tokens.append(_ONE_WORD_ORDERS[type(order)])


MOST_UNITS = 2_000
"""How many units are kept as they are written; the largest maps have hundreds."""
# Plain numbers: a member of an enumeration would travel into every message.
BRA, KET, UNO, MRT = (int(word) for word in (Word.BRA, Word.KET, Word.UNO, Word.MRT))
AMY, FLT = int(Word.AMY), int(Word.FLT)
HLD, MTO, SUP, CVY, CTO, VIA, RTO, DSB, BLD, REM, WVE = (
    int(Word[name])
    for name in ("HLD", "MTO", "SUP", "CVY", "CTO", "VIA", "RTO", "DSB", "BLD", "REM", "WVE")
)
COASTS = {coast: int(Word[coast.value]) for coast in Coast}
SEASONS = {season: int(Word[season.value]) for season in Season}
_ONE_WORD_ORDERS: dict[type, Token] = {
    o.Hold: HLD,
    o.Disband: DSB,
    o.Build: BLD,
    o.Remove: REM,
}

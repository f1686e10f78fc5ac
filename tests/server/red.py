"""R.E.D.'s check: replay every ORD on the last position and compare with the next NOW.

The bot R.E.D. stops with "found wrong unit" when the results that a server reports do not explain
the position that it sends. So does this, for all that one client hears in a game.
"""

from collections.abc import Callable
from typing import Any

from grammar.messages import Now, OrderOutcome, OwnedCenters, Ownership, ServerMessage
from grammar.parse import Garbled, Unbalanced, reader_for
from grammar.representation import Representation
from grammar.tokens import Tokens
from rules import orders as o
from rules.orders import OrderResult, Unit
from rules.places import Location, Power, Province
from rules.position import DislodgedUnit
from rules.turns import Phase, Season, Turn

SUCCEEDED = OrderResult.SUCCEEDED


class FoundWrongUnitError(AssertionError):
    """The results that were told do not lead to the position that was told."""


class Replay:
    """Listens to a server and checks that every position follows from the results."""

    def __init__(self) -> None:
        self.now: Now | None = None
        self.owners: dict[Province, Power] | None = None
        self.outcomes: list[OrderOutcome] = []
        self.positions = 0
        self.has_ownership = False

    def hear_tokens(self, tokens: Tokens, names: Representation) -> None:
        """Hear a message as it comes over the wire."""
        message = reader_for(8000, names).server(tokens)
        if isinstance(message, Garbled | Unbalanced):
            raise FoundWrongUnitError(f"cannot read {message}")
        self.hear(message)

    def hear(self, message: ServerMessage) -> None:
        """Hear a message of the server."""
        match message:
            case OrderOutcome():
                self._expect(self.now is not None and message.turn == self.now.turn, message)
                self.outcomes.append(message)
            case Ownership():
                self._check_ownership(message)
            case Now():
                self._check_position(message)
            case _:
                pass

    def _expect(self, is_right: bool, what: object) -> None:
        if not is_right:
            raise FoundWrongUnitError(f"found wrong unit: {what} after {self.now}")

    # Positions.

    def _check_position(self, now: Now) -> None:
        if self.now is not None and (self.outcomes or now.turn != self.now.turn):
            self._check_orders()
            standing, dislodged = self._replayed()
            told = [each for each in now.units if isinstance(each, Unit)]
            out = [each.unit for each in now.units if isinstance(each, DislodgedUnit)]
            self._expect(len(set(told)) == len(told), told)
            self._expect(set(told) == standing, set(told) ^ standing)
            self._expect(set(out) == dislodged, set(out) ^ dislodged)
            self._expect(bool(out) == (now.turn.phase is Phase.RETREAT), now.turn)
            self._check_turn(self.now.turn, now.turn, dislodged=bool(dislodged))
        self.now, self.outcomes, self.has_ownership = now, [], False
        self.positions += 1

    def _replayed(self) -> tuple[set[Unit], set[Unit]]:
        """Return the units that stand and those that are dislodged after the results."""
        assert self.now is not None
        standing = {each for each in self.now.units if isinstance(each, Unit)}
        dislodged = set()
        for outcome in self.outcomes:
            order = outcome.order
            if isinstance(order, o.Waive):
                continue
            _LEAVES.get(type(order), _stay)(standing, order, outcome)
            if outcome.dislodged:
                standing.discard(order.unit)
                dislodged.add(order.unit)
        for outcome in self.outcomes:
            arrived = _arrival(outcome)
            if arrived is not None:
                self._expect(
                    all(each.location.province != arrived.location.province for each in standing),
                    arrived,
                )
                standing.add(arrived)
        return standing, dislodged

    def _check_orders(self) -> None:
        """Every unit that owed an order has exactly one result."""
        assert self.now is not None
        phase = self.now.turn.phase
        reported = [
            each.order.unit for each in self.outcomes if not isinstance(each.order, o.Waive)
        ]
        self._expect(len(set(reported)) == len(reported), reported)
        if phase is Phase.MOVEMENT:
            due = {each for each in self.now.units if isinstance(each, Unit)}
            self._expect(set(reported) == due, due ^ set(reported))
        elif phase is Phase.RETREAT:
            out = {each.unit: each for each in self.now.units if isinstance(each, DislodgedUnit)}
            self._expect(set(reported) == set(out), out)
            for outcome in self.outcomes:
                order = outcome.order
                if isinstance(order, o.Retreat) and isinstance(outcome.result, OrderResult):
                    self._expect(order.destination in out[order.unit].retreats, outcome)

    def _check_turn(self, last: Turn, now: Turn, *, dislodged: bool) -> None:
        """A year runs in its order, with ownership told when the fall is complete."""
        seasons = list(Season)
        steps = seasons.index(now.season) - seasons.index(last.season)
        self._expect(now.year == last.year + (steps < 0), now)
        is_complete = last.season in (Season.FALL, Season.AUTUMN) and not dislodged
        self._expect(self.has_ownership == is_complete, f"SCO before {now}")

    # Ownership.

    def _check_ownership(self, ownership: Ownership) -> None:
        owners = _owners(ownership.holdings)
        if self.outcomes and self.owners is not None:
            standing, _ = self._replayed()
            expected = dict(self.owners)
            for unit in standing:
                if unit.location.province in expected:
                    expected[unit.location.province] = unit.power
            self._expect(owners == expected, ownership)
            self.has_ownership = True
        self.owners = owners


def _owners(holdings: tuple[OwnedCenters, ...]) -> dict[Province, Any]:
    return {center: holding.owner for holding in holdings for center in holding.centers}


def _stay(_: set[Unit], __: Any, ___: OrderOutcome) -> None:
    pass


def _go(standing: set[Unit], order: Any, outcome: OrderOutcome) -> None:
    if outcome.result is SUCCEEDED:
        standing.discard(order.unit)


_LEAVES: dict[type, Callable[[set[Unit], Any, OrderOutcome], None]] = {
    o.Move: _go,
    o.MoveByConvoy: _go,
    o.Remove: _go,
}


def _arrival(outcome: OrderOutcome) -> Unit | None:
    """Return the unit that stands somewhere new because of an order."""
    if outcome.result is not SUCCEEDED:
        return None
    match outcome.order:
        case o.Move(unit=unit, destination=place) | o.Retreat(unit=unit, destination=place):
            return Unit(unit.power, unit.kind, place)
        case o.MoveByConvoy(unit=unit, destination=province):
            return Unit(unit.power, unit.kind, Location(province))
        case o.Build(unit=unit):
            return unit
    return None

"""A second resolver for movement turns: slow, small, and close to the text of the rules.

It shares nothing with the engine but the value types. Instead of deciding from partial knowledge
it guesses: every choice of which convoys arrive, and for each of them every choice of which moves
succeed. A choice of moves stands if the rules, applied to it, give back the very same choice.
What is left of circles and paradoxes is then settled as the rules say.

Orders are taken to be legal, one for every unit.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from attrs import define, field, frozen

from rules.board import Board
from rules.orders import (
    Convoy,
    Hold,
    Move,
    MoveByConvoy,
    MovementOrder,
    OrderResult,
    SupportHold,
    SupportMove,
    Unit,
)
from rules.places import Location, Province

Going = Move | MoveByConvoy


@frozen
class Verdict:
    """What became of a turn; a dislodged unit that only held or convoyed has no result."""

    results: Mapping[Unit, OrderResult | None]
    dislodged: Mapping[Unit, tuple[Province, bool]]
    """Where the attacker came from, and whether by convoy."""
    contested: frozenset[Province]
    retreats: Mapping[Unit, frozenset[Location]]


def resolve(board: Board, orders: Iterable[MovementOrder]) -> Verdict:
    """Adjudicate a movement turn."""
    return Turn(board, {order.unit: order for order in orders}).verdict()


@define
class Turn:
    """The orders of one turn, by unit."""

    board: Board
    orders: dict[Unit, MovementOrder]
    moves: dict[Unit, Going] = field(init=False)
    standing: dict[Province, Unit] = field(init=False)
    broken_by_rule: set[Unit] = field(init=False, factory=set)

    def __attrs_post_init__(self) -> None:
        self.moves = {
            unit: order
            for unit, order in self.orders.items()
            if isinstance(order, Move | MoveByConvoy)
        }
        self.standing = {unit.location.province: unit for unit in self.orders}

    # What matches what.

    def goal(self, unit: Unit) -> Province:
        """Return the province to which the unit is ordered to go."""
        order = self.moves[unit]
        return order.destination.province if isinstance(order, Move) else order.destination

    def is_matched(self, order: MovementOrder) -> bool:
        """Whether the unit to be helped is ordered to do what it is helped with."""
        match order:
            case SupportHold():
                return order.supported not in self.moves
            case SupportMove():
                mover = order.supported
                return mover in self.moves and self.goal(mover) == order.destination
            case Convoy():
                given = self.orders[order.convoyed]
                return isinstance(given, MoveByConvoy) and given.destination == order.destination
        return True

    def crew(self, order: MoveByConvoy) -> list[Unit] | None:
        """Return the fleets of the route, or None if one of them does not convoy this army."""
        fleets = [self.standing[sea] for sea in order.via if sea in self.standing]
        for fleet in fleets:
            convoy = self.orders[fleet]
            if not (isinstance(convoy, Convoy) and convoy.convoyed == order.unit):
                return None
            if not self.is_matched(convoy):
                return None
        return fleets if len(fleets) == len(order.via) else None

    # Convoys: which arrive?

    def verdict(self) -> Verdict:
        """Settle the convoys, then the moves."""
        arriving = self.settled_convoys()
        return self.report(self.outcome(arriving))

    def settled_convoys(self) -> dict[Unit, bool]:
        """Find which convoys arrive; those that cannot be decided do not (Szykman)."""
        known: dict[Unit, bool] = {}
        routed = []
        for unit, order in self.moves.items():
            if isinstance(order, MoveByConvoy):
                if self.crew(order) is None:
                    known[unit] = False
                else:
                    routed.append(unit)
        while open_units := [unit for unit in routed if unit not in known]:
            table = {
                guess: self.arrivals(known, dict(zip(open_units, guess, strict=True)), open_units)
                for guess in product((False, True), repeat=len(open_units))
            }
            certain = {
                unit: next(iter(values))
                for index, unit in enumerate(open_units)
                if len(values := {row[index] for row in table.values()}) == 1
            }
            if not certain:
                certain = dict.fromkeys(paradox_core(open_units, table), False)
                self.broken_by_rule |= certain.keys()
            known |= certain
        return known

    def arrivals(
        self, known: Mapping[Unit, bool], guess: Mapping[Unit, bool], asked: list[Unit]
    ) -> tuple[bool, ...]:
        """Say which convoys would be whole after a turn in which those guessed arrive."""
        outcome = self.outcome({**known, **guess})
        return tuple(
            not any(outcome.is_dislodged(fleet) for fleet in self.crew_of(unit)) for unit in asked
        )

    def crew_of(self, unit: Unit) -> list[Unit]:
        """Return the fleets that carry the unit; none if nobody does."""
        order = self.orders[unit]
        return (self.crew(order) or []) if isinstance(order, MoveByConvoy) else []

    # Moves: which succeed?

    def outcome(self, arriving: Mapping[Unit, bool]) -> "Outcome":
        """Find the choice of successful moves that agrees with the rules.

        Only a circle of moves allows more than one; then all of them move.
        """
        agreeing = [
            outcome
            for winners in self.choices(arriving)
            if (outcome := Outcome(self, arriving, winners)).agrees()
        ]
        assert agreeing, "without convoys in doubt there is always a way"
        best = max(agreeing, key=lambda outcome: len(outcome.winners))
        assert all(outcome.winners <= best.winners for outcome in agreeing)
        return best

    def choices(self, arriving: Mapping[Unit, bool]) -> Iterator[frozenset[Unit]]:
        """Yield every choice of winners: at most one in a province, and none that is stranded."""
        rivals: dict[Province, list[Unit | None]] = {}
        for unit in self.moves:
            if arriving.get(unit, True):
                rivals.setdefault(self.goal(unit), [None]).append(unit)
        for picks in product(*rivals.values()):
            yield frozenset(unit for unit in picks if unit is not None)

    # The report.

    def report(self, outcome: "Outcome") -> Verdict:
        """Write down what an outcome means for everybody."""
        contested = frozenset(outcome.contested())
        dislodged = {
            unit: (winner.location.province, isinstance(self.orders[winner], MoveByConvoy))
            for unit in self.orders
            if outcome.is_dislodged(unit)
            and (winner := outcome.winner(unit.location.province)) is not None
        }
        return Verdict(
            results={unit: self.result(order, outcome) for unit, order in self.orders.items()},
            dislodged=dislodged,
            contested=contested,
            retreats={
                unit: frozenset(self.retreats(unit, *attack, outcome, contested))
                for unit, attack in dislodged.items()
            },
        )

    def result(self, order: MovementOrder, outcome: "Outcome") -> OrderResult | None:
        """Return the word for what came of an order."""
        is_dislodged = outcome.is_dislodged(order.unit)
        match order:
            case Hold():
                return None if is_dislodged else OrderResult.SUCCEEDED
            case Move():
                return succeeded(order.unit in outcome.winners, OrderResult.BOUNCED)
            case MoveByConvoy():
                return self.convoyed_result(order, outcome)
            case Convoy():
                return self.convoy_result(order, is_dislodged=is_dislodged)
            case SupportHold() | SupportMove() if not self.is_matched(order):
                return OrderResult.NO_SUCH_ORDER
        return succeeded(not outcome.is_cut(order), OrderResult.CUT)

    def convoyed_result(self, order: MoveByConvoy, outcome: "Outcome") -> OrderResult:
        """Return what came of a journey by sea."""
        crew = self.crew(order)
        if crew is None:
            return OrderResult.NO_SUCH_ORDER
        if any(outcome.is_dislodged(fleet) for fleet in crew):
            return OrderResult.DISRUPTED
        return succeeded(order.unit in outcome.winners, OrderResult.BOUNCED)

    def convoy_result(self, order: Convoy, *, is_dislodged: bool) -> OrderResult | None:
        """Return what came of carrying an army."""
        if not self.is_matched(order):
            return OrderResult.NO_SUCH_ORDER
        if is_dislodged:
            return None
        journey = self.orders[order.convoyed]
        assert isinstance(journey, MoveByConvoy)
        # An army that goes another way round, or cannot set out (6.G.6), does not use this fleet.
        is_used = order.unit in (self.crew(journey) or ())
        return succeeded(is_used, OrderResult.NO_SUCH_ORDER)

    def retreats(
        self,
        unit: Unit,
        origin: Province,
        by_convoy: bool,
        outcome: "Outcome",
        contested: frozenset[Province],
    ) -> Iterator[Location]:
        """Yield where a dislodged unit may go."""
        for place in self.board.destinations(unit):
            is_closed = place.province == origin and not by_convoy
            is_taken = place.province in contested or outcome.is_occupied(place.province)
            if not (is_closed or is_taken):
                yield place


@define
class Outcome:
    """One choice of arriving convoys and successful moves, and what the rules make of it."""

    turn: Turn
    arriving: Mapping[Unit, bool]
    winners: frozenset[Unit]

    def agrees(self) -> bool:
        """Whether exactly the chosen moves succeed by the rules."""
        return all((unit in self.winners) == self.succeeds(unit) for unit in self.turn.moves)

    # Who stands where.

    def winner(self, province: Province) -> Unit | None:
        """Return the unit that moves in."""
        return next((unit for unit in self.winners if self.turn.goal(unit) == province), None)

    def leaves(self, unit: Unit) -> bool:
        """Whether the unit goes away by its own order."""
        return unit in self.winners

    def is_dislodged(self, unit: Unit) -> bool:
        """Whether somebody moves in on a unit that stays."""
        return not self.leaves(unit) and self.winner(unit.location.province) is not None

    def is_occupied(self, province: Province) -> bool:
        """Whether a unit is there after the moves."""
        holder = self.turn.standing.get(province)
        return self.winner(province) is not None or (holder is not None and not self.leaves(holder))

    def arrives(self, unit: Unit) -> bool:
        """Whether the move has a path: by land always, by sea if the convoy holds."""
        return self.arriving.get(unit, True)

    # Supports.

    def is_cut(self, order: SupportHold | SupportMove) -> bool:
        """Whether the supporter is dislodged, or attacked from where it does not aim."""
        if self.is_dislodged(order.unit):
            return True
        if isinstance(order, SupportMove):
            aim = order.destination
        else:
            aim = order.supported.location.province
        return any(
            self.turn.goal(attacker) == order.unit.location.province
            and attacker.power != order.unit.power
            and attacker.location.province != aim
            and self.arrives(attacker)
            for attacker in self.turn.moves
        )

    def supporters(self, unit: Unit) -> Iterator[Unit]:
        """Yield those whose support for the unit counts."""
        for order in self.turn.orders.values():
            if not isinstance(order, SupportHold | SupportMove) or order.supported != unit:
                continue
            if self.turn.is_matched(order) and not self.is_cut(order):
                yield order.unit

    # Strengths.

    def opponent(self, unit: Unit) -> Unit | None:
        """Return the other side of a head-to-head: both walk, each to where the other is."""
        other = self.turn.standing.get(self.turn.goal(unit))
        if other is None or not isinstance(self.turn.orders[unit], Move):
            return None
        if not isinstance(self.turn.orders[other], Move):
            return None
        return other if self.turn.goal(other) == unit.location.province else None

    def full_strength(self, unit: Unit) -> int:
        """Count the unit and all who support it."""
        return 1 + sum(1 for _ in self.supporters(unit))

    def attack(self, unit: Unit) -> int:
        """Strength against whoever stands at the goal."""
        if not self.arrives(unit):
            return 0
        victim = self.turn.standing.get(self.turn.goal(unit))
        is_gone = victim is None or (self.leaves(victim) and self.opponent(unit) is None)
        if is_gone or victim is None:
            return self.full_strength(unit)
        if victim.power == unit.power:
            return 0
        return 1 + sum(helper.power != victim.power for helper in self.supporters(unit))

    def prevent(self, unit: Unit) -> int:
        """Strength in keeping others out of the goal."""
        opponent = self.opponent(unit)
        if not self.arrives(unit) or (opponent is not None and self.leaves(opponent)):
            return 0
        return self.full_strength(unit)

    def hold(self, province: Province) -> int:
        """Strength of whoever stands in the province."""
        holder = self.turn.standing.get(province)
        if holder is None or self.leaves(holder):
            return 0
        return 1 if holder in self.turn.moves else self.full_strength(holder)

    def succeeds(self, unit: Unit) -> bool:
        """Whether the move beats the one who stands there and all who want the same."""
        goal = self.turn.goal(unit)
        opponent = self.opponent(unit)
        against = [
            self.prevent(rival)
            for rival in self.turn.moves
            if rival != unit and self.turn.goal(rival) == goal
        ]
        against.append(self.hold(goal) if opponent is None else self.full_strength(opponent))
        return self.attack(unit) > max(against)

    def contested(self) -> Iterator[Province]:
        """Yield the empty provinces that somebody failed to enter and kept others from entering."""
        for unit in self.turn.moves:
            goal = self.turn.goal(unit)
            if unit not in self.winners and not self.is_occupied(goal) and self.prevent(unit) > 0:
                yield goal


def succeeded(is_success: bool, otherwise: OrderResult) -> OrderResult:
    """Choose between success and a kind of failure."""
    return OrderResult.SUCCEEDED if is_success else otherwise


def paradox_core(
    units: list[Unit], table: Mapping[tuple[bool, ...], tuple[bool, ...]]
) -> set[Unit]:
    """Return the smallest set of convoys that depend on nothing but each other."""
    influences: dict[int, set[int]] = {index: set() for index in range(len(units))}
    for guess, row in table.items():
        for index in range(len(units)):
            flipped = (*guess[:index], not guess[index], *guess[index + 1 :])
            for other, value in enumerate(table[flipped]):
                if value != row[other]:
                    influences[other].add(index)
    cores = [reachable(index, influences) for index in influences]
    return {units[index] for index in min(cores, key=lambda core: (len(core), sorted(core)))}


def reachable(start: int, edges: Mapping[int, set[int]]) -> set[int]:
    """Return everything that can be reached from the start, itself included."""
    found: set[int] = {start}
    while more := {there for here in found for there in edges[here]} - found:
        found |= more
    return found

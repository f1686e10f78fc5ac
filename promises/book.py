"""The promise book: it hears press, sees the orders, and says who kept their word.

Tell it everything that was relayed, in that order, and every turn that was played. An omniscient
observer's book covers all powers; a bot's own book what it has said and heard itself.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import define, evolve

from grammar.press import (
    Accept,
    Arrangement,
    Cancel,
    Decline,
    Insist,
    Not,
    NotUnderstood,
    Press,
    Propose,
    Refuse,
    StateFact,
)
from promises.agreeing import agreed, ended_by, is_due, promised_order
from promises.breaking import Entry, breach, by_power, entries_in
from promises.promise import Answer, Kind, Offer, Promise, Stab, Tally, Verdict, kind_of
from rules.board import Board
from rules.legality import PHASES, judge_order
from rules.orders import Order, OrderNote
from rules.outcome import survivors
from rules.places import Power
from rules.position import Position, held_provinces
from rules.turns import Turn

YEARS_LATER = 2
_LASTING = (Kind.PEACE, Kind.ALLIANCE, Kind.DMZ)
_FRIENDLY = (Kind.PEACE, Kind.ALLIANCE)


@define(eq=False)
class _Proposal:
    """A proposal that not everybody has answered; the same may be put to several, one by one."""

    sender: Power
    recipients: tuple[Power, ...]
    press: Propose | Insist
    offers: dict[Power, int]
    """The place of each recipient's offer in the list of all."""
    accepted: set[Power]


class PromiseBook:
    """All promises, offers and stabs of one game, as far as its owner knows."""

    def __init__(self, board: Board) -> None:
        self.promises: list[Promise] = []
        self.offers: list[Offer] = []
        self.stabs: list[Stab] = []
        self._board = board
        self._open: list[int] = []
        """The places of the open promises in the list of all."""
        self._proposals: list[_Proposal] = []

    # --- questions --------------------------------------------------------------------------------

    def open_promises(
        self, maker: Power | None = None, to: Power | None = None
    ) -> Iterator[Promise]:
        """Give the promises that hold now, all or those of one power or to one power."""
        for place in self._open:
            promise = self.promises[place]
            if maker in (None, promise.maker) and (to is None or to in promise.to):
                yield promise

    def at_peace(self, one: Power, other: Power) -> bool:
        """Whether two powers have agreed on peace or an alliance, and kept it."""
        return any(each.kind in _FRIENDLY for each in self.open_promises(one, other))

    def would_break(
        self, before: Position, orders: Sequence[Order]
    ) -> list[tuple[int, Promise, Order]]:
        """Return what these orders would break: the place of each promise, itself, and the order.

        Nothing is decided by it. Orders that are not given yet break nothing.
        """
        given = by_power(orders)
        broken = [
            (place, self.promises[place], order) for place, order in self._broken(before, given)
        ]
        for place in self._open:
            promise = self.promises[place]
            promised = promised_order(promise.arrangement)
            if promised is None or PHASES[type(promised)] is not before.turn.phase:
                continue
            note = judge_order(self._board, before, promised, promise.maker)
            theirs = given.get(promise.maker, ())
            instead = next((each for each in theirs if _is_for_same(each, promised)), None)
            is_kept = (instead == promised) != isinstance(promise.arrangement, Not)
            if instead is not None and note is OrderNote.MIGHT_BE_VALID and not is_kept:
                broken.append((place, promise, instead))
        return broken

    def tally(self, maker: Power, to: Power | None = None) -> Tally:
        """Count how a power has kept its word, to everybody or to one."""
        verdicts = [
            promise.verdict
            for promise in self.promises
            if promise.maker == maker and (to is None or to in promise.to)
        ]
        return Tally(verdicts.count(Verdict.KEPT), verdicts.count(Verdict.BROKEN))

    # --- press ------------------------------------------------------------------------------------

    def hear(self, turn: Turn, sender: Power, recipients: Sequence[Power], press: Press) -> None:
        """Learn what was said; each message once."""
        match press:
            case Propose(arrangement) | Insist(arrangement):
                self._note_end(turn, sender, recipients, arrangement)
                self._note_proposal(turn, sender, recipients, press)
            case StateFact(Not() as arrangement):
                self._note_end(turn, sender, recipients, arrangement)
            case Accept(Propose() | Insist() as proposal):
                self._note_yes(turn, sender, recipients, proposal)
            case Refuse(Propose() | Insist() as proposal):
                self._note_no(sender, recipients, proposal, Answer.REJ)
            case Decline(Propose() | Insist() as proposal):
                self._note_no(sender, recipients, proposal, Answer.BWX)
            case NotUnderstood():
                self._note_huh(sender, recipients)
            case Cancel(Propose() | Insist() as proposal):
                self._take_back(sender, recipients, proposal)
            case Cancel(Accept(Propose() | Insist() as proposal)):
                for waiting in self._put_to(sender, recipients, proposal):
                    waiting.accepted.discard(sender)

    def _note_proposal(
        self, turn: Turn, sender: Power, recipients: Sequence[Power], proposal: Propose | Insist
    ) -> None:
        kind = kind_of(proposal.arrangement)
        offers = {}
        for power in recipients:
            offers[power] = len(self.offers)
            self.offers.append(Offer(turn=turn, sender=sender, to=power, kind=kind))
        # What is proposed once more must be agreed once more.
        self._proposals = [
            each
            for each in self._proposals
            if (each.sender, each.press, each.recipients) != (sender, proposal, tuple(recipients))
        ]
        self._proposals.append(_Proposal(sender, tuple(recipients), proposal, offers, set()))

    def _put_to(
        self, answering: Power, proposers: Sequence[Power], press: Propose | Insist
    ) -> list[_Proposal]:
        """Return the proposals of this kind that somebody has been asked and may answer."""
        return [
            each
            for each in self._proposals
            if each.press == press and each.sender in proposers and answering in each.recipients
        ]

    def _note_yes(
        self, turn: Turn, sender: Power, recipients: Sequence[Power], proposal: Propose | Insist
    ) -> None:
        for waiting in self._put_to(sender, recipients, proposal):
            self._answer(waiting.offers[sender], Answer.YES)
            waiting.accepted.add(sender)
            if waiting.accepted.issuperset(waiting.recipients):
                self._proposals.remove(waiting)
                parties = (waiting.sender, *waiting.recipients)
                self._add(agreed(parties, proposal.arrangement, turn))

    def _note_no(
        self,
        sender: Power,
        recipients: Sequence[Power],
        proposal: Propose | Insist,
        answer: Answer,
    ) -> None:
        for waiting in self._put_to(sender, recipients, proposal):
            self._answer(waiting.offers[sender], answer)
            self._proposals.remove(waiting)

    def _note_huh(self, sender: Power, recipients: Sequence[Power]) -> None:
        """Take HUH for the answer to the oldest proposal that has none: it quotes mere tokens."""
        for waiting in self._proposals:
            place = waiting.offers.get(sender)
            if waiting.sender in recipients and place is not None:
                if self.offers[place].answer is not Answer.NONE:
                    continue
                self._answer(place, Answer.HUH)
                self._proposals.remove(waiting)
                return

    def _take_back(
        self, sender: Power, recipients: Sequence[Power], proposal: Propose | Insist
    ) -> None:
        for waiting in tuple(self._proposals):
            is_meant = (waiting.sender, waiting.press) == (sender, proposal)
            if not is_meant or set(waiting.recipients).isdisjoint(recipients):
                continue
            self._proposals.remove(waiting)
            for place in waiting.offers.values():
                if self.offers[place].answer is Answer.NONE:
                    self._answer(place, Answer.CCL)

    def _answer(self, place: int, answer: Answer) -> None:
        self.offers[place] = evolve(self.offers[place], answer=answer)

    def _add(self, promises: Iterable[Promise]) -> None:
        for promise in promises:
            if not any(_is_same(promise, other) for other in self.open_promises(promise.maker)):
                self._open.append(len(self.promises))
                self.promises.append(promise)

    def _note_end(
        self, turn: Turn, sender: Power, recipients: Sequence[Power], arrangement: Arrangement
    ) -> None:
        """End what somebody says to be over: an announced end breaks nothing."""
        for kind, over in ended_by(arrangement):
            for place in tuple(self._open):
                promise = self.promises[place]
                parties = {promise.maker, *promise.to}
                # Any peace of the two is meant, whichever way round it was proposed.
                is_meant = kind in _FRIENDLY or promise.arrangement == over
                is_theirs = sender in parties and not parties.isdisjoint(recipients)
                if promise.kind is not kind or not is_meant or not is_theirs:
                    continue
                if kind is not Kind.ORDER:
                    self._decide(place, turn, Verdict.KEPT)
                elif sender in promise.to:
                    self._decide(place, turn, Verdict.VOID)

    # --- orders -----------------------------------------------------------------------------------

    def settle(self, before: Position, orders: Sequence[Order]) -> list[Promise]:
        """See the orders that were given in a position, and return the promises they decided."""
        turn = before.turn
        self._look_back(before)
        given = by_power(orders)
        decided = [*self._end_with_the_dead(before)]
        broken = self._broken(before, given)
        for place in tuple(self._open):
            promise = self.promises[place]
            if promise.kind is Kind.ORDER:
                decided += self._settle_order(place, before, given.get(promise.maker, ()))
        for place, order in broken:
            self._note_stab(self.promises[place], before, order)
            decided.append(self._decide(place, turn, Verdict.BROKEN, order))
        decided += self._end_what_others_broke(turn, decided)
        self._forget_late_orders(before)
        return decided

    def finish(self, turn: Turn, *, drawn: bool = False) -> None:
        """Close the book at the end of a game: what still holds was kept."""
        for place in tuple(self._open):
            lasting = self.promises[place].kind in _LASTING
            is_kept = lasting or (drawn and self.promises[place].kind is Kind.DRAW)
            self._decide(place, turn, Verdict.KEPT if is_kept else Verdict.VOID)

    def _broken(
        self, before: Position, given: Mapping[Power, Sequence[Order]]
    ) -> list[tuple[int, Order]]:
        """Return the places of the lasting promises that are broken, and by which order."""
        lasting = [place for place in self._open if self.promises[place].kind in _LASTING]
        if not lasting:
            return []
        asked = self._asked_for()
        held = held_provinces(before)
        entries = {power: entries_in(orders) for power, orders in given.items()}
        broken = []
        for place in lasting:
            promise = self.promises[place]
            theirs: Sequence[Entry] = entries.get(promise.maker, ())
            if asked:
                theirs = [each for each in theirs if asked.isdisjoint(_to(promise, each.order))]
            if order := breach(promise, theirs, held):
                broken.append((place, order))
        return broken

    def _asked_for(self) -> set[tuple[Power, Order]]:
        """Return who has asked for which orders."""
        return {
            request
            for promise in self.open_promises()
            if (order := promised_order(promise.arrangement)) is not None
            for request in _to(promise, order)
        }

    def _end_with_the_dead(self, before: Position) -> Iterator[Promise]:
        alive = set(survivors(self._board, before))
        for place in tuple(self._open):
            promise = self.promises[place]
            if promise.maker not in alive or alive.isdisjoint(promise.to):
                is_order = promise.kind in (Kind.ORDER, Kind.DRAW)
                yield self._decide(place, before.turn, Verdict.VOID if is_order else Verdict.KEPT)

    def _settle_order(
        self, place: int, before: Position, given: Sequence[Order]
    ) -> Iterator[Promise]:
        promise = self.promises[place]
        order = promised_order(promise.arrangement)
        assert order is not None
        if PHASES[type(order)] is not before.turn.phase:
            return
        note = judge_order(self._board, before, order, promise.maker)
        if note is not OrderNote.MIGHT_BE_VALID:
            yield self._decide(place, before.turn, Verdict.VOID)
            return
        is_kept = (order in given) != isinstance(promise.arrangement, Not)
        instead = next((each for each in given if _is_for_same(each, order)), None)
        verdict = Verdict.KEPT if is_kept else Verdict.BROKEN
        yield self._decide(place, before.turn, verdict, None if is_kept else instead)

    def _end_what_others_broke(self, turn: Turn, decided: Sequence[Promise]) -> list[Promise]:
        """End the other half of each peace that was broken: nobody is bound to it any more."""
        ended = []
        for promise in decided:
            if promise.verdict is not Verdict.BROKEN or promise.kind not in _LASTING:
                continue
            for place in tuple(self._open):
                other = self.promises[place]
                is_half = other.maker in promise.to and promise.maker in other.to
                if is_half and other.kind in (*_FRIENDLY, promise.kind):
                    ended.append(self._decide(place, turn, Verdict.KEPT))
        return ended

    def _forget_late_orders(self, before: Position) -> None:
        """Forget proposed orders whose turn is over: they can be agreed no more."""
        phase = before.turn.phase
        self._proposals = [
            each for each in self._proposals if not is_due(each.press.arrangement, phase)
        ]

    def _decide(
        self, place: int, turn: Turn, verdict: Verdict, order: Order | None = None
    ) -> Promise:
        self._open.remove(place)
        decided = evolve(self.promises[place], ended=turn, verdict=verdict, breach=order)
        self.promises[place] = decided
        return decided

    # --- stabs ------------------------------------------------------------------------------------

    def _note_stab(self, promise: Promise, before: Position, order: Order) -> None:
        if promise.kind not in _FRIENDLY:
            return
        (victim,) = promise.to
        stab = Stab(
            turn=before.turn,
            by=promise.maker,
            victim=victim,
            order=order,
            centers=_centers(before, promise.maker),
        )
        # A peace and an alliance may be broken by the same order.
        if not any(_is_same_stab(stab, other) for other in self.stabs):
            self.stabs.append(stab)

    def _look_back(self, position: Position) -> None:
        """Note what stabs have brought, two years later."""
        for place, stab in enumerate(self.stabs):
            if stab.centers_later is None and position.turn.year >= stab.turn.year + YEARS_LATER:
                later = _centers(position, stab.by)
                self.stabs[place] = evolve(stab, centers_later=later)


def _is_for_same(order: Order, other: Order) -> bool:
    """Whether two orders of a power are for the same unit, or both for none: they waive a build."""
    return getattr(order, "unit", None) == getattr(other, "unit", None)


def _to(promise: Promise, order: Order) -> list[tuple[Power, Order]]:
    return [(power, order) for power in promise.to]


def _is_same(promise: Promise, other: Promise) -> bool:
    """Whether a promise is made already; a peace is a peace, whoever else was to be in it."""
    if promise.kind is not other.kind or promise.to != other.to:
        return False
    return promise.kind is Kind.PEACE or promise.arrangement == other.arrangement


def _is_same_stab(stab: Stab, other: Stab) -> bool:
    return (stab.turn, stab.by, stab.victim) == (other.turn, other.by, other.victim)


def _centers(position: Position, power: Power) -> int:
    return sum(owner == power for owner in position.owners.values())

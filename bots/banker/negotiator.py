"""How a banker talks: offers, answers, promises, and what it believes of the others."""

from collections.abc import Iterable, Sequence
from random import Random

from attrs import evolve

from bots.banker.books import LASTING, Banking
from bots.banker.deals import Deal, subject
from bots.banker.ledger import where_it_ends
from bots.banker.relations import buffers, provinces_of
from bots.peace_talks import PeaceTalks, others
from bots.view import Beliefs, GameView
from grammar.messages import PressReceived, SendPress
from grammar.press import (
    Accept,
    Alliance,
    AllOf,
    Arrangement,
    Cancel,
    Decline,
    Demilitarize,
    GiveOrder,
    NoArrangement,
    Not,
    Peace,
    Press,
    Propose,
    Refuse,
    StateFact,
    Understand,
)
from rules.legality import judge_order
from rules.orders import (
    Hold,
    Move,
    MovementOrder,
    Order,
    OrderNote,
    SupportHold,
    SupportMove,
    Unit,
)
from rules.places import Power, Province
from rules.turns import Phase, Season


class BankTalk(Banking):
    """What the banker says and believes."""

    words = (*PeaceTalks.words, "SLO", "NAR", "FCT", "XDO", "DMZ", "AND")

    # --- what we say ------------------------------------------------------------------------------

    def open_turn(self, view: GameView) -> Sequence[SendPress]:
        """Offer peace, alliances, zones and business, and say with whom peace is over."""
        said = list(super().open_turn(view))
        if view.phase is not Phase.MOVEMENT or not view.has_orders_due:
            return said
        said += self._give_notice(view)
        said += self._offer_zones(view)
        said += self._offer_alliances(view)
        return [*said, *self._ask_for_help(view)]

    def _give_notice(self, view: GameView) -> list[SendPress]:
        """Say to those who are friends no more that what we had agreed is over."""
        over: dict[Power, list[Arrangement]] = {}
        for promise in view.book.open_promises(view.power):
            for power in promise.to:
                if power not in self.friends | self._betrayed and promise.kind in LASTING:
                    over.setdefault(power, []).append(promise.arrangement)
        return [
            SendPress((power,), Propose(Not(each)))
            for power in others(view)
            if self._knows(power, "NOT")
            for each in dict.fromkeys(over.get(power, ()))
        ]

    def seeks_peace_with(self, view: GameView) -> Sequence[Power]:
        """Return everybody who is no friend yet and against whom we bear no grudge."""
        patience = self.policy.manners.patience
        self._wooed = [
            power
            for power in others(view)
            if power not in self.friends | self.deaf
            and not self._has_grudge(view, power)
            and view.turn.year >= self._refused.get(power, -patience) + patience
        ]
        return self._wooed

    def _offer_zones(self, view: GameView) -> list[SendPress]:
        """Propose once to each friend to keep out of what lies between the homes of us two."""
        if not self.policy.uses_zones:
            return []
        said = []
        for power in self._friends_who_know(view, "DMZ"):
            if power not in self.zones and (between := buffers(view, power)):
                # From now on, so that nothing crosses the answer.
                self.zones[power] = set(between)
                zone = Demilitarize((view.power, power), tuple(between))
                said.append(SendPress((power,), Propose(zone)))
        return said

    def _offer_alliances(self, view: GameView) -> list[SendPress]:
        """Propose to friends an alliance against a power that is too large."""
        sizes = {power: len(centers) for power, centers in view.centers.items()}
        said = []
        for enemy in others(view):
            if enemy in self.friends or enemy in self.pacts:
                continue
            friends = [
                power
                for power in self._friends_who_know(view, "ALY")
                if sizes[enemy] >= 1.3 * max(sizes[power], sizes[view.power])
            ]
            if friends:
                self.pacts[enemy] = set()
            pact = [Alliance((view.power, power), (enemy,)) for power in friends]
            said += [
                SendPress((power,), Propose(each))
                for power, each in zip(friends, pact, strict=True)
            ]
        return said

    def _ask_for_help(self, view: GameView) -> list[SendPress]:
        """Ask friends for the support that brings us most."""
        asked = {
            power
            for power in self._friends_who_know(view, "XDO")
            if self.ledger.account(power).ignored < self.policy.most_ignored
            or view.turn.season is Season.SPRING
        }
        if not asked or not self.policy.uses_orders:
            return []
        wanted = self._tactic.wanted_help(_seen_with(view, self.beliefs(view)), asked)
        chosen = self.chosen([each for each in wanted if each.gain >= self.policy.least_gain])
        for request in chosen:
            self.deals.asked[subject(request.order)] = request
            self.ledger.account(request.partner).ignored += 1
        return [SendPress((each.partner,), Propose(GiveOrder(each.order))) for each in chosen]

    # --- what we hear -----------------------------------------------------------------------------

    def on_press(self, view: GameView, received: PressReceived) -> Sequence[SendPress]:
        """Answer proposals, and learn from answers."""
        self.notice(view)
        sender = received.sender
        match received.press:
            case Understand(words):
                self._vocabulary[sender] = frozenset(words)
                if "DMZ" not in words:
                    self.zones.pop(sender, None)
            case Accept(Propose(arrangement)):
                self._note_talk(sender, arrangement)
                return self._on_yes(view, received, arrangement)
            case Refuse(Propose(arrangement)) | Decline(Propose(arrangement)):
                self._note_talk(sender, arrangement)
                self._on_no(sender, arrangement, view.turn.year)
                return ()
            case Cancel(Accept(Propose(GiveOrder(order)))) if isinstance(order, MovementOrder):
                # What we have agreed to ourselves is agreed; only its own promise is off.
                if order.unit.power == sender:
                    self.deals.taken.pop(order.unit, None)
            case StateFact(GiveOrder(order)) if self._is_credible(view, sender, order):
                self.deals.told[subject(order)] = order
        return super().on_press(view, received)

    def on_answer(self, view: GameView, sent: SendPress, *, accepted: bool) -> None:
        """Forget what the server did not pass on."""
        super().on_answer(view, sent, accepted=accepted)
        if accepted:
            return
        match sent:
            case SendPress((power,), Accept(Propose(Peace()))):
                self.friends.discard(power)
            case SendPress((power,), Accept(Propose(GiveOrder(order)))):
                self._release(power, order)
            case SendPress(_, Propose(GiveOrder(order))) if isinstance(order, MovementOrder):
                self.deals.asked.pop(order.unit, None)

    def _on_yes(
        self, view: GameView, received: PressReceived, arrangement: Arrangement
    ) -> Sequence[SendPress]:
        sender = received.sender
        match arrangement:
            case GiveOrder(order) if isinstance(order, MovementOrder):
                request = self.deals.asked.get(order.unit)
                if request is None or request.order != order or request.partner != sender:
                    return ()
                idle = self.taken(request, self._price_list(view).favour(order))
                return [
                    SendPress((subject(each).power,), Cancel(Propose(GiveOrder(each))))
                    for each in idle
                ]
            case Alliance(allies, enemies) if set(allies) == {view.power, sender}:
                # A zone holds since we proposed it; of alliances only those that we have proposed.
                self._ally(sender, [enemy for enemy in enemies if enemy in self.pacts])
        return super().on_press(view, received)

    def _on_no(self, sender: Power, arrangement: Arrangement, year: int) -> None:
        match arrangement:
            case GiveOrder(order) if isinstance(order, MovementOrder):
                self.deals.asked.pop(order.unit, None)
            case Demilitarize():
                self.zones[sender] = set()
            case Peace():
                # It has other plans.
                self.friends.discard(sender)
                self._refused[sender] = year

    def _note_talk(self, sender: Power, arrangement: Arrangement) -> None:
        """See from what it talks about that a power speaks our language."""
        if isinstance(arrangement, GiveOrder | Demilitarize):
            self.partners.add(sender)
            self.ledger.account(sender).ignored = 0

    # --- what we answer ---------------------------------------------------------------------------

    def _answer(
        self, view: GameView, sender: Power, press: Press, arrangement: Arrangement
    ) -> Accept | Refuse | Decline:
        self._note_talk(sender, arrangement)
        match arrangement:
            case GiveOrder() | Demilitarize() | Alliance() | AllOf() | Not() | NoArrangement():
                verdict = self._judge(view, sender, arrangement)
                if verdict is Accept:
                    self._commit(view, sender, arrangement)
                return verdict(press)
        answer = super()._answer(view, sender, press, arrangement)
        if isinstance(arrangement, Peace) and isinstance(answer, Accept):
            # At once: after the last round of press there is no time to learn that it was heard.
            self.make_peace(view, sender)
        return answer

    def _judge(
        self, view: GameView, sender: Power, arrangement: Arrangement
    ) -> type[Accept | Refuse | Decline]:
        """Say what we think of a proposal, without any effect."""
        match arrangement:
            case AllOf(parts):
                verdicts = {self._judge(view, sender, each) for each in parts}
                if len(verdicts) > 1 or not _is_consistent(parts):
                    return Refuse
                return verdicts.pop()
            case Not(Peace(powers)) | NoArrangement(Peace(powers)):
                return _verdict(view, powers, agreed=sender in powers)
            case Not(Demilitarize(powers)) | NoArrangement(Demilitarize(powers)):
                return _verdict(view, powers, agreed=sender in powers)
            case Not(Alliance(allies)) | NoArrangement(Alliance(allies)):
                return _verdict(view, allies, agreed=sender in allies)
            case Not(GiveOrder(order)) | NoArrangement(GiveOrder(order)):
                return self._judge_release(view, sender, order)
            case GiveOrder(order):
                return self._judge_order(view, sender, order)
            case Demilitarize(powers, provinces):
                agreed = self._accepts_zone(view, sender, powers, provinces)
                return _verdict(view, powers, agreed=agreed)
            case Alliance(allies, enemies):
                agreed = self._accepts_alliance(view, sender, allies, enemies)
                return _verdict(view, (*allies, *enemies), agreed=agreed)
            case Peace(powers):
                agreed = self.accepts_peace(view, sender, frozenset(powers))
                return _verdict(view, powers, agreed=agreed)
        return Refuse

    def _commit(self, view: GameView, sender: Power, arrangement: Arrangement) -> None:
        """Take over what we have agreed to."""
        match arrangement:
            case AllOf(parts):
                for each in parts:
                    self._commit(view, sender, each)
            case Peace():
                self.make_peace(view, sender)
            case Not(Peace()) | NoArrangement(Peace()):
                self.end_peace(view, sender)
            case Not(Demilitarize()) | NoArrangement(Demilitarize()):
                self.zones.pop(sender, None)
            case Not(Alliance(_, enemies)) | NoArrangement(Alliance(_, enemies)):
                for enemy in enemies:
                    self.pacts.get(enemy, set()).discard(sender)
            case Not(GiveOrder(order)) | NoArrangement(GiveOrder(order)):
                self._release(sender, order)
            case GiveOrder(order) if subject(order).power == view.power:
                self._promise(view, sender, order)
            case GiveOrder(order):
                self.deals.told[subject(order)] = order
            case Demilitarize(_, provinces):
                self.zones.setdefault(sender, set()).update(provinces)
            case Alliance(_, enemies):
                self._ally(sender, enemies)

    def _judge_order(
        self, view: GameView, sender: Power, order: Order
    ) -> type[Accept | Refuse | Decline]:
        if not isinstance(order, MovementOrder):
            return Refuse
        if order.unit.power == sender:
            return Accept if self._is_credible(view, sender, order) else Refuse
        if order.unit.power != view.power:
            return Decline
        return Accept if self._grants(view, sender, order) else Refuse

    def _judge_release(
        self, view: GameView, sender: Power, order: Order
    ) -> type[Accept | Refuse | Decline]:
        """Let others off, and be let off, but promise nothing by it."""
        if not isinstance(order, MovementOrder):
            return Refuse
        if order.unit.power not in (view.power, sender):
            return Decline
        deals = (self.deals.given.get(order.unit), self.deals.taken.get(order.unit))
        is_ours = any(deal and (deal.order, deal.partner) == (order, sender) for deal in deals)
        return Accept if is_ours else Refuse

    def _is_credible(self, view: GameView, sender: Power, order: Order) -> bool:
        """Whether a friend tells us of an order of its own that it can give and that is no harm."""
        if not isinstance(order, MovementOrder) or view.phase is not Phase.MOVEMENT:
            return False
        if sender not in self.friends or order.unit.power != sender:
            return False
        is_legal = judge_order(view.board, view.position, order, sender)
        harmful = where_it_ends(order) in provinces_of([view.power], view)
        return is_legal is OrderNote.MIGHT_BE_VALID and (
            not harmful or isinstance(order, SupportHold)
        )

    def _grants(self, view: GameView, sender: Power, order: MovementOrder) -> bool:
        """Whether we do a power the favour that it asks for."""
        if view.phase is not Phase.MOVEMENT or sender not in self.friends:
            return False
        note = judge_order(view.board, view.position, order, view.power)
        if note is not OrderNote.MIGHT_BE_VALID or self.deals.is_bound(order.unit, order):
            return False
        # Of two who ask each other at the same time, one has to give way.
        ranks = view.board.powers.index
        if self.deals.is_offered(order.unit) and ranks(view.power) < ranks(sender):
            return False
        if not isinstance(order, Hold | Move | SupportHold | SupportMove):
            return False
        if not self._may_end_there(view, sender, order):
            return False
        prices = self._price_list(view)
        price = prices.wish(sender, order)
        loss = max(0.0, self._tactic.loss_of(view, order))
        return self.is_worth_it(sender, price, loss * prices.usual_place(view.power))

    def _may_end_there(self, view: GameView, sender: Power, order: Order) -> bool:
        """Whether an order leaves alone our places and zones, and who is or may be a friend."""
        if isinstance(order, Hold | SupportHold):
            return True
        province = where_it_ends(order)
        barred = provinces_of([view.power, *self._wooed, *(self.friends - {sender})], view)
        return province not in barred | self._zone_provinces()

    def _promise(self, view: GameView, sender: Power, order: Order) -> None:
        unit = subject(order)
        if unit in self.deals.given:
            return
        price = self._price_list(view).wish(sender, order)
        is_firm = self.means_it(view)
        self.deals.given[unit] = Deal(order, sender, price, is_firm)
        self.deals.forget_offers_of(unit)
        self.ledger.charge(sender, price)

    def _release(self, sender: Power, order: Order) -> None:
        """Forget an order deal with a power."""
        if not isinstance(order, MovementOrder):
            return
        given = self.deals.given.get(order.unit)
        if given is not None and (given.order, given.partner) == (order, sender):
            del self.deals.given[order.unit]
            self.ledger.refund(sender, given.price)
        if order.unit.power == sender:
            self.deals.taken.pop(order.unit, None)
            self.deals.told.pop(order.unit, None)

    def _accepts_zone(
        self, view: GameView, sender: Power, powers: Iterable[Power], provinces: Iterable[Province]
    ) -> bool:
        """Whether we keep out of provinces: with friends only, and not where we are or want to."""
        members = set(powers) - {view.power}
        if sender not in members or not members <= self.friends or not self.policy.uses_zones:
            return False
        taken = {unit.location.province for unit in view.units}
        return not any(each.is_center or each in taken for each in provinces)

    def _accepts_alliance(
        self, view: GameView, sender: Power, allies: Iterable[Power], enemies: Iterable[Power]
    ) -> bool:
        """Whether we turn against powers: with friends only, and only against others."""
        members, foes = set(allies) - {view.power}, set(enemies)
        if view.power not in allies or sender not in members or not members <= self.friends:
            return False
        return not foes & {view.power, *self.friends} and foes <= set(view.survivors)

    def _ally(self, sender: Power, enemies: Iterable[Power]) -> None:
        for enemy in enemies:
            if enemy not in self.friends:
                self.pacts.setdefault(enemy, set()).add(sender)

    # --- what we believe --------------------------------------------------------------------------

    def beliefs(self, view: GameView) -> Beliefs:
        """Tell the tactic of friends, foes, deals, and what is closed to us."""
        self.notice(view)
        policy = self.policy
        attitudes = {}
        for power in others(view):
            if power in self.friends:
                is_partner = power in self.partners
                attitudes[power] = policy.partner_factor if is_partner else policy.friend_factor
            elif self.pacts.get(power):
                attitudes[power] = policy.enemy_factor
        friends = [power for power in others(view) if power in self.friends]
        closed = frozenset(provinces_of(friends, view) | self._zone_provinces())
        # Peace may have come after we were promised help for an attack.
        own = [order for order in self.deals.own.values() if where_it_ends(order) not in closed]
        believed = Beliefs(
            attitudes=attitudes,
            promised=(*self.deals.promised, *own),
            expected=self.deals.expected,
            closed=closed,
        )
        return self._with_doubtful(view, believed) if self.deals.doubtful else believed

    def _with_doubtful(self, view: GameView, believed: Beliefs) -> Beliefs:
        """Keep those promises of a cheat that do not cost too much."""
        promised = believed.promised
        plain = self._tactic.worth(_seen_with(view, believed))
        for deal in self.deals.doubtful:
            kept = evolve(believed, promised=(*promised, deal.order))
            loss = plain - self._tactic.worth(_seen_with(view, kept))
            if self.keeps(deal, loss, plain):
                promised = kept.promised
        return evolve(believed, promised=promised)

    def votes_for_draw(self, view: GameView) -> bool:
        """Leave it to the draw policy, but never while nobody is larger."""
        self.notice(view)
        own = len(view.centers[view.power])
        return own < max(map(len, view.centers.values())) and self._draws.wants_draw(view)

    def proposes_draw(self, view: GameView) -> bool:
        """Ask once a year."""
        return view.turn.season is Season.SPRING and self.votes_for_draw(view)


def _seen_with(view: GameView, beliefs: Beliefs) -> GameView:
    """Return a view with other beliefs and with chances of its own."""
    return evolve(view, beliefs=beliefs, random=Random(f"{view.turn}"))  # noqa: S311 - for play


def _verdict(
    view: GameView, powers: Iterable[Power], *, agreed: bool
) -> type[Accept | Refuse | Decline]:
    if view.power not in set(powers):
        return Decline
    return Accept if agreed else Refuse


def _is_consistent(parts: Iterable[Arrangement]) -> bool:
    """Whether no unit is given two different orders."""
    orders: dict[Unit, Order] = {}
    for part in parts:
        order = part.order if isinstance(part, GiveOrder) else None
        if isinstance(order, MovementOrder) and orders.setdefault(order.unit, order) != order:
            return False
    return True

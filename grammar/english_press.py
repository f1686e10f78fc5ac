"""Press in plain English, for people who follow a negotiation.

An arrangement is a phrase (`peace between England and France`, `that the English army in Wales
holds`), press is a clause with its speaker (`France proposes to England: ...`).
"""

from collections.abc import Sequence

from grammar import press as p
from grammar.press import Arrangement, Press
from rules.orders import Unit
from rules.phrases import (
    listed,
    order_clause,
    power_name,
    power_names,
    province_name,
    province_names,
    turn_name,
    unit_name,
)
from rules.places import Power, Province
from rules.turns import Turn


def press_clause(press: Press, speaker: str, hearers: str) -> str:
    """Say who tells whom what; `hearers` may be empty."""
    to = f" to {hearers}" if hearers else ""
    match press:
        case p.Propose(about):
            return f"{speaker} proposes{to}: {arrangement_phrase(about)}"
        case p.Insist(about):
            return f"{speaker} insists{to}: {arrangement_phrase(about)}"
        case p.Suggest(about):
            return f"{speaker} suggests{to}: {arrangement_phrase(about)}"
        case p.StateFact(about):
            return f"{speaker} states{to}: {_belief(about)}"
        case p.Think(about):
            return f"{speaker} tells {hearers or 'everybody'} what it thinks: {_belief(about)}"
        case p.FreeText(text):
            return f'{speaker} tells {hearers or "everybody"}: "{text}"'
        case p.Forwarded(sender, recipients, inner):
            said = press_clause(inner, power_name(sender), power_names(recipients))
            return f"{speaker} passes on{to}: {said}"
        case _:
            return f"{speaker} {_asks_or_tells(press, hearers or 'everybody')}"


def _asks_or_tells(press: Press, hearers: str) -> str:
    match press:
        case p.Query(about):
            return f"asks {hearers} whether it is true: {arrangement_phrase(about)}"
        case p.AskOrder(unit):
            return f"asks {hearers} what {unit_name(unit)} should do"
        case p.AskAttack(target):
            return f"asks {hearers} how to attack {_target(target)}"
        case p.DemandExplanation(turn, said):
            return (
                f"asks {hearers} to explain its orders of {turn_name(turn)}, given {_quoted(said)}"
            )
        case p.IfThen(condition, then, otherwise):
            rest = f"; otherwise {press_clause(otherwise, 'it', '')}" if otherwise else ""
            return (
                f"tells {hearers}: if there is agreement on {arrangement_phrase(condition)}, "
                f"then {press_clause(then, 'it', '')}{rest}"
            )
        case p.Why(said):
            return f"asks {hearers} for the reason of {_quoted(said)}"
        case _:
            return f"tells {hearers} that it {_reply(press)}"


def _reply(press: Press) -> str:
    """Finish `it ...` for what only answers something."""
    match press:
        case p.Accept(said):
            return f"accepts {_quoted(said)}"
        case p.Refuse(said):
            return f"refuses {_quoted(said)}"
        case p.Decline(said):
            return f"will not answer {_quoted(said)}"
        case p.Cancel(said):
            return f"takes back {_quoted(said)}"
        case p.DontKnow(said):
            return f"does not know the answer to {_quoted(said)}"
        case p.Sorry(demand):
            return f"is sorry about {_quoted(demand)}"
        case p.PositionExplains(why):
            return f"finds the reason of {_quoted(why.press)} in the position on the board"
        case p.NotUnderstood():
            return "did not understand the message"
        case p.Understand(words):
            return f"understands {listed(words)}" if words else "understands no press"
        case _:
            raise AssertionError(f"no phrase for {press!r}")


def _quoted(press: Press) -> str:
    """Name press that another press talks about."""
    match press:
        case p.Propose(about):
            return _of("the proposal", about)
        case p.Insist(about):
            return _of("the demand", about)
        case p.Suggest(about):
            return _of("the suggestion", about)
        case p.StateFact(about):
            return f"the statement: {_belief(about)}"
        case p.Think(about):
            return f"the opinion: {_belief(about)}"
        case p.Query(about):
            return f"the question whether it is true: {arrangement_phrase(about)}"
        case p.FreeText(text):
            return f'the text "{text}"'
        case p.Accept(said):
            return f"the acceptance of {_quoted(said)}"
        case p.Refuse(said):
            return f"the refusal of {_quoted(said)}"
        case p.AskOrder(unit):
            return f"the question what {unit_name(unit)} should do"
        case p.AskAttack(target):
            return f"the question how to attack {_target(target)}"
        case p.DemandExplanation(turn, said):
            return f"the demand to explain the orders of {turn_name(turn)}, given {_quoted(said)}"
        case _:
            return f'the message "{press_clause(press, "it", "")}"'


def _of(what: str, about: Arrangement) -> str:
    phrase = arrangement_phrase(about)
    return f"{what} {phrase}" if phrase.startswith("that ") else f"{what} of {phrase}"


def _belief(about: "Arrangement | p.Query") -> str:
    match about:
        case p.Query(arrangement):
            return f"it is true: {arrangement_phrase(arrangement)}"
        case p.Not(p.Query(arrangement)) | p.NoArrangement(p.Query(arrangement)):
            return f"it is not true: {arrangement_phrase(arrangement)}"
        case _:
            return arrangement_phrase(about)


def _target(target: Province | Power) -> str:
    return power_name(target) if isinstance(target, Power) else province_name(target)


def arrangement_phrase(arrangement: Arrangement) -> str:
    """Say what is arranged."""
    match arrangement:
        case p.Peace(powers):
            return f"peace {_between(powers)}"
        case p.Alliance(allies, enemies):
            return f"an alliance of {power_names(allies)} against {power_names(enemies)}"
        case p.Draw(powers):
            return f"a draw {_between(powers)}" if powers else "a draw"
        case p.Solo(power):
            return f"a solo for {power_name(power)}"
        case p.GiveOrder(order):
            return f"that {order_clause(order)}"
        case p.Demilitarize(powers, provinces):
            return f"that {power_names(powers)} keep out of {province_names(provinces)}"
        case p.Not(about):
            return _opposite(about)
        case p.NoArrangement(about):
            return f"no agreement either way on {_inner(about)}"
        case p.During(first, last, inner):
            return f"{_inner(inner)} {_period(first, last)}"
        case p.AllOf() | p.AnyOf() | p.Choose():
            return _group(arrangement)
        case _:
            return _long_term(arrangement)


def _between(powers: Sequence[Power]) -> str:
    return f"{'between' if len(powers) > 1 else 'for'} {power_names(powers)}"


def _opposite(about: "Arrangement | p.Query") -> str:
    match about:
        case p.Peace() | p.Solo() | p.Draw() | p.Alliance():
            phrase = arrangement_phrase(about)
            return f"no {phrase.removeprefix('an ').removeprefix('a ')}"
        case p.GiveOrder(order):
            return f"that it is not so that {order_clause(order)}"
        case p.Demilitarize(powers, provinces):
            return f"that {power_names(powers)} may enter {province_names(provinces, 'or')}"
        case _:
            return f"the opposite of {_inner(about)}"


def _period(first: Turn, last: Turn | None) -> str:
    start = turn_name(first)
    return f"from {start} to {turn_name(last)}" if last else f"in {start}"


def _inner(about: "Arrangement | p.Query") -> str:
    """Put groups that stand inside something into brackets, so that they stay together."""
    phrase = _belief(about)
    return f"({phrase})" if isinstance(about, p.AllOf | p.AnyOf | p.Choose) else phrase


def _group(group: p.AllOf | p.AnyOf | p.Choose) -> str:
    parts = [_inner(part) for part in group.parts]
    items = "; ".join(parts)
    match group:
        case p.AllOf():
            return f"both {listed(parts)}" if len(parts) == 2 else f"all of these: {items}"
        case p.AnyOf():
            few = f"either {listed(parts, 'or')}, or both"
            return few if len(parts) == 2 else f"at least one of these: {items}"
        case p.Choose(minimum, maximum):
            number = f"{minimum}" if minimum == maximum else f"{minimum} to {maximum}"
            return f"{number} of these: {items}"


def _long_term(arrangement: Arrangement) -> str:
    match arrangement:
        case p.DivideCenters(shares):
            return f"that {listed(map(_share, shares))}"
        case p.Occupy(placements):
            return f"that in the end there stand {listed(map(_placement, placements))}"
        case p.OweFavor(debtor, creditor):
            return f"that {power_name(debtor)} owes {power_name(creditor)} a favour"
        case p.ControlUnits(power, units):
            return f"that {power_name(power)} decides what {listed(map(unit_name, units))} do"
        case p.SayTo(sender, recipients, press):
            said = press_clause(press, power_name(sender), power_names(recipients))
            return f"that this is said: {said}"
        case p.ForwardPress(senders, receiver, reader):
            return (
                f"that {power_name(receiver)} passes on to {power_name(reader)} "
                f"what it hears from {power_names(senders)}"
            )
        case p.CopyPress(sender, recipients, reader):
            return (
                f"that {power_name(sender)} shows {power_name(reader)} "
                f"what it tells {power_names(recipients)}"
            )
        case _:
            raise AssertionError(f"no phrase for {arrangement!r}")


def _share(share: p.CenterShare) -> str:
    centers = province_names(share.centers)
    if share.owner is None:
        return f"nobody gets {centers}"
    return f"{power_name(share.owner)} gets {centers}"


def _placement(placement: Unit | p.AnyUnit) -> str:
    if isinstance(placement, Unit):
        return unit_name(placement)
    return f"any unit of {power_name(placement.power)} in {province_name(placement.province)}"

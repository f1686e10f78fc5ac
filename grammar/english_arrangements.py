"""Arrangements in plain English.

Each has two forms. A deal stands behind a colon: `France proposes to England: peace between England
and France`. A clause stands behind a conjunction: `France asks England whether England and France
are at peace`. Both can be denied, so that NOT needs no words of its own.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from grammar import press as p
from grammar.press import Arrangement, Press
from rules.orders import Unit
from rules.phrases import (
    KINDS,
    adjective,
    listed,
    location_name,
    order_clause,
    order_denial,
    power_name,
    power_names,
    province_name,
    province_names,
    turn_name,
    unit_name,
)
from rules.places import Power
from rules.turns import Turn

Subject: TypeAlias = "Arrangement | p.Query"
Speech: TypeAlias = Callable[[Press, str, Sequence[Power]], str]
"""Says press as a clause with its speaker: `grammar.english_press` gives it to us."""

# Classes are looked up before patterns are tried: most press is about an order or has a name.
_GROUPS = frozenset({p.AllOf, p.AnyOf, p.Choose})
_NAMED = frozenset({p.Peace, p.Alliance, p.Draw, p.Solo})


def verb(powers: Sequence[object], plain: str) -> str:
    """Return a verb as it stands behind so many subjects: `England keeps`, `the two keep`."""
    if len(powers) != 1:
        return plain
    irregular = {"are": "is", "have": "has", "do": "does", "do not": "does not", "pass": "passes"}
    return irregular.get(plain, f"{plain}s")


class ArrangementEnglish:
    """Says arrangements; `speech` says the press that some of them quote."""

    def __init__(self, speech: Speech) -> None:
        self._speech = speech

    # --- deals ------------------------------------------------------------------------------------

    def deal(self, about: Subject, *, holds: bool = True) -> str:
        """Say what is proposed, behind a colon."""
        if isinstance(about, p.Not):
            return self.deal(about.about, holds=not holds)
        if holds and isinstance(about, p.AllOf | p.AnyOf | p.Choose):
            return f"{_which(about)}: {self._items(about, self.deal)}"
        return name(about, holds=holds) or self.clause(about, holds=holds)

    def offer(self, about: Arrangement) -> str:
        """Finish `France proposes to England`."""
        if type(about) in _GROUPS:
            return f" {self.deal(about)}"
        if isinstance(about, p.SayTo):
            return f" that {self.clause(about)}"
        return f": {self.deal(about)}"

    def of(self, noun: str, preposition: str, about: Subject) -> str:
        """Say a noun with its deal: `the proposal of peace ...`, `the demand that ...`."""
        if type(about) in _GROUPS:
            return f"the {noun} {preposition} {self.deal(about)}"
        if (named := name_of(about)) is not None:
            return f"the {noun} {preposition} {named}"
        return f"the {noun} that {self.clause(about)}"

    # --- clauses ----------------------------------------------------------------------------------

    def clause(self, about: Subject, *, holds: bool = True) -> str:
        """Say that something is so, or is not so."""
        if isinstance(about, p.GiveOrder):
            return order_clause(about.order) if holds else order_denial(about.order)
        match about:
            case p.Not(inner):
                return self.clause(inner, holds=not holds)
            case p.Query(inner):
                return self.clause(inner, holds=holds)
            case p.NoArrangement(inner):
                is_open = "is left open" if holds else "is not left open"
                return f"it {is_open} whether {self.clause(inner)}"
            case p.During(first, last, inner):
                return self._during(first, last, inner, holds=holds)
            case p.AllOf() | p.AnyOf() | p.Choose():
                return self._group(about, holds=holds)
            case p.SayTo(sender, recipients, press):
                # What a power is to say: the act itself is the arrangement.
                said = self._speech(press, power_name(sender), recipients)
                return said if holds else f"it is not so that {said}"
            case _:
                return _affirmed(about) if holds else _denied(about)

    def _group(self, group: p.AllOf | p.AnyOf | p.Choose, *, holds: bool) -> str:
        items = self._items(group, self.clause)
        match group:
            case p.AllOf():
                return f"{'all' if holds else 'not all'} of these hold: {items}"
            case p.AnyOf():
                return f"{'at least one' if holds else 'none'} of these holds: {items}"
            case p.Choose():
                is_so = "" if holds else "it is not so that "
                ends = "s" if group.minimum == group.maximum == 1 else ""
                return f"{is_so}{_number(group)} of these hold{ends}: {items}"

    def _items(self, group: p.AllOf | p.AnyOf | p.Choose, say: Callable[[Arrangement], str]) -> str:
        # Groups inside groups stand in brackets, so that each part is seen to belong to its own.
        return "; ".join(
            f"({say(part)})" if type(_bare(part)) in _GROUPS else say(part) for part in group.parts
        )

    def _during(self, first: Turn, last: Turn | None, inner: Arrangement, *, holds: bool) -> str:
        if last is None:
            during = f"in {turn_name(first)} {self.clause(inner)}"
            return during if holds else f"it is not so that {during}"
        period = f"from {turn_name(first)} to {turn_name(last)}"
        if holds:
            return f"{period} {self.clause(inner)}"
        # Not in all of the turns: so at least once not.
        return f"in some turn {period} {self.clause(inner, holds=False)}"


def _bare(about: Subject) -> Subject:
    """Return what stands inside NOT and FOR."""
    match about:
        case p.Not(inner) | p.During(_, _, inner):
            return _bare(inner)
        case _:
            return about


def _which(group: p.AllOf | p.AnyOf | p.Choose) -> str:
    match group:
        case p.AllOf():
            return "all of this"
        case p.AnyOf():
            return "at least one of these"
        case p.Choose():
            return f"{_number(group)} of these"


def _number(group: p.Choose) -> str:
    if group.minimum == group.maximum:
        return f"exactly {group.minimum}"
    return f"{group.minimum} to {group.maximum}"


# --- what has a name ------------------------------------------------------------------------------


def name_of(about: Subject) -> str | None:
    """Return the name of an arrangement or of its opposite, None if it has none."""
    if isinstance(about, p.Not):
        return name(about.about, holds=False)
    return name(about, holds=True)


def name(about: Subject, *, holds: bool) -> str | None:
    """Return the name of an arrangement, `a draw`, or of its opposite, `no draw`."""
    if type(about) not in _NAMED:
        return None
    match about:
        case p.Peace(powers):
            found = f"peace {_between(powers)}"
        case p.Alliance(allies, enemies):
            found = f"an alliance of {power_names(allies)} against {power_names(enemies)}"
        case p.Draw(powers):
            found = f"a draw {_between(powers)}" if powers else "a draw"
        case p.Solo(power):
            found = f"a solo for {power_name(power)}"
        case _:
            return None
    return found if holds else f"no {found.removeprefix('an ').removeprefix('a ')}"


def _between(powers: Sequence[Power]) -> str:
    return f"{'between' if len(powers) > 1 else 'for'} {power_names(powers)}"


# --- clauses of one arrangement -------------------------------------------------------------------


def _affirmed(about: Arrangement) -> str:
    match about:
        case p.Peace(powers):
            return f"{power_names(powers)} {verb(powers, 'are')} at peace"
        case p.Alliance(allies, enemies):
            return f"{_allied(allies)} against {power_names(enemies)}"
        case p.Draw():
            return f"the game ends in {name(about, holds=True)}"
        case p.Solo(power):
            return f"{power_name(power)} wins alone"
        case p.Demilitarize(powers, provinces):
            return (
                f"{power_names(powers)} {verb(powers, 'keep')} out of {province_names(provinces)}"
            )
        case p.DivideCenters(shares):
            return ", and ".join(map(_share, shares))
        case p.Occupy(placements):
            return f"in the end {listed(map(_placed, placements))}"
        case p.OweFavor(debtor, creditor):
            return f"{power_name(debtor)} owes {power_name(creditor)} a favour"
        case p.ControlUnits(power, units):
            return f"{power_name(power)} decides {_doings(units)}"
        case p.ForwardPress(senders, receiver, reader):
            return f"{power_name(receiver)} passes on {_overheard(senders, reader)}"
        case p.CopyPress(sender, recipients, reader):
            return f"{power_name(sender)} shows {_told(recipients, reader)}"
        case _:
            raise AssertionError(f"no phrase for {about!r}")


def _denied(about: Arrangement) -> str:
    match about:
        case p.Peace(powers):
            return f"{power_names(powers)} {verb(powers, 'are')} not at peace"
        case p.Alliance(allies, enemies):
            return f"{_allied(allies, 'not ')} against {power_names(enemies)}"
        case p.Draw():
            return f"the game does not end in {name(about, holds=True)}"
        case p.Solo(power):
            return f"{power_name(power)} does not win alone"
        case p.Demilitarize(powers, provinces):
            return f"{power_names(powers)} may enter {province_names(provinces, 'or')}"
        case p.DivideCenters((share,)):
            return _no_share(share)
        case p.Occupy((placement,)):
            return f"in the end {_placed(placement, none=True)}"
        case p.OweFavor(debtor, creditor):
            return f"{power_name(debtor)} owes {power_name(creditor)} no favour"
        case p.ControlUnits(power, units):
            return f"{power_name(power)} does not decide {_doings(units)}"
        case p.ForwardPress(senders, receiver, reader):
            return f"{power_name(receiver)} does not pass on {_overheard(senders, reader)}"
        case p.CopyPress(sender, recipients, reader):
            return f"{power_name(sender)} does not show {_told(recipients, reader)}"
        case _:
            return f"it is not so that {_affirmed(about)}"


def _allied(allies: Sequence[Power], negation: str = "") -> str:
    return f"{power_names(allies)} {verb(allies, 'are')} {negation}allied"


def _doings(units: Sequence[Unit]) -> str:
    return f"what {listed(map(unit_name, units))} {verb(units, 'do')}"


def _overheard(senders: Iterable[Power], reader: Power) -> str:
    return f"to {power_name(reader)} what it hears from {power_names(senders)}"


def _told(recipients: Iterable[Power], reader: Power) -> str:
    return f"{power_name(reader)} what it tells {power_names(recipients)}"


def _share(share: p.CenterShare) -> str:
    centers = province_names(share.centers)
    if share.owner is None:
        return f"{centers} {verb(share.centers, 'stay')} neutral"
    return f"{power_name(share.owner)} gets {centers}"


def _no_share(share: p.CenterShare) -> str:
    centers = province_names(share.centers, "or")
    if share.owner is None:
        return f"{centers} {verb(share.centers, 'do not')} stay neutral"
    return f"{power_name(share.owner)} does not get {centers}"


def _placed(placement: Unit | p.AnyUnit, *, none: bool = False) -> str:
    if isinstance(placement, p.AnyUnit):
        where, kind = province_name(placement.province), "unit"
    else:
        where, kind = location_name(placement.location), KINDS[placement.kind]
    owner = adjective(placement.power)
    return f"{'no' if none else _article(owner)} {owner} {kind} stands in {where}"


def _article(word: str) -> str:
    return "an" if word[:1].upper() in "AEIOU" else "a"

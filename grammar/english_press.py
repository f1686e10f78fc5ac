"""Press in plain English, for people who follow a negotiation.

Press is a clause with its speaker and its hearers (`France proposes to England: ...`). Quoted press
is a noun (`the proposal of peace between England and France`), and a reply is a clause about it.
"""

from collections.abc import Sequence

from grammar import press as p
from grammar.english_arrangements import ArrangementEnglish
from grammar.press import Arrangement, Press
from rules.phrases import listed, power_name, power_names, province_name, turn_name, unit_name
from rules.places import Power, Province
from rules.turns import Turn


def press_clause(press: Press, speaker: str, hearers: Sequence[Power]) -> str:
    """Say who tells whom what."""
    to = power_names(hearers) if hearers else "everybody"
    match press:
        case p.Propose(about):
            return f"{speaker} proposes to {to}{_say.offer(about)}"
        case p.Accept() | p.Refuse():
            return f"{speaker} tells {to} that {_reply(press)}"
        case p.Insist(about):
            return f"{speaker} demands of {to}{_say.offer(about)}"
        case p.Suggest(about):
            return f"{speaker} suggests to {to}{_say.offer(about)}"
        case p.FreeText(text):
            return f'{speaker} tells {to}: "{text}"'
        case p.Forwarded(sender, recipients, inner):
            said = press_clause(inner, power_name(sender), recipients)
            return f"{speaker} passes on to {to}: {said}"
        case p.IfThen(condition, then, otherwise):
            then_clause = press_clause(then, speaker, hearers)
            rest = f"; otherwise {press_clause(otherwise, speaker, hearers)}" if otherwise else ""
            return f"{speaker} tells {to}: if {_say.clause(condition)}, then {then_clause}{rest}"
        case p.DemandExplanation(turn, said):
            whose = "its" if len(hearers) == 1 else "their"
            return f"{speaker} asks {to} to explain {_deeds(whose, turn, said)}"
        case p.StateFact() | p.Think():
            return f"{speaker} {_assertion(press, to)}"
        case _:
            return f"{speaker} {_question(press, to) or f'tells {to} that {_reply(press)}'}"


def arrangement_phrase(about: Arrangement) -> str:
    """Say on its own what is arranged: `peace between England and France`."""
    return _say.deal(about)


def _assertion(press: p.StateFact | p.Think, to: str) -> str:
    """Finish the sentence of one who states or thinks something, perhaps in answer to a query."""
    is_answer = isinstance(press.about, p.Query) or (
        isinstance(press.about, p.Not | p.NoArrangement) and isinstance(press.about.about, p.Query)
    )
    tells = f"{'answers' if is_answer else 'tells'} {to} that"
    return f"{tells} {'it believes that ' * isinstance(press, p.Think)}{_belief(press)}"


def _belief(press: p.StateFact | p.Think) -> str:
    match press.about:
        # Parlance denies with NAR what everybody else denies with NOT.
        case p.NoArrangement(p.Query(arrangement)):
            return _say.clause(arrangement, holds=False)
        case about:
            return _say.clause(about)


def _question(press: Press, to: str) -> str | None:
    match press:
        case p.Query(about):
            return f"asks {to} whether {_say.clause(about)}"
        case p.AskOrder() | p.AskAttack():
            return f"asks {to} {_asked(press)}"
        case p.Why(said):
            return f"asks {to} for the reason for {quoted(said)}"
        case _:
            return None


def _asked(question: p.AskOrder | p.AskAttack) -> str:
    if isinstance(question, p.AskOrder):
        return f"what {unit_name(question.unit)} should do"
    return f"how to attack {_target(question.target)}"


def _target(target: Province | Power) -> str:
    return power_name(target) if isinstance(target, Power) else province_name(target)


def _deeds(whose: str, turn: Turn, said: Press) -> str:
    return f"{whose} orders of {turn_name(turn)}, given {quoted(said)}"


# --- replies --------------------------------------------------------------------------------------


def _reply(press: Press) -> str:
    """Finish `France tells England that ...` for what only answers something."""
    match press:
        case p.Accept(said):
            return _yes(said)
        case p.Refuse(said):
            return _no(said)
        case p.Decline(said):
            return _none_of_your_business(said)
        case p.Cancel(said):
            return f"it takes back {quoted(said)}"
        case p.DontKnow(said):
            return _unknown(said)
        case p.Sorry(p.DemandExplanation(turn, said)):
            return f"it is sorry for {_deeds('its', turn, said)}"
        case p.PositionExplains(p.Why(said)):
            return f"the position on the board is the reason for {quoted(said)}"
        case p.NotUnderstood():
            return "it did not understand the message"
        case p.Understand(words):
            return f"it understands {listed(words)}" if words else "it understands no press"
        case _:
            raise AssertionError(f"no phrase for {press!r}")


def _yes(said: Press) -> str:
    match said:
        case p.Propose() | p.Insist() | p.IfThen():
            return f"it accepts {quoted(said)}"
        case p.Suggest() | p.StateFact() | p.Think():
            return f"it agrees with {quoted(said)}"
        case p.DemandExplanation(turn, given):
            orders = f"its orders of {turn_name(turn)}"
            return f"it knows, and that {orders} need no explanation, given {quoted(given)}"
        case _:
            return f"it says yes to {quoted(said)}"


def _no(said: Press) -> str:
    match said:
        case p.Propose() | p.Insist() | p.IfThen():
            return f"it refuses {quoted(said)}"
        case p.Suggest() | p.StateFact() | p.Think():
            return f"it disagrees with {quoted(said)}"
        case p.DemandExplanation(_, given) | p.Why(given):
            return f"it never sent {quoted(given)}"
        case p.AskAttack(target):
            return f"{_target(target)} should not be attacked"
        case _:
            return f"it says no to {quoted(said)}"


def _none_of_your_business(said: Press) -> str:
    match said:
        case p.Query(about):
            return f"it will not say whether {_say.clause(about)}"
        case p.AskOrder() | p.AskAttack():
            return f"it will not say {_asked(said)}"
        case p.DemandExplanation(turn, given):
            return f"it will not explain {_deeds('its', turn, given)}"
        case p.Why(given):
            return f"it will not give the reason for {quoted(given)}"
        case _:
            return f"it will not answer {quoted(said)}"


def _unknown(said: Press) -> str:
    match said:
        case p.Query(about):
            return f"it does not know whether {_say.clause(about)}"
        case p.AskOrder() | p.AskAttack():
            return f"it does not know {_asked(said)}"
        case p.DemandExplanation(turn, given):
            return f"there is nothing to explain about {_deeds('its', turn, given)}"
        case _:
            return f"it does not know what to say to {quoted(said)}"


# --- quotations -----------------------------------------------------------------------------------


def quoted(press: Press) -> str:
    """Name press that another press talks about."""
    match press:
        case p.Propose(about):
            return _say.of("proposal", "of", about)
        case p.Insist(about):
            return _say.of("demand", "for", about)
        case p.Suggest(about):
            return _say.of("suggestion", "of", about)
        case p.StateFact():
            return f"the statement that {_belief(press)}"
        case p.Think():
            return f"the belief that {_belief(press)}"
        case p.Query(about):
            return f"the question whether {_say.clause(about)}"
        case p.AskOrder() | p.AskAttack():
            return f"the question {_asked(press)}"
        case p.DemandExplanation(turn, said):
            return f"the demand to explain {_deeds('the', turn, said)}"
        case p.FreeText(text):
            return f'the text "{text}"'
        case p.IfThen(condition, then, otherwise):
            rest = f"; otherwise {quoted(otherwise)}" if otherwise else ""
            return (
                f"the conditional message: if {_say.clause(condition)}, then {quoted(then)}{rest}"
            )
        case p.Forwarded(sender, recipients, inner):
            return f"the report: {press_clause(inner, power_name(sender), recipients)}"
        case _:
            return _quoted_reply(press)


def _quoted_reply(press: Press) -> str:
    match press:
        case p.Accept(p.Propose() | p.Insist() | p.IfThen() as said):
            return f"the acceptance of {quoted(said)}"
        case p.Accept(said):
            return f"the yes to {quoted(said)}"
        case p.Refuse(p.Propose() | p.Insist() | p.IfThen() as said):
            return f"the refusal of {quoted(said)}"
        case p.Refuse(said):
            return f"the no to {quoted(said)}"
        case p.Decline(said):
            return f"the refusal to answer {quoted(said)}"
        case p.Cancel(said):
            return f"the withdrawal of {quoted(said)}"
        case p.Why(said):
            return f"the question why there was {quoted(said)}"
        case _:
            return f"the answer that {_reply(press)}"


_say = ArrangementEnglish(press_clause)

"""Write messages: a typed message in, its tokens out.

`write` is the inverse of `parse`: whatever was read is written with the very same tokens. Raises
`UnknownNameError` for a power or province that the game does not have.
"""

from collections.abc import Callable, Sequence
from typing import Any

from grammar import messages as m
from grammar import press as p
from grammar.messages import DaideMessage
from grammar.press import Arrangement, Press
from grammar.representation import Representation, standard_representation
from grammar.text import from_text
from grammar.tokens import Tokens, Word, text_tokens
from grammar.writer import BRA, COASTS, KET, UNO, Writer
from rules.orders import OrderNote, OrderResult, Unit, UnitKind
from rules.places import Power


def write(message: DaideMessage, representation: Representation | None = None) -> Tokens:
    """Return the tokens of a message."""
    writer = Writer(representation or standard_representation())
    _WRITERS[type(message)](writer, message)
    return tuple(writer.tokens)


def write_press(press: Press | Arrangement, representation: Representation | None = None) -> Tokens:
    """Return the tokens of press or of an arrangement on its own."""
    return _written(press, representation)


def _written(value: object, representation: Representation | None) -> Tokens:
    writer = Writer(representation or standard_representation())
    _append(writer, value)
    return tuple(writer.tokens)


def _append(w: Writer, value: object) -> None:
    """Append a message, press or an arrangement by the function for its class."""
    _WRITERS[type(value)](w, value)


def _inner(w: Writer, value: object) -> None:
    """Append the same in brackets."""
    w.tokens.append(BRA)
    _WRITERS[type(value)](w, value)
    w.tokens.append(KET)


# --- patterns that many messages share ------------------------------------------------------------


def _word(name: str) -> Callable[[Writer, Any], None]:
    """Write a message that is one word."""
    token = int(Word[name])
    return lambda w, _: w.tokens.append(token)


def _around(name: str, field: str) -> Callable[[Writer, Any], None]:
    """Write a word and one bracketed message, press or arrangement."""
    token = int(Word[name])

    def around(w: Writer, value: Any) -> None:  # noqa: ANN401 - any class of the language
        w.tokens.append(token)
        _inner(w, getattr(value, field))

    return around


def _with_text(name: str, *fields: str) -> Callable[[Writer, Any], None]:
    """Write a word and bracketed strings, those that are given."""
    token = int(Word[name])

    def with_text(w: Writer, value: Any) -> None:  # noqa: ANN401 - any message with that field
        w.tokens.append(token)
        for text in (getattr(value, field) for field in fields):
            if text is not None:
                w.text(text)

    return with_text


def _with_powers(name: str) -> Callable[[Writer, Any], None]:
    """Write a word and, unless it is empty, a list of powers."""
    token = int(Word[name])

    def with_powers(w: Writer, value: Any) -> None:  # noqa: ANN401 - any message with that field
        w.tokens.append(token)
        if value.powers:
            w.powers(value.powers)

    return with_powers


def _with_power(name: str) -> Callable[[Writer, Any], None]:
    """Write a word and one power."""
    token = int(Word[name])

    def with_power(w: Writer, value: Any) -> None:  # noqa: ANN401 - any message with that field
        w.tokens.append(token)
        w.one_power(value.power)

    return with_power


def _negated(name: str, inner: Callable[[Writer, Any], None]) -> Callable[[Writer, Any], None]:
    """Write NOT or another word, and in brackets what `inner` writes."""
    token = int(Word[name])

    def negated(w: Writer, value: Any) -> None:  # noqa: ANN401 - any message with that field
        w.tokens += (token, BRA)
        inner(w, value)
        w.tokens.append(KET)

    return negated


def _quoted(name: str) -> Callable[[Writer, Any], None]:
    """Write a word and bracketed tokens."""
    token = int(Word[name])
    return lambda w, value: w.words(token, BRA, *value.tokens, KET)


def _time(w: Writer, message: m.RequestTime | m.CancelTime | m.TimeLeft | m.TimerStopped) -> None:
    w.tokens.append(int(Word.TME))
    if message.seconds is not None:
        w.tokens.append(BRA)
        w.number(message.seconds)
        w.tokens.append(KET)


def _parts(w: Writer, parts: Sequence[Arrangement]) -> None:
    for part in parts:
        _inner(w, part)


# --- from clients ---------------------------------------------------------------------------------


def _observe(w: Writer, message: m.Observe) -> None:
    w.tokens.append(int(Word.OBS))
    if message.name is not None and message.version is not None:
        w.text(message.name)
        w.text(message.version)


def _i_am(w: Writer, message: m.IAm) -> None:
    w.tokens.append(int(Word.IAM))
    w.one_power(message.power)
    w.tokens.append(BRA)
    w.number(message.passcode)
    w.tokens.append(KET)


def _ask_history(w: Writer, message: m.AskHistory) -> None:
    w.tokens.append(int(Word.HST))
    if message.turn is not None:
        w.turn(message.turn)


def _submit(w: Writer, message: m.SubmitOrders) -> None:
    w.tokens.append(int(Word.SUB))
    if message.turn is not None:
        w.turn(message.turn)
    for order in message.orders:
        w.ordered(order)


def _cancel_orders(w: Writer, message: m.CancelOrders) -> None:
    w.tokens += (int(Word.NOT), BRA, int(Word.SUB))
    if message.order is not None:
        w.ordered(message.order)
    w.tokens.append(KET)


def _send_press(w: Writer, message: m.SendPress) -> None:
    w.tokens.append(int(Word.SND))
    if message.turn is not None:
        w.turn(message.turn)
    elif message.number is not None:
        w.tokens.append(BRA)
        w.number(message.number)
        w.tokens.append(KET)
    w.powers(message.recipients)
    _inner(w, message.press)


def _done(name: str) -> Callable[[Writer, Any], None]:
    token = int(Word[name])

    def done(w: Writer, message: m.Saved | m.Loaded) -> None:
        w.tokens += (int(Word.YES if message.done else Word.REJ), BRA, token)
        w.text(message.game)
        w.tokens.append(KET)

    return done


# --- from servers ---------------------------------------------------------------------------------


def _map_definition(w: Writer, message: m.MapDefinition) -> None:
    w.tokens.append(int(Word.MDF))
    w.powers(message.powers)
    w.tokens += (BRA, BRA)
    for home in message.homes:
        _home_centers(w, home)
    w.tokens.append(KET)
    w.provinces(message.other_provinces)
    w.tokens += (KET, BRA)
    for entry in message.borders:
        _province_borders(w, entry)
    w.tokens.append(KET)


def _home_centers(w: Writer, home: m.HomeCenters) -> None:
    w.tokens.append(BRA)
    match home.powers:
        case ():
            w.tokens.append(UNO)
        case (power,):
            w.power(power)
        case powers:
            w.powers(powers)
    for center in home.centers:
        w.province(center)
    w.tokens.append(KET)


def _province_borders(w: Writer, entry: m.ProvinceBorders) -> None:
    w.tokens.append(BRA)
    w.province(entry.province)
    for borders in entry.borders:
        kind = int(Word.AMY if borders.kind is UnitKind.ARMY else Word.FLT)
        w.tokens.append(BRA)
        w.words(*((kind,) if borders.coast is None else (BRA, kind, COASTS[borders.coast], KET)))
        for location in borders.destinations:
            w.location(location)
        w.tokens.append(KET)
    w.tokens.append(KET)


def _hello(w: Writer, message: m.Hello) -> None:
    w.tokens += (int(Word.HLO), BRA)
    w.owner(message.power)
    w.tokens += (KET, BRA)
    w.number(message.passcode)
    w.tokens.append(KET)
    w.options(message.options)


def _ownership(w: Writer, message: m.Ownership) -> None:
    w.tokens.append(int(Word.SCO))
    for holding in message.holdings:
        w.tokens.append(BRA)
        w.owner(holding.owner)
        for center in holding.centers:
            w.province(center)
        w.tokens.append(KET)


def _now(w: Writer, message: m.Now) -> None:
    w.tokens.append(int(Word.NOW))
    w.turn(message.turn)
    w.standing(message.units)


def _order_answer(w: Writer, message: m.OrderAnswer) -> None:
    w.tokens.append(int(Word.THX))
    w.ordered(message.order)
    w.tokens += (BRA, _VERDICTS[message.note], KET)


def _missing(w: Writer, message: m.Missing) -> None:
    w.tokens.append(int(Word.MIS))
    w.standing(message.units)
    if message.adjustments is not None:
        w.tokens.append(BRA)
        w.number(message.adjustments)
        w.tokens.append(KET)


def _order_outcome(w: Writer, message: m.OrderOutcome) -> None:
    w.tokens.append(int(Word.ORD))
    w.turn(message.turn)
    w.ordered(message.order)
    w.tokens.append(BRA)
    if message.result is not None:
        w.tokens.append(_VERDICTS[message.result])
    if message.dislodged:
        w.tokens.append(int(Word.RET))
    w.tokens.append(KET)


def _civil_disorder(w: Writer, message: m.CivilDisorder) -> None:
    w.tokens.append(int(Word.CCD))
    w.one_power(message.power)
    if message.turn is not None:
        w.turn(message.turn)
    if message.undelivered is not None:
        _inner(w, message.undelivered)


def _eliminated(w: Writer, message: m.Eliminated) -> None:
    w.tokens.append(int(Word.OUT))
    w.one_power(message.power)
    if message.undelivered is not None:
        _inner(w, message.undelivered)


def _passed_on(name: str) -> Callable[[Writer, Any], None]:
    """Write a word, the sender, the recipients and their press."""
    token = int(Word[name])

    def passed_on(w: Writer, value: m.PressReceived | p.Forwarded | p.SayTo) -> None:
        w.tokens.append(token)
        w.one_power(value.sender)
        w.powers(value.recipients)
        _inner(w, value.press)

    return passed_on


def _summary(w: Writer, message: m.Summary) -> None:
    w.tokens.append(int(Word.SMR))
    w.turn(message.turn)
    for player in message.players:
        w.tokens.append(BRA)
        w.power(player.power)
        w.text(player.name)
        w.text(player.version)
        w.number(player.centers)
        if player.eliminated is not None:
            w.number(player.eliminated)
        w.tokens.append(KET)


def _game_listed(w: Writer, message: m.GameListed) -> None:
    w.tokens.append(int(Word.LST))
    w.text(message.name)
    w.tokens.append(BRA)
    w.number(message.players_needed)
    w.tokens += (int(Word[message.status.value]), KET)
    w.text(message.variant)
    w.options(message.options)


# --- press ----------------------------------------------------------------------------------------


def _understand(w: Writer, press: p.Understand) -> None:
    w.words(int(Word.TRY), BRA, *from_text(" ".join(press.words)), KET)


def _alliance(w: Writer, press: p.Alliance) -> None:
    w.tokens.append(int(Word.ALY))
    w.powers(press.allies)
    w.tokens.append(int(Word.VSS))
    w.powers(press.enemies)


def _give_order(w: Writer, press: p.GiveOrder) -> None:
    w.tokens.append(int(Word.XDO))
    w.ordered(press.order)


def _demilitarize(w: Writer, press: p.Demilitarize) -> None:
    w.tokens.append(int(Word.DMZ))
    w.powers(press.powers)
    w.provinces(press.provinces)


def _group(name: str) -> Callable[[Writer, Any], None]:
    token = int(Word[name])

    def group(w: Writer, press: p.AllOf | p.AnyOf) -> None:
        w.tokens.append(token)
        _parts(w, press.parts)

    return group


def _choose(w: Writer, press: p.Choose) -> None:
    w.tokens += (int(Word.CHO), BRA)
    w.number(press.minimum)
    w.number(press.maximum)
    w.tokens.append(KET)
    _parts(w, press.parts)


def _divide_centers(w: Writer, press: p.DivideCenters) -> None:
    w.tokens.append(int(Word.SCD))
    for share in press.shares:
        w.tokens.append(BRA)
        w.owner(share.owner)
        for center in share.centers:
            w.province(center)
        w.tokens.append(KET)


def _occupy(w: Writer, press: p.Occupy) -> None:
    w.tokens.append(int(Word.OCC))
    for placement in press.placements:
        if isinstance(placement, Unit):
            w.unit(placement)
        else:
            w.tokens.append(BRA)
            w.power(placement.power)
            w.tokens.append(int(Word.UNT))
            w.province(placement.province)
            w.tokens.append(KET)


def _during(w: Writer, press: p.During) -> None:
    w.tokens.append(int(Word.FOR))
    if press.last is None:
        w.turn(press.first)
    else:
        w.tokens.append(BRA)
        w.turn(press.first)
        w.turn(press.last)
        w.tokens.append(KET)
    _inner(w, press.arrangement)


def _owe_favor(w: Writer, press: p.OweFavor) -> None:
    w.tokens.append(int(Word.XOY))
    w.one_power(press.debtor)
    w.one_power(press.creditor)


def _control_units(w: Writer, press: p.ControlUnits) -> None:
    w.tokens.append(int(Word.YDO))
    w.one_power(press.power)
    for unit in press.units:
        w.unit(unit)


def _forward_press(w: Writer, press: p.ForwardPress) -> None:
    w.tokens.append(int(Word.FWD))
    w.powers(press.senders)
    w.one_power(press.receiver)
    w.one_power(press.reader)


def _copy_press(w: Writer, press: p.CopyPress) -> None:
    w.tokens.append(int(Word.BCC))
    w.one_power(press.sender)
    w.powers(press.recipients)
    w.one_power(press.reader)


def _ask_order(w: Writer, press: p.AskOrder) -> None:
    w.tokens.append(int(Word.WHT))
    w.unit(press.unit)


def _ask_attack(w: Writer, press: p.AskAttack) -> None:
    w.tokens += (int(Word.HOW), BRA)
    if isinstance(press.target, Power):
        w.power(press.target)
    else:
        w.province(press.target)
    w.tokens.append(KET)


def _explain(w: Writer, press: p.DemandExplanation) -> None:
    w.tokens.append(int(Word.EXP))
    w.turn(press.turn)
    _inner(w, press.press)


def _if_then(w: Writer, press: p.IfThen) -> None:
    w.tokens.append(int(Word.IFF))
    _inner(w, press.condition)
    w.tokens.append(int(Word.THN))
    _inner(w, press.then)
    if press.otherwise is not None:
        w.tokens.append(int(Word.ELS))
        _inner(w, press.otherwise)


def _free_text(w: Writer, press: p.FreeText) -> None:
    w.words(*text_tokens(press.text))


_VERDICTS: dict[OrderNote | OrderResult, int] = {
    **{note: int(Word[note.value]) for note in OrderNote},
    **{result: int(Word[result.value]) for result in OrderResult},
}

_WRITERS: dict[type, Callable[[Writer, Any], None]] = {
    m.Name: _with_text("NME", "name", "version"),
    m.Observe: _observe,
    m.IAm: _i_am,
    m.AskMap: _word("MAP"),
    m.AskMapDefinition: _word("MDF"),
    m.AskHello: _word("HLO"),
    m.AskNow: _word("NOW"),
    m.AskOwnership: _word("SCO"),
    m.AskOrders: _word("ORD"),
    m.AskHistory: _ask_history,
    m.AskMissing: _word("MIS"),
    m.AskTime: _word("TME"),
    m.AskSummary: _word("SMR"),
    m.SubmitOrders: _submit,
    m.CancelOrders: _cancel_orders,
    m.Go: _word("GOF"),
    m.CancelGo: _negated("NOT", _word("GOF")),
    m.RequestDraw: _with_powers("DRW"),
    m.CancelDraw: _negated("NOT", _with_powers("DRW")),
    m.RequestTime: _time,
    m.CancelTime: _negated("NOT", _time),
    m.SendPress: _send_press,
    m.AcceptMap: _negated("YES", _with_text("MAP", "name")),
    m.RefuseMap: _negated("REJ", _with_text("MAP", "name")),
    m.Saved: _done("SVE"),
    m.Loaded: _done("LOD"),
    m.Admin: _with_text("ADM", "name", "text"),
    m.AskGames: _with_text("LST", "game"),
    m.SelectGame: _with_text("SEL", "game"),
    m.Ping: _word("PNG"),
    m.Huh: _quoted("HUH"),
    m.Prn: _quoted("PRN"),
    m.Yes: _around("YES", "message"),
    m.Rej: _around("REJ", "message"),
    m.MapName: _with_text("MAP", "name"),
    m.MapDefinition: _map_definition,
    m.Hello: _hello,
    m.Ownership: _ownership,
    m.Now: _now,
    m.OrderAnswer: _order_answer,
    m.Missing: _missing,
    m.OrderOutcome: _order_outcome,
    m.TimeLeft: _time,
    m.TimerStopped: _negated("NOT", _time),
    m.CivilDisorder: _civil_disorder,
    m.BackInOrder: _negated("NOT", _with_power("CCD")),
    m.Eliminated: _eliminated,
    m.PressReceived: _passed_on("FRM"),
    m.SaveGame: _with_text("SVE", "game"),
    m.LoadGame: _with_text("LOD", "game"),
    m.TurnOff: _word("OFF"),
    m.SoloDeclared: _with_power("SLO"),
    m.DrawDeclared: _with_powers("DRW"),
    m.Summary: _summary,
    m.GameListed: _game_listed,
    p.Peace: _with_powers("PCE"),
    p.Alliance: _alliance,
    p.Draw: _with_powers("DRW"),
    p.Solo: _with_power("SLO"),
    p.Not: _around("NOT", "about"),
    p.NoArrangement: _around("NAR", "about"),
    p.GiveOrder: _give_order,
    p.Demilitarize: _demilitarize,
    p.AllOf: _group("AND"),
    p.AnyOf: _group("ORR"),
    p.DivideCenters: _divide_centers,
    p.Occupy: _occupy,
    p.Choose: _choose,
    p.During: _during,
    p.OweFavor: _owe_favor,
    p.ControlUnits: _control_units,
    p.SayTo: _passed_on("SND"),
    p.ForwardPress: _forward_press,
    p.CopyPress: _copy_press,
    p.Propose: _around("PRP", "arrangement"),
    p.StateFact: _around("FCT", "about"),
    p.Cancel: _around("CCL", "press"),
    p.Understand: _understand,
    p.Insist: _around("INS", "arrangement"),
    p.Query: _around("QRY", "arrangement"),
    p.Suggest: _around("SUG", "arrangement"),
    p.Think: _around("THK", "about"),
    p.AskOrder: _ask_order,
    p.AskAttack: _ask_attack,
    p.DemandExplanation: _explain,
    p.IfThen: _if_then,
    p.Forwarded: _passed_on("FRM"),
    p.FreeText: _free_text,
    p.Accept: _around("YES", "press"),
    p.Refuse: _around("REJ", "press"),
    p.Decline: _around("BWX", "press"),
    p.NotUnderstood: _quoted("HUH"),
    p.DontKnow: _around("IDK", "press"),
    p.Sorry: _around("SRY", "demand"),
    p.Why: _around("WHY", "press"),
    p.PositionExplains: _around("POB", "why"),
}

"""Messages in plain English: one sentence each, for spectators, logs and `daide parse`."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from grammar import messages as m
from grammar.english_press import press_clause
from grammar.messages import DaideMessage
from grammar.text import to_text
from rules.orders import OrderNote, OrderResult, Unit, UnitKind
from rules.phrases import (
    KINDS,
    listed,
    location_name,
    order_clause,
    power_name,
    power_names,
    province_names,
    turn_name,
    unit_name,
)
from rules.places import Power
from rules.position import DislodgedUnit
from rules.turns import Turn

RESULTS = {
    OrderResult.SUCCEEDED: "succeeded",
    OrderResult.BOUNCED: "bounced",
    OrderResult.CUT: "support cut",
    OrderResult.DISRUPTED: "convoy disrupted",
    OrderResult.NO_SUCH_ORDER: "no matching order",
    OrderResult.FAILED: "failed",
}
NOTES = {
    OrderNote.MIGHT_BE_VALID: "accepted",
    OrderNote.NOT_ADJACENT: "the place is not adjacent or cannot be reached",
    OrderNote.NO_SUCH_PROVINCE: "there is no such province",
    OrderNote.NO_SUCH_UNIT: "there is no such unit",
    OrderNote.NOT_AT_SEA: "a convoying fleet is not at sea",
    OrderNote.NO_SUCH_FLEET: "there is no such fleet",
    OrderNote.NO_SUCH_ARMY: "there is no such army",
    OrderNote.NOT_YOUR_UNIT: "it is not your unit",
    OrderNote.NO_RETREAT_NEEDED: "the unit need not retreat",
    OrderNote.NOT_VALID_RETREAT: "the unit may not retreat there",
    OrderNote.NOT_YOUR_CENTER: "it is not your supply center",
    OrderNote.NOT_EMPTY_CENTER: "the supply center is not empty",
    OrderNote.NOT_HOME_CENTER: "it is not your home supply center",
    OrderNote.NOT_A_CENTER: "it is not a supply center",
    OrderNote.BAD_COAST: "the coast is missing or impossible",
    OrderNote.NO_MORE_BUILDS: "no more builds are allowed",
    OrderNote.NO_MORE_REMOVALS: "no more removals are allowed",
    OrderNote.NOT_THIS_SEASON: "the order does not belong to this season",
}
OPTIONS = {
    "LVL": "press level {}",
    "MTL": "{} seconds for movements",
    "RTL": "{} seconds for retreats",
    "BTL": "{} seconds for builds",
    "DSD": "a clock that stops when a player is lost",
    "AOA": "any order accepted",
    "PDA": "partial draws allowed",
    "NPR": "no press in retreat turns",
    "NPB": "no press in build turns",
    "PTL": "no press in the last {} seconds",
}


STATUSES = {
    m.GameStatus.FORMING: "waits for players",
    m.GameStatus.PLAYED: "is being played",
    m.GameStatus.VACANT: "waits for a player to come back",
    m.GameStatus.PAUSED: "is paused",
    m.GameStatus.HELD_UP: "has its clock stopped for a lost player",
    m.GameStatus.WON: "has been won",
    m.GameStatus.DRAWN: "has ended in a draw",
    m.GameStatus.CLOSED: "is closed",
}


def describe(message: DaideMessage, sender: Power | None = None) -> str:
    """Return one sentence; `sender` is the power whose client sent the message, if known."""
    clause = _CLAUSES[type(message)](message, power_name(sender) if sender else "the client")
    return f"{clause[0].upper()}{clause[1:]}."


def _says(clause: str) -> Callable[[Any, str], str]:
    return lambda _, who: clause.format(who=who)


def _orders(orders: Iterable[Any]) -> str:
    return "; ".join(order_clause(order) for order in orders)


def _for_turn(turn: Turn | None) -> str:
    return f" for {turn_name(turn)}" if turn else ""


def _submit(message: m.SubmitOrders, who: str) -> str:
    return f"{who} orders{_for_turn(message.turn)}: {_orders(message.orders)}"


def _cancel_orders(message: m.CancelOrders, who: str) -> str:
    what = f"the order that {order_clause(message.order)}" if message.order else "all its orders"
    return f"{who} takes back {what}"


def _draw(message: m.RequestDraw | m.CancelDraw | m.DrawDeclared) -> str:
    return f"a draw between {power_names(message.powers)}" if message.powers else "a draw"


def _cancel_time(message: m.CancelTime, who: str) -> str:
    if message.seconds is None:
        return f"{who} no longer wants to be told of the time"
    return f"{who} no longer wants to be told when {_left(message.seconds)}"


def _left(seconds: int) -> str:
    return "1 second is left" if seconds == 1 else f"{seconds} seconds are left"


def _send_press(message: m.SendPress, who: str) -> str:
    clause = press_clause(message.press, who, message.recipients)
    return f"in {turn_name(message.turn)} {clause}" if message.turn else clause


def _press_received(message: m.PressReceived, _: str) -> str:
    return press_clause(message.press, power_name(message.sender), message.recipients)


def _answer(verb: str) -> Callable[[Any, str], str]:
    def answer(message: m.Yes | m.Rej, _: str) -> str:
        inner = describe(message.message).removesuffix(".")
        return f'the server {verb} this: "{inner}"'

    return answer


def _map_definition(message: m.MapDefinition, _: str) -> str:
    centers = sum(len(home.centers) for home in message.homes)
    return (
        f"the map has {len(message.powers)} powers, {len(message.borders)} provinces "
        f"and {centers} supply centers"
    )


def _hello(message: m.Hello, _: str) -> str:
    who = f"plays {power_name(message.power)}" if message.power else "observes"
    return f"the game starts and the client {who}: {_options(message.options)}"


def _ownership(message: m.Ownership, _: str) -> str:
    return "; ".join(
        f"{power_name(holding.owner) if holding.owner else 'nobody'} owns "
        f"{province_names(holding.centers) if holding.centers else 'nothing'}"
        for holding in message.holdings
    )


def _now(message: m.Now, _: str) -> str:
    by_power: dict[Power, list[str]] = defaultdict(list)
    for unit in message.units:
        power = unit.power if isinstance(unit, Unit) else unit.unit.power
        by_power[power].append(_standing(unit))
    powers = (f"{power_name(power)} has {listed(units)}" for power, units in by_power.items())
    return f"it is {turn_name(message.turn)}: {'; '.join(powers) or 'no units'}"


def _standing(unit: Unit | DislodgedUnit) -> str:
    if isinstance(unit, Unit):
        article = "an" if unit.kind is UnitKind.ARMY else "a"
        return f"{article} {_kind_and_place(unit)}"
    fate = "has nowhere to go"
    if unit.retreats:
        fate = f"may retreat to {listed(map(location_name, unit.retreats), 'or')}"
    return f"a dislodged {_kind_and_place(unit.unit)} that {fate}"


def _kind_and_place(unit: Unit) -> str:
    return f"{KINDS[unit.kind]} in {location_name(unit.location)}"


def _order_answer(message: m.OrderAnswer, _: str) -> str:
    verdict = NOTES[message.note]
    if message.note is not OrderNote.MIGHT_BE_VALID:
        verdict = f"refused, because {verdict}"
    return f"the order that {order_clause(message.order)} is {verdict}"


def _missing(message: m.Missing, _: str) -> str:
    if message.adjustments is not None:
        what = "removal" if message.adjustments > 0 else "build"
        count = abs(message.adjustments)
        return f"{count} {what} is missing" if count == 1 else f"{count} {what}s are missing"
    if not message.units:
        return "no orders are missing"
    units = (unit if isinstance(unit, Unit) else unit.unit for unit in message.units)
    return f"orders are missing for {listed(map(unit_name, units))}"


def _order_outcome(message: m.OrderOutcome, _: str) -> str:
    results = []
    if isinstance(message.result, OrderNote):
        results.append(f"illegal, because {NOTES[message.result]}")
    elif message.result:
        results.append(RESULTS[message.result])
    if message.dislodged:
        results.append("dislodged")
    return f"{turn_name(message.turn)}: {order_clause(message.order)} ({', '.join(results)})"


def _civil_disorder(message: m.CivilDisorder, _: str) -> str:
    name = power_name(message.power)
    if message.turn:
        return f"{name} has been in civil disorder since {turn_name(message.turn)}"
    unheard = ", and the press did not reach it" if message.undelivered else ""
    return f"{name} is in civil disorder{unheard}"


def _summary(message: m.Summary, _: str) -> str:
    players = (
        f"{power_name(player.power)} ({player.name.strip() or 'nobody'}) "
        + (f"was out in {player.eliminated}" if player.eliminated else _owned(player.centers))
        for player in message.players
    )
    return f"the game ended in {turn_name(message.turn)}: {listed(players)}"


def _owned(centers: int) -> str:
    return "has 1 center" if centers == 1 else f"has {centers} centers"


def _options(options: Iterable[m.VariantOption]) -> str:
    return listed(OPTIONS[option.word].format(option.value) for option in options)


def _game_listed(message: m.GameListed, _: str) -> str:
    return (
        f"the game {message.name} on the map {message.variant} {STATUSES[message.status]}, "
        f"with {message.players_needed} players missing: {_options(message.options)}"
    )


def _select_game(message: m.SelectGame, who: str) -> str:
    return (
        f"{who} asks for its game" if message.game is None else f"the game {message.game} is chosen"
    )


_CLAUSES: dict[type, Callable[[Any, str], str]] = {
    m.Name: lambda x, _: f"{x.name} {x.version} wants to play",
    m.Observe: lambda x, who: f"{x.name or who} wants to observe",
    m.IAm: lambda x, who: f"{who} wants to take over {power_name(x.power)}",
    m.AskMap: _says("{who} asks for the name of the map"),
    m.AskMapDefinition: _says("{who} asks for the map"),
    m.AskHello: _says("{who} asks which power it plays and by which rules"),
    m.AskNow: _says("{who} asks for the position"),
    m.AskOwnership: _says("{who} asks who owns which supply center"),
    m.AskOrders: _says("{who} asks for the latest results"),
    m.AskHistory: lambda x, who: (
        f"{who} asks for the "
        + (f"results of {turn_name(x.turn)}" if x.turn else "beginning of the game")
    ),
    m.AskMissing: _says("{who} asks which orders are missing"),
    m.AskTime: _says("{who} asks how much time is left"),
    m.AskSummary: _says("{who} asks for the result of the game"),
    m.SubmitOrders: _submit,
    m.CancelOrders: _cancel_orders,
    m.Go: _says("{who} is ready for the turn to be processed"),
    m.CancelGo: _says("{who} wants the turn to wait for its deadline"),
    m.RequestDraw: lambda x, who: f"{who} votes for {_draw(x)}",
    m.CancelDraw: lambda x, who: f"{who} takes back its vote for {_draw(x)}",
    m.RequestTime: lambda x, who: f"{who} wants to be told when {_left(x.seconds)}",
    m.CancelTime: _cancel_time,
    m.SendPress: _send_press,
    m.AcceptMap: lambda x, who: f"{who} is ready to play on the map {x.name}",
    m.RefuseMap: lambda x, who: f"{who} cannot play on the map {x.name}",
    m.Saved: lambda x, who: f"{who} {'has' if x.done else 'could not'} save{'d' * x.done} {x.game}",
    m.Loaded: lambda x, who: (
        f"{who} {'has' if x.done else 'could not'} load{'ed' * x.done} {x.game}"
    ),
    m.Admin: lambda x, _: f'{x.name} tells everybody: "{x.text}"',
    m.AskGames: lambda x, who: (
        f"{who} asks " + (f"about the game {x.game}" if x.game else "which games there are")
    ),
    m.SelectGame: _select_game,
    m.Ping: _says("{who} asks for a sign of life"),
    m.Huh: lambda x, _: f"the message has an error at ERR: {to_text(x.tokens)}",
    m.Prn: lambda x, _: f"the brackets of the message do not match: {to_text(x.tokens)}",
    m.Yes: _answer("accepts"),
    m.Rej: _answer("refuses"),
    m.MapName: lambda x, _: f"the map is {x.name}",
    m.MapDefinition: _map_definition,
    m.Hello: _hello,
    m.Ownership: _ownership,
    m.Now: _now,
    m.OrderAnswer: _order_answer,
    m.Missing: _missing,
    m.OrderOutcome: _order_outcome,
    m.TimeLeft: lambda x, _: _left(x.seconds),
    m.TimerStopped: lambda x, _: f"the clock has stopped, and {_left(x.seconds)}",
    m.CivilDisorder: _civil_disorder,
    m.BackInOrder: lambda x, _: f"{power_name(x.power)} is back",
    m.Eliminated: lambda x, _: f"{power_name(x.power)} is eliminated and cannot be reached",
    m.PressReceived: _press_received,
    m.SaveGame: lambda x, _: f"the client is to save the game {x.game}",
    m.LoadGame: lambda x, _: f"the client is to load the game {x.game}",
    m.TurnOff: _says("the client is told to leave"),
    m.SoloDeclared: lambda x, _: f"{power_name(x.power)} has won",
    m.DrawDeclared: lambda x, _: f"the game ended in {_draw(x)}",
    m.Summary: _summary,
    m.GameListed: _game_listed,
}

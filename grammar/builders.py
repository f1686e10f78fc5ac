"""From grammar to values: what each production of the level files makes of its parts.

The keys are the names behind the arrows in the level files, or the names of the rules. Productions
with a single part and no entry here pass that part on.
"""

from collections.abc import Mapping
from functools import partial
from typing import Final

from grammar import messages as m
from grammar import press as p
from grammar.machine import Builder
from rules import orders as o
from rules.orders import UnitKind
from rules.places import Coast, Location, Power, Province
from rules.position import DislodgedUnit
from rules.turns import Season, Turn

# Locations and units without coasts, by the ids of what they are made of: few, and named in most
# messages. The values keep their parts alive, so that no other object can have the same ids; names
# would not do, since provinces of different maps may share them.
_LOCATIONS: dict[int, Location] = {}
_UNITS: dict[tuple[bool, int, int], o.Unit] = {}


def _place(province: Province) -> Location:
    location = _LOCATIONS.get(id(province))
    if location is None:
        location = _LOCATIONS[id(province)] = Location(province)
    return location


def _unit_in(power: Power, kind: UnitKind, province: Province) -> o.Unit:
    key = kind is UnitKind.ARMY, id(power), id(province)
    unit = _UNITS.get(key)
    if unit is None:
        unit = _UNITS[key] = o.Unit(power, kind, _place(province))
    return unit


def _unit_on_coast(power: Power, kind: UnitKind, province: Province, coast: Coast) -> o.Unit:
    return o.Unit(power, kind, Location(province, coast))


def _dislodged(
    power: Power, kind: UnitKind, location: Location, retreats: tuple[Location, ...]
) -> DislodgedUnit:
    return DislodgedUnit(o.Unit(power, kind, location), retreats)


def _none_or_more(items: tuple[object, ...] = ()) -> tuple[object, ...]:
    return items


def _two_or_more(first: object, rest: tuple[object, ...]) -> tuple[object, ...]:
    return (first, *rest)


_ORDERS: dict[str, Builder] = {
    "turn": Turn,
    "two_or_more_powers": _two_or_more,
    "place": _place,
    "coast": Location,
    "unit_in": _unit_in,
    "unit_on_coast": _unit_on_coast,
    "dislodged_unit": _dislodged,
    "locations": _none_or_more,
    "hold": o.Hold,
    "move": o.Move,
    "support_hold": o.SupportHold,
    "support_move": o.SupportMove,
    "convoy": o.Convoy,
    "move_by_convoy": o.MoveByConvoy,
    "retreat": o.Retreat,
    "disband": o.Disband,
    "build": o.Build,
    "remove": o.Remove,
    "waive": o.Waive,
}

_CLIENT: dict[str, Builder] = {
    "name": m.Name,
    "observe": m.Observe,
    "i_am": m.IAm,
    "ask_map": m.AskMap,
    "ask_map_definition": m.AskMapDefinition,
    "ask_hello": m.AskHello,
    "ask_now": m.AskNow,
    "ask_ownership": m.AskOwnership,
    "ask_orders": m.AskOrders,
    "ask_history": m.AskHistory,
    "ask_missing": m.AskMissing,
    "ask_time": m.AskTime,
    "ask_summary": m.AskSummary,
    "submit_orders": m.SubmitOrders,
    "submit_orders_for": lambda turn, orders: m.SubmitOrders(orders, turn),
    "cancel_orders": m.CancelOrders,
    "go": m.Go,
    "cancel_go": m.CancelGo,
    "request_draw": m.RequestDraw,
    "cancel_draw": m.CancelDraw,
    "request_time": m.RequestTime,
    "cancel_time": m.CancelTime,
    "send_press": m.SendPress,
    "send_press_in": lambda turn, to, press: m.SendPress(to, press, turn),
    "send_press_as": lambda number, to, press: m.SendPress(to, press, number=number),
    "accept_map": m.AcceptMap,
    "refuse_map": m.RefuseMap,
    "saved": partial(m.Saved, done=True),
    "not_saved": partial(m.Saved, done=False),
    "loaded": partial(m.Loaded, done=True),
    "not_loaded": partial(m.Loaded, done=False),
    "admin": m.Admin,
    "ask_games": m.AskGames,
    "select_game": m.SelectGame,
    "ping": m.Ping,
}

_SERVER: dict[str, Builder] = {
    "yes": m.Yes,
    "rej": m.Rej,
    "map_name": m.MapName,
    "map_definition": m.MapDefinition,
    "provinces": _none_or_more,
    "home_of_one": lambda power, centers=(): m.HomeCenters((power,), centers),
    "home_of_none": lambda _, centers=(): m.HomeCenters((), centers),
    "home_of_several": m.HomeCenters,
    "province_borders": m.ProvinceBorders,
    "borders": lambda kind, locations: m.Borders(kind, None, locations),
    "coast_borders": m.Borders,
    "hello": m.Hello,
    "option": m.VariantOption,
    "ownership": m.Ownership,
    "owned_centers": m.OwnedCenters,
    "now": m.Now,
    "standing": _none_or_more,
    "order_answer": m.OrderAnswer,
    "nothing_missing": m.Missing,
    "missing_units": m.Missing,
    "missing_adjustments": lambda count: m.Missing((), count),
    "order_outcome": m.OrderOutcome,
    "order_dislodged": partial(m.OrderOutcome, result=None, dislodged=True),
    "order_outcome_dislodged": partial(m.OrderOutcome, dislodged=True),
    "time_left": m.TimeLeft,
    "timer_stopped": m.TimerStopped,
    "civil_disorder": m.CivilDisorder,
    "undeliverable": lambda power, press: m.CivilDisorder(power, undelivered=press),
    "back_in_order": m.BackInOrder,
    "eliminated": m.Eliminated,
    "press_received": m.PressReceived,
    "save_game": m.SaveGame,
    "load_game": m.LoadGame,
    "turn_off": m.TurnOff,
    "solo_declared": m.SoloDeclared,
    "draw_declared": m.DrawDeclared,
    "summary": m.Summary,
    "player_summary": m.PlayerSummary,
    "game_listed": m.GameListed,
    "game_status": m.GameStatus,
}

_PRESS: dict[str, Builder] = {
    "proposal": p.Propose,
    "statement": p.StateFact,
    "state_fact": p.StateFact,
    "cancel": p.Cancel,
    "understand": p.Understand,
    "try_words": _none_or_more,
    "accept": p.Accept,
    "refuse": p.Refuse,
    "decline": p.Decline,
    "not_understood": p.NotUnderstood,
    "not_": p.Not,
    "no_arrangement": p.NoArrangement,
    "peace": p.Peace,
    "alliance": p.Alliance,
    "draw": p.Draw,
    "solo": p.Solo,
    "give_order": p.GiveOrder,
    "demilitarize": p.Demilitarize,
    "parts": _two_or_more,
    "undated_parts": _two_or_more,
    "all_of": p.AllOf,
    "any_of": p.AnyOf,
    "choose": p.Choose,
    "divide_centers": p.DivideCenters,
    "share": p.CenterShare,
    "occupy": p.Occupy,
    "any_unit": p.AnyUnit,
    "demand": p.Insist,
    "query": p.Query,
    "suggestion": p.Suggest,
    "opinion": p.Think,
    "think": p.Think,
    "dont_know": p.DontKnow,
    "ask_order": p.AskOrder,
    "ask_attack": p.AskAttack,
    "explanation": p.DemandExplanation,
    "sorry": p.Sorry,
    "during": lambda turn, arrangement: p.During(turn, None, arrangement),
    "during_period": p.During,
    "if_then": p.IfThen,
    "owe_favor": p.OweFavor,
    "control_units": p.ControlUnits,
    "forwarded": p.Forwarded,
    "say_to": p.SayTo,
    "forward_press": p.ForwardPress,
    "copy_press": p.CopyPress,
    "reason": p.Why,
    "position_explains": p.PositionExplains,
    "free_text": p.FreeText,
}

BUILDERS: Final[Mapping[str, Builder]] = _ORDERS | _CLIENT | _SERVER | _PRESS

# What single tokens mean: the words of the language that are values of the game.
WORD_VALUES: Final[Mapping[str, object]] = {
    **{each.value: each for each in UnitKind},
    **{each.value: each for each in Coast},
    **{each.value: each for each in Season},
    **{each.value: each for each in o.OrderNote},
    **{each.value: each for each in o.OrderResult},
    "UNO": None,
}

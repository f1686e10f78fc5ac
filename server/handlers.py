"""Which function answers which message of a client."""

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from grammar import messages as m
from server import admin, game_choice, joining, ordering, press_desk, questions, timing
from server.seat import Client


class HandledGame(
    joining.JoinableGame,
    ordering.OrderedGame,
    press_desk.SpokenGame,
    questions.AskedGame,
    timing.TimedGame,
    admin.MasteredGame,
    game_choice.ListedGame,
    Protocol,
):
    """All that the handlers together see and change of a game."""


Handler: TypeAlias = Callable[[HandledGame, Client, Any], None]

HANDLERS: dict[type, Handler] = {
    m.Name: joining.on_name,
    m.Observe: joining.on_observe,
    m.IAm: joining.on_i_am,
    m.AcceptMap: joining.on_accept_map,
    m.RefuseMap: joining.on_refuse_map,
    m.AskMap: questions.on_ask_map,
    m.AskMapDefinition: questions.on_ask_map_definition,
    m.AskHello: questions.on_ask_hello,
    m.AskNow: questions.on_ask_now,
    m.AskOwnership: questions.on_ask_ownership,
    m.AskOrders: questions.on_ask_orders,
    m.AskHistory: questions.on_ask_history,
    m.AskMissing: questions.on_ask_missing,
    m.AskSummary: questions.on_ask_summary,
    m.AskTime: timing.on_ask_time,
    m.RequestTime: timing.on_request_time,
    m.CancelTime: timing.on_cancel_time,
    m.Admin: admin.on_admin,
    m.SubmitOrders: ordering.on_submit,
    m.CancelOrders: ordering.on_cancel_orders,
    m.Go: ordering.on_go,
    m.CancelGo: ordering.on_cancel_go,
    m.RequestDraw: ordering.on_request_draw,
    m.CancelDraw: ordering.on_cancel_draw,
    m.SendPress: press_desk.on_send_press,
    m.AskGames: game_choice.on_choice,
    m.SelectGame: game_choice.on_choice,
    m.Ping: game_choice.on_choice,
}
# Never answered: HUH and PRN by the rules of the language, the rest because nothing follows.
UNANSWERED = (m.Huh, m.Prn, m.Saved, m.Loaded)

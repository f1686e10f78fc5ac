"""A record as plain text: what an observer would have heard of it, or its orders as a table."""

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

from grammar.boards import now_message, outcomes_told, ownership_message
from grammar.messages import DrawDeclared, ServerMessage, SoloDeclared
from grammar.representation import Representation
from grammar.text import to_line
from grammar.write import write
from rules.board import Board
from rules.position_json import position_from_json, turn_from_json
from rules.variants import load_board

COLUMNS = ("game", "season", "year", "power", "order", "note", "result", "dislodged", "automatic")


def daide_log(record: Mapping[str, Any]) -> str:
    """Return the game in DAIDE text, a message a line, as an observer with all press hears it."""
    board = load_board(record["setup"]["variant"])
    names = Representation.from_board(board)
    lines = [
        line if isinstance(line, str) else to_line(write(line, names), names)
        for line in _heard(board, record)
    ]
    return "".join(f"{line}\n" for line in lines)


def _heard(board: Board, record: Mapping[str, Any]) -> Iterator[str | ServerMessage]:
    yield f"MAP ( '{record['setup']['variant']}' )"
    position = position_from_json(board, record["start"])
    yield ownership_message(board, position)
    yield now_message(position)
    for played in record["turns"]:
        yield from _press(record, played["turn"])
        turn = turn_from_json(played["turn"])
        yield from outcomes_told(board, position, turn, played["orders"])
        following = position_from_json(board, played["position"])
        if following.owners != position.owners:
            yield ownership_message(board, following)
        position = following
        yield now_message(position)
    if record.get("winner"):
        yield SoloDeclared(board.power(record["winner"]))
    elif record.get("draw"):
        yield DrawDeclared(tuple(board.power(name) for name in record["draw"]))


def _press(record: Mapping[str, Any], turn: list[Any]) -> Iterator[str]:
    for each in record["press"]:
        if each["turn"] == turn:
            to = " ".join(each["recipients"])
            # A text of another program may have lines; here a message has one.
            text = " ".join(each["text"].splitlines())
            yield f"FRM ( {each['sender']} ) ( {to} ) ( {text} )"


def orders_csv(record: Mapping[str, Any]) -> str:
    """Return every order with what came of it, a row each."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    for played in record["turns"]:
        season, year = played["turn"]
        for each in played["orders"]:
            table.writerow(
                (
                    *(record["setup"]["name"], season, year, each["power"], each["order"]),
                    *(each.get("note") or "MBV", each.get("result") or ""),
                    *(int(each["dislodged"]), int(each.get("automatic", False))),
                )
            )
    return text.getvalue()

"""A game from its record: the same facts that its server told, told again.

Raises BadInputError that names the file for what is no record, or one of another version.
"""

import json
from collections.abc import Iterator
from typing import Any

from daide.frames import tokens_to_bytes
from feed.events import Event, GameEnded, Lobby, PhaseBegun, PlayersSeated, PositionReached
from feed.facts import BookEnded, EventTold, Fact, GameOpened, PressTold, TurnTold
from feed.facts_to_events import EventMaker
from grammar.representation import Representation
from grammar.text import from_text
from rules.position_json import turn_from_json
from rules.variants import load_board
from server.record_file import naming
from spectator.web.chronicle import Chronicle

_GAME = 1


def chronicle_of(record: dict[str, Any], place: str, *, name: str | None = None) -> Chronicle:
    """Tell a recorded game; `place` is what complaints call it."""
    with naming(place):
        opened, *facts = facts_of(record)
        assert isinstance(opened, GameOpened)
        chronicle = Chronicle(opened)
        if name is not None:
            chronicle.name = name
        for fact in facts:
            assert not isinstance(fact, GameOpened)
            chronicle.learn(fact)  # type: ignore[arg-type]  # no opening among them
    return chronicle


def events_of(record: dict[str, Any]) -> Iterator[Event]:
    """Give the events of the game, as a server would have published them."""
    opened, *facts = facts_of(record)
    assert isinstance(opened, GameOpened)
    maker = EventMaker(opened)
    for fact in facts:
        yield from maker.learn(fact)  # type: ignore[arg-type]  # no opening among them


def facts_of(record: dict[str, Any]) -> Iterator[Fact]:
    """Give what the server told of the game, in its order."""
    setup, settings = record["setup"], record["setup"]["settings"]
    names = Representation.from_board(load_board(setup["variant"]))
    yield GameOpened(
        game=_GAME,
        name=setup["name"],
        run="record",
        variant=setup["variant"],
        press_level=settings["level"],
        has_partial_draws=settings["partial_draws"],
        start=record["start"],
    )
    yield EventTold(_GAME, 0.0, _lobby(record))
    players = record["players"]
    seated = [
        {"power": power, "name": each["name"], "version": each["version"]}
        for power, each in players.items()
    ]
    yield EventTold(_GAME, 0.0, PlayersSeated(seated))  # type: ignore[arg-type]  # as JSON has it
    yield EventTold(_GAME, 0.0, PositionReached(record["start"]))
    turn = record["start"]["turn"]
    yield EventTold(_GAME, 0.0, PhaseBegun(turn, turn_from_json(turn).phase.value, None))
    said, time = list(record.get("press", ())), 0.0
    for played in record["turns"]:
        while said and said[0]["turn"] == played["turn"]:
            time = said[0]["time"]
            yield _press(said.pop(0), names)
        goes_on = played is not record["turns"][-1] or record["stage"] == "running"
        yield TurnTold(_GAME, time, json.dumps(played), goes_on, None)
    for press in said:
        time = press["time"]
        yield _press(press, names)
    if record["stage"] == "ended":
        yield EventTold(_GAME, time, _result(record))
        yield BookEnded(_GAME, time, is_drawn=bool(record["draw"]))


def _press(press: dict[str, Any], names: Representation) -> PressTold:
    recipients = " ".join(press["recipients"])
    text = f"FRM ( {press['sender']} ) ( {recipients} ) ( {press['text']} )"
    return PressTold(_GAME, press["time"], tokens_to_bytes(from_text(text, names)))


def _lobby(record: dict[str, Any]) -> Lobby:
    setup, settings = record["setup"], record["setup"]["settings"]
    return Lobby(
        stage=record["stage"],
        variant=setup["variant"],
        press_level=settings["level"],
        limits={
            "movement": settings["movement_limit"],
            "retreat": settings["retreat_limit"],
            "build": settings["build_limit"],
        },
        last_year=settings["last_year"],
        seats=len(record["players"]),
        players=len(record["players"]),
    )


def _result(record: dict[str, Any]) -> GameEnded:
    last = record["turns"][-1]["position"] if record["turns"] else record["start"]
    centers, eliminated = last["centers"], record.get("eliminated", {})
    players = [
        {
            "power": power,
            "name": each["name"],
            "version": each["version"],
            "centers": len(centers.get(power, ())),
            "eliminated": eliminated.get(power),
        }
        for power, each in record["players"].items()
    ]
    return GameEnded(
        outcome="solo" if record["winner"] else "draw" if record["draw"] else "aborted",
        winner=record["winner"],
        draw=record["draw"],
        ending=record["ending"],
        turn=last["turn"],
        players=players,  # type: ignore[arg-type]  # as JSON has it
    )

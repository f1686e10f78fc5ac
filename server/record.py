"""The record of a game: how it was set up, and everything that happened to it.

From a record alone a game can be replayed, exported as JSON, and resumed from any turn as a new
game. Raises BadInputError for a turn that was not played.
"""

from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import attrs
from attrs import evolve, field, frozen

from grammar.messages import Admin, OrderOutcome
from grammar.parse import reader_for
from grammar.text import to_text
from grammar.tokens import Tokens, Word
from grammar.write import write, write_press
from promises.export import book_to_json
from rules.errors import BadInputError
from rules.notation import format_order
from rules.orders import Order, OrderNote, power_of
from rules.outcome import Ending, ending_to_json
from rules.position import Position
from rules.position_json import position_from_json, position_to_json, turn_from_json, turn_to_json
from rules.turns import Turn
from rules.variants import load_board
from server.admin import secret_tried
from server.game import Game
from server.game_log import replaying
from server.history import PlayedTurn, RelayedPress, promise_book
from server.inputs import Batch, Input, Received, apply
from server.record_file import RECORD_FORMAT, naming, read_record
from server.settings import SECRETS, AbsentPolicy, GameSettings


@frozen
class GameSetup:
    """All that is decided before anything happens."""

    name: str
    variant: str
    settings: GameSettings
    seed: int
    start: Position | None = None
    """The position it starts from, None for that of the variant."""
    passcodes: Mapping[str, int] | None = field(default=None, repr=False)
    """The passcodes of the powers, None where they follow from the seed."""

    def new_game(self) -> Game:
        """Make the game as it was before its first input."""
        board = load_board(self.variant)
        return Game(
            board,
            self.settings,
            name=self.name,
            seed=self.seed,
            start=self.start,
            passcodes=self.passcodes,
        )


@frozen
class GameRecord:
    """A setup and what happened since, in order."""

    setup: GameSetup
    batches: tuple[Batch, ...]

    def happenings(self) -> Iterator[tuple[Batch, Input]]:
        """Give everything that happened, with the batch it was handled in."""
        for batch in self.batches:
            for happened in batch.inputs:
                yield batch, happened


def replay(record: GameRecord) -> Game:
    """Return the game as it was after its last input."""
    game = record.setup.new_game()
    repeat(game, record.batches)
    return game


def repeat(game: Game, batches: Iterable[Batch]) -> None:
    """Let happen once more what happened to a game, without a word in the log."""
    with replaying():
        for batch in batches:
            for happened in batch.inputs:
                apply(game, happened, batch.time)


def resume_from_file(path: str, turn: Turn) -> GameSetup:
    """Return the setup of a new game that starts where that turn of a recorded one began."""
    data = read_record(Path(path))
    with naming(path):
        setup = setup_from_json(data["setup"])
        told = [data["start"], *(played["position"] for played in data["turns"])]
        found = next((each for each in told if each["turn"] == turn_to_json(turn)), None)
        if found is None:
            first, last = (turn_from_json(each["turn"]).code for each in (told[0], told[-1]))
            raise BadInputError(
                f"has no turn {turn.code}, {setup.name} goes from {first} to {last}; "
                "turns without anything to order are left out"
            )
        start = position_from_json(load_board(setup.variant), found)
        return _begun_again(setup, f"{setup.name} from {turn}", start)


def _begun_again(setup: GameSetup, name: str, start: Position) -> GameSetup:
    settings = evolve(setup.settings, locks_seats=False)
    return evolve(setup, name=name, start=start, settings=settings, passcodes=None)


# --- JSON -----------------------------------------------------------------------------------------


def record_to_json(record: GameRecord) -> dict[str, Any]:
    """Return everything about a game as a JSON object, but for its secrets."""
    steps = record_in_steps(record)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return cast("dict[str, Any]", done.value)


def record_in_steps(record: GameRecord) -> Generator[None, None, dict[str, Any]]:
    """Return the same, and let others work in between.

    What came after the end is left out, so that the record is the same whenever it is made.
    """
    game = record.setup.new_game()
    messages: list[dict[str, Any]] = []
    press: list[dict[str, Any]] = []
    for batch, happened in record.happenings():
        if isinstance(happened, Received):
            messages.append(_message_to_json(game, happened, batch.time))
        with replaying():
            apply(game, happened, batch.time)
        relayed = game.history.press[len(press) :]
        press += [_press_to_json(game, each, batch.time) for each in relayed]
        if game.ending is not None:
            break
        yield
    book = promise_book(game.history)
    if game.ending is not None:
        book.finish(game.position.turn, drawn=bool(game.ending.draw))
    return {
        "format": RECORD_FORMAT,
        "setup": public_setup(record.setup),
        "stage": game.stage.value,
        **declared(game.ending),
        "players": {
            power.name: {"name": seat.name, "version": seat.version}
            for power, seat in game.seats.items()
        },
        "eliminated": {
            power.name: seat.eliminated_in
            for power, seat in game.seats.items()
            if seat.eliminated_in is not None
        },
        "messages": messages,
        "press": press,
        "start": position_to_json(game.history.start),
        "turns": [played_to_json(played) for played in game.history.turns],
        **book_to_json(book, game.representation),
    }


def declared(ending: Ending | None) -> dict[str, Any]:
    """Write how a game ended, and as what it was declared."""
    winner, draw = (ending.winner, ending.draw) if ending else (None, ())
    return {
        "ending": ending_to_json(ending) if ending else None,
        "winner": winner.name if winner else None,
        "draw": [power.name for power in draw],
    }


def _message_to_json(game: Game, received: Received, time: float) -> dict[str, Any]:
    sender = game.clients.get(received.client)
    power = sender.power.name if sender and sender.power else None
    text = to_text(_without_secret(received.tokens), game.representation)
    return {"time": round(time, 6), "client": received.client, "power": power, "text": text}


def _press_to_json(game: Game, relayed: RelayedPress, time: float) -> dict[str, Any]:
    """Write what went out: messages have what was sent, also what the game refused."""
    names, said = game.representation, relayed.press
    return {
        "time": round(time, 6),
        "turn": turn_to_json(relayed.turn),
        "sender": said.sender.name,
        "recipients": [power.name for power in said.recipients],
        "text": to_text(write_press(said.press, names), names),
    }


def _without_secret(tokens: Tokens) -> Tokens:
    """Cut the secret out of a command to the server."""
    message = reader_for(0).client(tokens) if tokens[0] == Word.ADM else None
    if isinstance(message, Admin) and secret_tried(message.text):
        return write(Admin(message.name, "Server: (a secret)"))
    return tokens


def public_setup(setup: GameSetup) -> dict[str, Any]:
    """Write a setup without its secrets, as records tell it."""
    data = setup_to_json(setup)
    del data["passcodes"]
    for name in SECRETS:
        del data["settings"][name]
    return data


def setup_to_json(setup: GameSetup) -> dict[str, Any]:
    """Write a setup; `setup_from_json` reads it.

    With its secrets: a replay needs those that the commands in the record were given with.
    """
    settings = attrs.asdict(setup.settings, recurse=False)
    settings["absent"] = setup.settings.absent.value
    settings["seats"] = dict(setup.settings.seats)
    return {
        "name": setup.name,
        "variant": setup.variant,
        "seed": setup.seed,
        "settings": settings,
        "start": position_to_json(setup.start) if setup.start else None,
        "passcodes": dict(setup.passcodes) if setup.passcodes else None,
    }


def setup_from_json(data: Mapping[str, Any]) -> GameSetup:
    """Read a setup; a setting that came later has its default."""
    settings = dict(data["settings"])
    settings["absent"] = AbsentPolicy(settings["absent"])
    # Without passcodes the game is from a time when a power was locked after five wrong ones.
    settings.setdefault("locks_seats", "passcodes" not in data)
    known = {each.name for each in attrs.fields(GameSettings)}
    start = data["start"]
    return GameSetup(
        name=data["name"],
        variant=data["variant"],
        seed=data["seed"],
        settings=GameSettings(**{key: settings[key] for key in settings if key in known}),
        start=position_from_json(load_board(data["variant"]), start) if start else None,
        passcodes=data.get("passcodes"),
    )


def played_to_json(played: PlayedTurn) -> dict[str, Any]:
    """Write a turn: its orders with results, and the position that followed."""
    return {
        "turn": turn_to_json(played.turn),
        "orders": [_outcome_to_json(each, played.automatic) for each in played.outcomes],
        "position": position_to_json(played.position),
    }


def _outcome_to_json(outcome: OrderOutcome, automatic: Collection[Order]) -> dict[str, Any]:
    order, result = outcome.order, outcome.result
    mark = {"automatic": True} if order in automatic else {}
    return {
        "power": power_of(order).name,
        "order": format_order(order),
        "note" if isinstance(result, OrderNote) else "result": result.value if result else None,
        "dislodged": outcome.dislodged,
        **mark,
    }

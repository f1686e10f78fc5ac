"""`daide tournament collect`: the games of servers elsewhere, as they are told at a broker.

Every game that is heard from its beginning to its end becomes a line of `games.jsonl`, from events
alone; the players' names stand for bots. So `daide tournament report` works for games that were
played by anybody, anywhere. Promises and press are private: they are there if the broker lets us
read them.
"""

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

from cli.parsing import command_parser, whole
from feed.address import BrokerAddress, read_address
from feed.broker import BrokerState
from feed.events import BookClosed, Lobby, Told, told_from_bytes
from feed.listening import RefusedByBrokerError, letters_from
from feed.outbox import Letter
from feed.story import GameStory
from feed.topics import ANY, Place, place_of, private_events, public_events
from rules.errors import BadInputError
from rules.outcome import ending_from_json, result_to_json
from rules.places import Power
from rules.position_json import PositionJson, turn_from_json
from rules.turns import at_year_ends
from tournament.game_result import GameResult
from tournament.results_file import ResultsFile

EXAMPLE = """example:
  daide tournament collect --mqtt mqtt://referee@broker --out results/course --games 20
  daide tournament report results/course"""
MODE = "feed"


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    options = _parser().parse_args(arguments)
    address = read_address(options.mqtt)
    if options.server != ANY and set(options.server) & set("/+#"):
        raise BadInputError(f"--server: {options.server!r} is part of a topic: no /, + or #")
    results = ResultsFile(options.out)
    try:
        asyncio.run(_collect(options, address, results))
    finally:
        results.close()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "tournament collect",
        "Write down the games that are told at a broker, until Ctrl-C.",
        EXAMPLE,
    )
    parser.add_argument("--mqtt", required=True, metavar="URL", help="the broker")
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="for games.jsonl")
    parser.add_argument("--server", default=ANY, metavar="NAME", help="only games of this server")
    parser.add_argument("--games", type=whole(1), metavar="N", help="end after so many games")
    return parser


async def _collect(
    options: argparse.Namespace, address: BrokerAddress, results: ResultsFile
) -> None:
    def on_state(state: BrokerState, why: str) -> None:
        _say(f"broker {address}: {state.value} {why}".rstrip())

    topics = public_events(options.server), private_events(options.server)
    collector = Collector(results, _say)
    news = letters_from(address, topics, who="collect", on_state=on_state)
    try:
        async with aclosing(news) as letters:
            while options.games is None or collector.collected < options.games:
                collector.receive(await anext(letters))
    except RefusedByBrokerError as error:
        raise BadInputError(f"--mqtt: the broker refuses us: {error}") from None


def _say(text: str) -> None:
    print(f"daide tournament: {text}", file=sys.stderr, flush=True)  # noqa: T201 - its output


class Collector:
    """Makes lines of what it hears."""

    def __init__(self, results: ResultsFile, say: Callable[[str], None]) -> None:
        self.collected = 0
        self._results = results
        self._say = say
        self._stories: dict[Place, GameStory] = {}

    def receive(self, letter: Letter) -> None:
        """Learn from an event; a game that is over with it is written down."""
        place = place_of(letter.topic)
        if place is None:
            return
        try:
            told = told_from_bytes(letter.payload)
        except BadInputError as error:
            self._say(f"{letter.topic}: {error}")
            return
        if _is_beginning(told):
            self._stories[place] = GameStory()
        story = self._stories.get(place)
        if story is None or not story.receive(told):
            return
        if story.is_over and _is_last(told):
            del self._stories[place]
            self._keep(place, story, told.time)

    def _keep(self, place: Place, story: GameStory, seconds: float) -> None:
        if not is_whole(story):
            self._say(f"{place.game} of {place.server}: left out, some of its turns were missed")
            return
        number = max(self._results.played, default=-1) + 1
        try:
            kept = result_of(number, place.server, story, seconds)
        except BadInputError as error:
            self._say(f"{place.game} of {place.server}: left out: {error}")
            return
        self._results.append(kept)
        self.collected += 1
        self._say(f"{place.game} of {place.server}: game {number}")


def _is_beginning(told: Told) -> bool:
    return told.number == 1 and isinstance(told.event, Lobby) and told.event.stage == "forming"


def _is_last(told: Told) -> bool:
    """Whether this comes last: the book, or what follows it for those who may not read it."""
    event = told.event
    return isinstance(event, BookClosed) or (isinstance(event, Lobby) and event.stage == "ended")


def is_whole(story: GameStory) -> bool:
    """Whether every turn follows the one before, from the start to the result."""
    if story.start is None or story.result is None:
        return False
    reached = [story.start["turn"], *(each["position"]["turn"] for each in story.turns)]
    played = [*(each["turn"] for each in story.turns), story.result.turn]
    return reached == played


def result_of(number: int, server: str, story: GameStory, seconds: float) -> GameResult:
    """Return the result of a whole game; its server stands for the field."""
    result, start = story.result, story.start
    assert result is not None
    assert start is not None
    powers = [player["power"] for player in result.players]
    told = result_to_json(ending_from_json({name: Power(name) for name in powers}, result.ending))
    centers = _centers_by_year(powers, start, story)
    eliminated = {
        each["power"]: each["eliminated"]
        for each in result.players
        if each["eliminated"] is not None
    }
    said = Counter(press.sender for press in story.press)
    book = story.book or BookClosed([], [], [])
    return GameResult(
        number=number,
        field_name=server,
        seed=0,
        players={player["power"]: player["name"] for player in result.players},
        **told,
        phases=len(story.turns),
        seconds=round(seconds, 3),
        mode=MODE,
        centers=centers,
        eliminated=eliminated,
        press={power: said[power] for power in powers},
        promises=[{**each} for each in book.promises],
        offers=[{**each} for each in book.offers],
        stabs=[{**each} for each in book.stabs],
    )


def _centers_by_year(
    powers: list[str], start: PositionJson, story: GameStory
) -> dict[int, dict[str, int]]:
    """Count the centers at the end of every year, the one before the start included."""
    counted = at_year_ends(
        (turn_from_json(start["turn"]), start),
        (
            (
                turn_from_json(each["turn"]),
                turn_from_json(each["position"]["turn"]),
                each["position"],
            )
            for each in story.turns
        ),
    )
    return {
        year: {power: len(position["centers"].get(power, ())) for power in powers}
        for year, position in counted.items()
    }

"""Games that are played with the feed on, and what a subscriber makes of it."""

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from feed.events import PressSent
from feed.story import GameStory
from grammar.messages import SendPress
from grammar.parse import reader_for
from grammar.representation import Representation
from grammar.text import from_text, to_text
from grammar.write import write_press
from rules.variants import load_board
from tests.feed.brokers import Listener, RunningBroker


async def play(*arguments: str) -> dict[str, Any]:
    """Run `daide play` and return its result."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cli", "play", "--variant", "lagoon", "--seed", "5", "--json",
        *arguments, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, _ = await process.communicate()
    assert process.returncode == 0
    result: dict[str, Any] = json.loads(out)
    return result


def told_press(press: Sequence[PressSent]) -> dict[str, list[tuple[list[str], str]]]:
    """Return what each power said, to whom, in its order."""
    said: dict[str, list[tuple[list[str], str]]] = {}
    for each in press:
        said.setdefault(each.sender, []).append((each.recipients, each.text))
    return said


def recorded_press(record: dict[str, Any]) -> dict[str, list[tuple[list[str], str]]]:
    names = Representation.from_board(load_board(record["setup"]["variant"]))
    said: dict[str, list[tuple[list[str], str]]] = {}
    for message in record["messages"]:
        read = reader_for(record["setup"]["settings"]["level"], names).client(
            from_text(message["text"], names)
        )
        if isinstance(read, SendPress):
            recipients = [power.name for power in read.recipients]
            text = to_text(write_press(read.press, names), names)
            said.setdefault(message["power"], []).append((recipients, text))
    return said


def retold(story: GameStory) -> dict[str, Any]:
    assert story.result is not None
    assert story.players is not None
    assert story.book is not None
    return {
        "start": story.start,
        "turns": story.turns,
        "winner": story.result.winner,
        "draw": story.result.draw,
        "players": {
            each["power"]: {"name": each["name"], "version": each["version"]}
            for each in story.players.players
        },
        "promises": story.book.promises,
        "offers": story.book.offers,
        "stabs": story.book.stabs,
    }


async def test_a_subscriber_rebuilds_the_whole_game(broker: RunningBroker, tmp_path: Path) -> None:
    async with Listener(broker.address, "daide/v1/#") as listener:
        arguments = ("--press-level", "10", "--last-year", "1904", "--mqtt", broker.url)
        result = await play(*arguments, "--record", str(tmp_path / "game.json"))
        offline = b'"state": "offline"'
        await listener.until(lambda: any(offline in each.payload for each in listener.letters))
    record = json.loads((tmp_path / "game.json").read_text())
    story = GameStory()
    assert all(story.receive(told) for told in listener.told)
    assert story.missed == 0
    assert record["promises"]
    assert retold(story) == {name: record[name] for name in retold(story)}
    assert told_press(story.press) == recorded_press(record)
    assert len(story.press) == result["press_messages"] > 0

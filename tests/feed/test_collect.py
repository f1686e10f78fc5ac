"""Games that a tournament hears of at a broker."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from attrs import evolve

from feed.events import Lobby, OrdersJudged, told_from_bytes
from feed.outbox import Letter
from matches.finished_game import finished
from server.record import replay
from tests.feed.brokers import Listener, RunningBroker
from tests.feed.fed_host import Fed, fed_hosting, play_all, talkers, wanderers
from tests.patience import PATIENCE
from tournament.collect import Collector
from tournament.game_result import result_to_json
from tournament.play_job import result_of
from tournament.results_file import ResultsFile
from tournament.schedule import GameJob
from tournament.spec import Rules


def expected(fed: Fed) -> dict[str, Any]:
    """Return the line that the tournament's own runner would write of the game."""
    game = replay(fed.store.load(1))
    players = {power.name: seat.name for power, seat in game.seats.items()}
    rules = Rules(last_year=1902)
    job = GameJob(number=0, field="test", seed=0, players=players, bots={}, rules=rules)
    played = evolve(finished(job.match, game, fed.store.load(1)), mode="feed")
    line: dict[str, Any] = json.loads(json.dumps(result_to_json(result_of(job, played))))
    return line


async def heard(broker: RunningBroker) -> tuple[list[Letter], dict[str, Any]]:
    """Play a game and return what was told of it, and the line it should give."""
    over = b'"stage": "ended"'
    async with (
        Listener(broker.address, "daide/v1/#") as listener,
        fed_hosting(broker.address) as fed,
    ):
        await play_all(fed.hosted, [*talkers(), wanderers()[6]])
        await listener.until(lambda: any(over in each.payload for each in listener.letters))
        line = expected(fed)
    return listener.letters, line


def collected(folder: Path, letters: list[Letter]) -> tuple[list[dict[str, Any]], list[str]]:
    said: list[str] = []
    results = ResultsFile(folder)
    collector = Collector(results, said.append)
    for letter in letters:
        collector.receive(letter)
    results.close()
    assert collector.collected == len(results.results)
    return [result_to_json(each) for each in results.results], said


def is_told(letter: Letter, kind: type) -> bool:
    return "/games/" in letter.topic and isinstance(told_from_bytes(letter.payload).event, kind)


async def test_a_game_that_is_heard_becomes_the_line_of_a_played_one(
    broker: RunningBroker, tmp_path: Path
) -> None:
    letters, line = await heard(broker)
    (found,), _ = collected(tmp_path / "all", letters)
    assert timeless(found) == line
    assert line["offers"]
    # The same game from what everybody may know.
    public = [each for each in letters if "/private/" not in each.topic]
    (found,), _ = collected(tmp_path / "public", public)
    nothing: dict[str, Any] = {"promises": [], "offers": [], "stabs": []}
    silent = {"press": dict.fromkeys(line["press"], 0)}
    assert timeless(found) == line | nothing | silent
    # Nothing can be said of a game that was not heard from its beginning, or not all of it.
    late = [each for each in letters if not is_told(each, Lobby)]
    assert collected(tmp_path / "late", late) == ([], [])
    turns = [each for each in letters if is_told(each, OrdersJudged)]
    torn = [each for each in letters if each is not turns[2]]
    lines, said = collected(tmp_path / "torn", torn)
    assert (lines, said) == ([], ["game-1 of test: left out, some of its turns were missed"])


async def test_the_command_ends_after_so_many_games(broker: RunningBroker, tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cli", "tournament", "collect", "--mqtt", broker.url),
        *("--out", str(tmp_path), "--games", "1"),
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr
    async with asyncio.timeout(PATIENCE):
        assert b"connected" in await process.stderr.readline()
        async with fed_hosting(broker.address) as fed:
            await play_all(fed.hosted, wanderers())
            assert await process.wait() == 0
            line = expected(fed)
    found = json.loads((tmp_path / "games.jsonl").read_text())
    assert timeless(found) == line
    assert b"game-1 of test: game 0" in await process.stderr.read()


def timeless(line: dict[str, Any]) -> dict[str, Any]:
    assert line["seconds"] > 0
    return line | {"seconds": 0.0}

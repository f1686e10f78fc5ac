"""`daide watch --port` and `--mqtt` with `--browser`: games of a server elsewhere on the page."""

import asyncio
from collections.abc import Callable
from typing import Any

from attrs import evolve

from tests.feed.brokers import RunningBroker
from tests.feed.fed_host import Thinker, fed_hosting, play_all, talkers, wanderers
from tests.server.hosting import with_settings
from tests.spectator.web.test_serving_live import door_at, line_of, started
from tests.spectator.web.wire import Door

WATCH = ("watch", "--browser")
LINK = r"http://127\.0\.0\.1:(\d+)/(?:g/game)?(?:#([0-9a-f]{32}))?$"


async def document_of(
    door: Door, game: str, secret: str | None, is_so: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    """Return the document of a game once something is so."""
    async with asyncio.timeout(60):
        while True:
            answer = await door.ask(f"/api/games/{game}", secret=secret)
            if answer.status == 200 and is_so(answer.json):
                document: dict[str, Any] = answer.json
                return document
            await asyncio.sleep(0.1)


async def ended(door: Door, game: str, secret: str | None) -> dict[str, Any]:
    """Return the document of a game once it is over."""
    return await document_of(door, game, secret, lambda document: document["stage"] == "ended")


def orders(document: dict[str, Any]) -> list[Any]:
    return [[turn["turn"], [order[:3] for order in turn["orders"]]] for turn in document["turns"]]


async def test_a_game_is_shown_from_the_port_whenever_one_comes(broker: RunningBroker) -> None:
    async with fed_hosting(broker.address) as fed:
        room = fed.hosted.host.new_room()
        port = str(fed.hosted.port)
        async with started(*WATCH, "--port", port) as early:
            link = await line_of(early, LINK)
            await fed.is_watched(room.game)
            slow = Thinker("slow", ("FAL 1901",))
            playing = asyncio.create_task(play_all(fed.hosted, [*wanderers()[:6], slow]))
            await asyncio.wait_for(slow.thinks_about["FAL 1901"].wait(), 60)
            # Who comes in the middle of the game sees its beginning as well.
            async with started(*WATCH, "--port", port) as late:
                late_link = await line_of(late, LINK)
                # The server goes when the game is over, and tells nothing of the past any more.
                played = len(room.game.history.turns)
                await document_of(
                    door_at(late_link[1]), "game", late_link[2],
                    lambda document: len(document["turns"]) == played,
                )  # fmt: skip
                slow.move()
                await playing
                seen = await ended(door_at(link[1]), "game", link[2])
                caught_up = await ended(door_at(late_link[1]), "game", late_link[2])
    history = room.game.history
    assert [turn["turn"] for turn in seen["turns"]] == [
        [played.turn.season.value, played.turn.year] for played in history.turns
    ]
    assert orders(caught_up) == orders(seen)
    assert caught_up["turns"][-1]["after"] == seen["turns"][-1]["after"]
    assert seen["result"]["outcome"] == "year-limit"
    assert [each["name"] for each in seen["result"]["players"]].count("slow") == 1
    # Reasons are made here, as the port does not tell them; press it does not tell at all.
    assert all(order[4] for order in seen["turns"][0]["orders"])
    assert seen["view"] == "public"


async def test_all_games_of_a_broker_are_shown_with_what_its_user_may_read(
    broker: RunningBroker,
) -> None:
    config = with_settings(last_year=1901, level=10)
    async with (
        fed_hosting(broker.address, config=evolve(config)) as fed,
        started(*WATCH, "--mqtt", broker.url) as watch,
    ):
        link = await line_of(watch, LINK)
        door = door_at(link[1])
        room = fed.hosted.host.new_room()
        await play_all(fed.hosted, [*talkers(), *wanderers()[6:]])
        seen = await ended(door, room.game.name, link[2])
        cards = (await door.ask("/api/lobby")).json
        assert [card["game"] for card in cards["games"]] == [room.game.name]
        assert cards["play"] is False
        assert sum(len(turn["press"]) for turn in seen["turns"]) > 0
        assert {promise["kind"] for promise in seen["promises"]} == {"peace"}
        public = await ended(door, room.game.name, None)
        assert public["press"] == "secret"
        assert "PRP" not in str(public)


async def test_a_server_that_is_not_there_is_one_sentence() -> None:
    async with started(*WATCH, "--port", "1") as watch:
        _, errors = await watch.communicate()
        assert watch.returncode == 1
        assert errors.decode().count("\n") == 1
        assert "127.0.0.1:1" in errors.decode()

"""Games that are staged, in this process and over TCP."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from time import monotonic

import pytest
from attrs import evolve

from bots.dumbbot.tactic import DumbBot
from bots.holdbot import HoldBot
from bots.strategy import Tactic
from bots.view import GameView
from matches.finished_game import BotFault, FaultKind, FinishedGame
from matches.in_process import play_in_process
from matches.match import Match, Player
from matches.over_tcp import play_over_tcp
from rules.errors import BadInputError
from rules.orders import Order
from rules.outcome import EndingKind
from server.history import History
from server.host import Host
from server.record import record_to_json, replay


def lagoon(*players: Player, seed: int = 3, last_year: int = 1902, press_level: int = 10) -> Match:
    return Match(
        players=dict(zip(("AMB", "COR", "PEA"), players, strict=True)),
        variant="lagoon",
        seed=seed,
        last_year=last_year,
        press_level=press_level,
    )


Stage = Callable[..., FinishedGame]
TALKERS = ("blabbot", "diplominator", "dumbbot")


def told(game: FinishedGame) -> tuple[object, ...]:
    """Return everything about a game but how it was staged."""
    promises = game.promises.promises
    return game.ending, game.turns, game.press, promises, game.players, game.faults


def test_a_match_is_the_same_in_this_process_and_over_tcp() -> None:
    here, apart = play_in_process(lagoon(*TALKERS)), play_over_tcp(lagoon(*TALKERS))
    assert here.press
    assert told(here) == told(apart)
    assert (here.mode, apart.mode) == ("in-process", "processes")
    # Passcodes matter on a port, and are drawn so that nobody can guess them.
    assert here.record.setup == evolve(apart.record.setup, passcodes=None)


def test_the_time_that_a_page_is_looked_at_after_the_game_does_not_count() -> None:
    left: list[float] = []

    @asynccontextmanager
    async def page(_host: Host, _port: int) -> AsyncIterator[None]:
        yield
        await asyncio.sleep(0.5)
        left.append(monotonic())

    before = monotonic()
    game = play_over_tcp(lagoon("holdbot", "holdbot", "holdbot"), attach=page)
    assert game.seconds <= left[0] - before - 0.5


@pytest.mark.parametrize("stage", [play_in_process, play_over_tcp])
def test_a_finished_game_can_be_played_again_from_its_record(
    stage: Stage,
) -> None:
    game = stage(lagoon(*TALKERS))
    again = replay(game.record)
    assert (again.ending, again.history.turns) == (game.ending, game.turns)
    record = record_to_json(game.record)
    assert record["ending"]["kind"] == "year-limit"
    assert len(record["promises"]) == len(game.promises.promises)


@pytest.mark.parametrize("stage", [play_in_process, play_over_tcp])
def test_the_hook_is_called_after_every_turn(stage: Stage) -> None:
    seen: list[str] = []

    def on_turn(history: History) -> None:
        seen.append(str(history.last_played))

    game = stage(lagoon("holdbot", "holdbot", "holdbot"), on_turn)
    assert seen == [str(played.turn) for played in game.turns]
    assert seen == ["SPR 1901", "FAL 1901", "SPR 1902", "FAL 1902"]


@pytest.mark.parametrize("stage", [play_in_process, play_over_tcp])
def test_what_the_hook_raises_ends_the_game(stage: Stage) -> None:
    def on_turn(_: History) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        stage(lagoon("holdbot", "holdbot", "holdbot"), on_turn)


def test_classes_and_objects_play_like_names() -> None:
    named = play_in_process(lagoon("dumbbot", "holdbot", "dumbbot"))
    mixed = play_in_process(lagoon(DumbBot, HoldBot(), DumbBot()))
    assert mixed.turns == named.turns
    assert [each.bot for each in mixed.players] == ["DumbBot", "HoldBot", "DumbBot"]


def test_one_object_cannot_play_two_powers() -> None:
    bot = HoldBot()
    with pytest.raises(BadInputError, match="AMB shares its HoldBot with another power"):
        lagoon(bot, "holdbot", bot)


def test_an_object_cannot_be_sent_to_another_process() -> None:
    with pytest.raises(BadInputError, match="COR: a bot in a process of its own is named"):
        play_over_tcp(lagoon("holdbot", HoldBot(), "holdbot"))


class Mute(Tactic):
    """Raises in the fall."""

    def choose_orders(self, view: GameView) -> Sequence[Order]:
        if view.turn.season.value == "FAL":
            raise RuntimeError("no\nmore")
        return ()


def test_a_strategy_that_fails_is_a_fault_of_its_bot_with_the_lines_of_its_author() -> None:
    game = play_in_process(lagoon("holdbot", Mute, "holdbot"))
    (fault,) = game.faults
    (failure,) = fault.failures
    assert (fault.power, fault.kind, failure.times) == ("COR", FaultKind.FAILED, 2)
    assert failure.error == "RuntimeError: no"
    assert failure.where[-1].startswith("test_match.py:")
    assert fault.sentence.endswith("in choose_orders (first in FAL 1901, 2 times)")


def test_centers_are_counted_at_the_end_of_every_year() -> None:
    game = play_in_process(lagoon("dumbbot", "holdbot", "dumbbot"))
    assert list(game.centers_by_year) == [1900, 1901, 1902]
    final = {each.power.name: each.centers for each in game.players}
    assert game.centers_by_year[1902] == final
    assert game.ending.kind is EndingKind.YEAR_LIMIT


def test_a_fault_without_an_error_says_when_and_what_was_written_last() -> None:
    fault = BotFault("COR", FaultKind.CRASHED, None, said="one\ndaide: two\n")
    assert fault.sentence == "crashed: two"

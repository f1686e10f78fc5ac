import asyncio
import errno
import json
from asyncio.subprocess import Process
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from attrs import evolve
from structlog.testing import capture_logs

from cli import children
from rules.errors import BadInputError
from rules.turns import Season, Turn
from server.clock import HostClock
from server.host import Host
from server.record import (
    GameRecord,
    GameSetup,
    record_to_json,
    replay,
    resume_from_file,
)
from server.settings import GameSettings
from server.stage import Stage
from server.store import Store
from tests.server.hosting import (
    CONFIG,
    Player,
    SetClock,
    becomes,
    hosting,
    play_all,
    seated,
    wander,
    with_settings,
)


async def test_seven_clients_play_a_game_to_its_year_limit() -> None:
    async with hosting() as hosted:
        players = [Player(f"P{number}") for number in range(7)]
        await play_all(hosted, players)
        assert {player.power.name for player in players if player.power} == {
            "AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR",
        }  # fmt: skip
        assert all(player.summary == players[0].summary for player in players)
        assert all(player.results == players[0].results for player in players)


async def test_a_game_with_retreats_and_builds_is_the_same_in_its_record() -> None:
    store = Store()
    async with hosting(with_settings(last_year=1904), store) as hosted:
        players = [Player(f"P{number}", wander) for number in range(7)]
        await play_all(hosted, players)
        (number,) = store.games()
        record = store.load(number)
    game = replay(record)
    told = [result for result in players[0].results if "MTO" in result or "HLD" in result]
    assert game.stage is Stage.ENDED
    assert len(told) > 100
    phases = {turn.turn.season.value for turn in game.history.turns}
    assert phases == {"SPR", "SUM", "FAL", "AUT", "WIN"}
    document = record_to_json(record)
    assert document["turns"] == store.turns(number)
    assert len([each for each in document["messages"] if each["text"].startswith("SUB")]) > 50
    store.close()


async def test_a_game_can_be_resumed_from_any_turn_as_a_new_game(tmp_path: Path) -> None:
    store = Store()
    async with hosting(with_settings(last_year=1903), store) as hosted:
        await play_all(hosted, [Player(f"P{number}", wander) for number in range(7)])
    record = store.load(1)
    path = tmp_path / "game.json"
    path.write_text(json.dumps(record_to_json(record)))
    for played in replay(record).history.turns:
        setup = resume_from_file(str(path), played.turn)
        assert setup.new_game().position.turn == played.turn
    later = replay(record).history.turns[-3].turn
    async with hosting(with_settings(last_year=1903)) as hosted:
        hosted.host.new_room(resume_from_file(str(path), later))
        players = [Player(f"P{number}", wander) for number in range(7)]
        await play_all(hosted, players)
        assert players[0].results[0].startswith(f"ORD ( {later} )")
    store.close()


async def test_a_server_can_begin_with_a_turn_of_an_exported_record(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    config = evolve(with_settings(last_year=1902), record=str(path))
    async with hosting(config) as hosted:
        await play_all(hosted, [Player(f"P{number}", wander) for number in range(7)])
    turn = Turn(Season.FALL, 1901)
    again = evolve(with_settings(last_year=1902), resume=str(path), resume_turn=turn)
    async with hosting(again) as hosted:
        players = [Player(f"P{number}", wander) for number in range(7)]
        await play_all(hosted, players)
        assert players[0].results[0].startswith("ORD ( FAL 1901 )")


@pytest.mark.parametrize(
    ("text", "year", "complaint"),
    [
        ("{}", 1901, "game.json, line 1: is no record"),
        ("nonsense", 1901, "it is not JSON"),
        (None, 1901, "cannot be read: No such file"),
        ("record", 1950, "has no turn F1950M, old goes from S1901M to S1901M"),
    ],
)
def test_a_record_that_cannot_be_resumed_is_named(
    tmp_path: Path, text: str | None, year: int, complaint: str
) -> None:
    path = tmp_path / "game.json"
    if text == "record":
        record = GameRecord(GameSetup("old", "standard", GameSettings(), seed=1), ())
        text = json.dumps(record_to_json(record))
    if text is not None:
        path.write_text(text)
    with pytest.raises(BadInputError, match=complaint):
        resume_from_file(str(path), Turn(Season.FALL, year))


async def test_a_plain_client_lands_in_the_next_game_that_has_room() -> None:
    async with hosting(evolve(CONFIG, games=2)) as hosted:
        peers = await seated(hosted, 14)
        hellos = [await peer.until("HLO") for peer in peers]
        assert len(hosted.host.rooms) == 2
        assert len({hello[:9] for hello in hellos[:7]}) == 7
        fifteenth = await hosted.peer()
        assert (await fifteenth.join()).startswith("REJ ( NME")
        fifteenth.say("OBS")
        assert (await fifteenth.hear()).startswith("YES ( OBS")


async def test_eight_clients_that_ask_at_once_fill_one_game_and_begin_another() -> None:
    async with hosting(evolve(CONFIG, games=5)) as hosted:
        peers = [await hosted.peer("NME ( 'A' ) ( '1' )") for _ in range(8)]
        for peer in peers:
            assert (await peer.hear()).startswith("YES ( NME")
        assert [len(room.game.clients) for room in hosted.host.rooms] == [7, 1]


async def test_no_game_begins_in_a_host_that_closes() -> None:
    async with hosting() as hosted:
        peer = await hosted.peer()
        hosted.host.stop()
        games = len(hosted.host.rooms)
        peer.say("NME ( 'Late' ) ( '1' )")
        await hosted.listener.stop()
        assert len(hosted.host.rooms) <= games


async def test_a_host_that_was_stopped_before_its_first_game_does_not_run() -> None:
    with closing(Store()) as store:
        host = Host(CONFIG, store)
        host.new_room()
        host.stop()
        await host.run()


async def test_a_new_game_begins_when_the_old_one_is_over() -> None:
    async with hosting() as hosted:
        for _ in range(2):
            await play_all(hosted, [Player(f"P{number}") for number in range(7)])
        assert len(hosted.host.store.games()) == 2


async def test_a_deserted_game_keeps_nobody_from_playing() -> None:
    async with hosting() as hosted:
        for peer in await seated(hosted, 7):
            await peer.until("NOW")
            peer.vanish()
        await becomes(lambda: not hosted.host.members)
        newcomer = await hosted.peer()
        assert (await newcomer.join()).startswith("YES")


async def test_a_client_killed_in_mid_turn_comes_back_with_its_passcode() -> None:
    async with hosting() as hosted:
        peers = await seated(hosted, 7)
        hello = await peers[0].until("HLO")
        _, _, power, _, _, passcode, *_ = hello.split()
        await peers[0].until("NOW")
        peers[0].vanish()
        assert await peers[1].until("CCD") == f"CCD ( {power} )"
        back = await hosted.peer()
        back.say(f"IAM ( {power} ) ( {int(passcode) % 8191 + 1} )")
        assert (await back.hear()).startswith("REJ ( IAM")
        back.say(f"IAM ( {power} ) ( {passcode} )")
        assert (await back.hear()).startswith("YES ( IAM")
        assert await back.hear() == f"NOT ( CCD ( {power} ) )"
        assert await peers[1].until("NOT") == f"NOT ( CCD ( {power} ) )"
        back.say("MAP", "MDF", "HLO", "SCO", "NOW")
        assert [(await back.hear())[:3] for _ in range(5)] == ["MAP", "MDF", "HLO", "SCO", "NOW"]


async def test_i_am_finds_the_game_whose_passcode_fits() -> None:
    async with hosting(evolve(CONFIG, games=2)) as hosted:
        peers = await seated(hosted, 14)
        hellos = [(await peer.until("HLO")).split() for peer in peers]
        for peer in peers:
            peer.vanish()
        await becomes(lambda: not hosted.host.members)
        for hello in (hellos[0], hellos[13]):
            back = await hosted.peer(f"IAM ( {hello[2]} ) ( {hello[5]} )")
            assert (await back.hear()).startswith("YES ( IAM")


async def test_after_a_refused_i_am_a_client_may_ask_for_a_place() -> None:
    async with hosting() as hosted:
        peer = await hosted.peer("IAM ( FRA ) ( 4711 )")
        assert (await peer.hear()).startswith("REJ ( IAM")
        assert (await peer.join()).startswith("YES ( NME")


async def test_questions_are_answered_before_anybody_says_who_it_is() -> None:
    async with hosting() as hosted:
        peer = await hosted.peer("MAP")
        assert await peer.hear() == "MAP ( 'standard' )"
        peer.say("HLO", "GOF")
        assert await peer.hear() == "REJ ( HLO )"


async def test_observers_see_the_game_that_is_played() -> None:
    async with hosting(evolve(CONFIG, games=2)) as hosted:
        peers = await seated(hosted, 7)
        await peers[0].until("NOW")
        early = await hosted.peer()
        await early.join("Early")
        observer = await hosted.peer("OBS")
        await observer.until("MAP")
        observer.say("YES ( MAP ( 'STANDARD' ) )")
        assert (await observer.hear()).startswith("HLO ( UNO ) ( 0 )")


async def test_a_restarted_server_goes_on_with_the_time_that_was_left() -> None:
    store, watch = Store(), SetClock()
    async with hosting(with_settings(movement_limit=300), store, clock=HostClock(watch)) as hosted:
        peers = await seated(hosted, 7)
        hello = (await peers[0].until("HLO")).split()
        await peers[0].until("TME")
        for _ in range(40):
            watch.time += 5
            hosted.host.clock.now()
        peers[0].say("TME")
        assert await peers[0].until("TME") == "TME ( 100 )"
    watch.time += 100_000
    async with hosting(with_settings(movement_limit=300), store, clock=HostClock(watch)) as again:
        assert len(again.host.rooms) == 1
        back = await again.peer(f"IAM ( {hello[2]} ) ( {hello[5]} )")
        assert (await back.hear()).startswith("YES ( IAM")
        back.say("TME")
        assert await back.until("TME") == "TME ( 100 )"
    store.close()


def test_the_clock_skips_the_time_in_which_the_server_stood_still() -> None:
    watch = SetClock()
    clock = HostClock(watch)
    watch.time += 3
    assert clock.now() == 3
    watch.time += 3600
    assert clock.now() == 3
    clock.stop()
    watch.time += 2
    clock.go_on()
    watch.time += 1
    assert clock.now() == 4


async def test_an_export_names_no_secret() -> None:
    store = Store()
    async with hosting(with_settings(admin_secret="open sesame"), store) as hosted:
        peer = await hosted.peer("NME ( 'A' ) ( '1' )")
        peer.say("ADM ( 'A' ) ( 'Server: become master open sesame' )")
        await peer.until("ADM|REJ|HUH")
    text = json.dumps(record_to_json(store.load(1)))
    assert "a secret" in text
    assert "sesame" not in text
    store.close()


async def test_a_command_of_the_master_is_obeyed_again_in_a_replay() -> None:
    store = Store()
    async with hosting(with_settings(admin_secret="open sesame"), store) as hosted:
        peers = await seated(hosted, 7)
        await peers[0].until("NOW")
        peers[0].say(
            "ADM ( 'A' ) ( 'Server: become master open sesame' )", "ADM ( 'A' ) ( 'Server: end' )"
        )
        await peers[1].until("SMR")
    assert replay(store.load(1)).stage is Stage.ENDED
    assert record_to_json(store.load(1))["stage"] == "ended"
    store.close()


async def test_a_bot_for_which_the_system_has_no_room_is_started_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.stand_ins.FIRST_WAIT", 0.01)
    start, tries = children.start, 0

    async def refused_at_first(command: Sequence[str]) -> Process:
        nonlocal tries
        tries += 1
        if tries <= 2:
            raise OSError(errno.EMFILE, "Too many open files")
        assert command[0] == "bot"
        return await start(["--version"])

    monkeypatch.setattr(children, "start", refused_at_first)
    config = evolve(CONFIG, fill="holdbot", fill_after=0.0)
    with capture_logs() as logs:
        async with hosting(config) as hosted:
            peer = await hosted.peer("NME ( 'p' ) ( '1' )")
            assert (await peer.hear()).startswith("YES")
            ended = {"bot": "holdbot", "code": 0, "event": "bot ended", "log_level": "info"}
            await becomes(lambda: logs.count(ended) == 6)
            peer.say("MAP")
            assert await peer.until("MAP")
    refused = [entry for entry in logs if entry["event"] == "bot not started"]
    assert len(refused) == 2
    assert len(hosted.host.stand_ins._running) == 0


async def test_a_bot_that_nobody_needs_any_more_is_not_started_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.stand_ins.FIRST_WAIT", 0.01)
    tries = 0

    async def refused(_: Sequence[str]) -> Process:
        nonlocal tries
        tries += 1
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(children, "start", refused)
    async with hosting(evolve(CONFIG, fill="holdbot", fill_after=0.0)) as hosted:
        hosted.host.stand_ins.fill(1, "a game that is over")
        await becomes(lambda: tries == 1)
        await asyncio.sleep(0.1)
        assert tries == 1

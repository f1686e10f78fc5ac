"""Games with a port of their own."""

import asyncio
import socket
from pathlib import Path

import pytest
from attrs import evolve
from structlog.testing import capture_logs

from server.config import read_config
from server.store import Store
from tests.server.hosting import CONFIG, Hosted, Player, RawPeer, becomes, hosting, seated

OWN_PORTS = evolve(CONFIG, games=3, port_per_game=True)


async def through_door(hosted: Hosted, number: int, first: str = "") -> RawPeer:
    """Connect to the port of a game."""
    port = hosted.host.rooms[number].port
    assert port not in (None, hosted.port)
    assert port
    hosted.peers.append(await RawPeer.connect(port, first))
    return hosted.peers[-1]


def test_the_option_stands_on_the_command_line_and_in_a_file(tmp_path: Path) -> None:
    assert not read_config({}).port_per_game
    assert read_config({"port-per-game": True}).port_per_game
    (tmp_path / "server.toml").write_text("port-per-game = true\n")
    assert read_config({}, str(tmp_path / "server.toml")).port_per_game


async def test_a_client_at_the_port_of_a_game_gets_into_that_game() -> None:
    async with hosting(OWN_PORTS) as hosted:
        first, second = hosted.host.new_room(), hosted.host.new_room()
        assert first.port != second.port
        peer = await through_door(hosted, 1)
        assert (await peer.join("A")).startswith("YES")
        assert [len(room.game.clients) for room in (first, second)] == [0, 1]
        plain = await hosted.peer()
        assert (await plain.join("B")).startswith("YES")
        assert [len(room.game.clients) for room in (first, second)] == [1, 1]


async def test_a_full_game_refuses_at_its_port_whoever_could_play_elsewhere() -> None:
    async with hosting(OWN_PORTS) as hosted:
        await (await seated(hosted, 7))[0].until("NOW")
        hosted.host.new_room()
        late = await through_door(hosted, 0)
        assert (await late.join()).startswith("REJ ( NME")
        assert (await late.join()).startswith("REJ ( NME")
        assert len(hosted.host.rooms) == 2
        late.say("OBS")
        assert (await late.until("YES")).startswith("YES ( OBS")


async def test_a_player_comes_back_and_an_observer_watches_at_the_port_of_the_game() -> None:
    async with hosting(OWN_PORTS) as hosted:
        peers = await seated(hosted, 14)
        hellos = [(await peer.until("HLO")).split() for peer in peers]
        for number in (0, 13):
            peers[number].vanish()
        await becomes(lambda: len(hosted.host.members) == 12)
        _, _, power, _, _, passcode, *_ = hellos[13]
        iam = f"IAM ( {power} ) ( {passcode} )"
        assert (await (await through_door(hosted, 0, iam)).hear()).startswith("REJ ( IAM")
        assert (await (await through_door(hosted, 1, iam)).hear()).startswith("YES ( IAM")
        watcher = await through_door(hosted, 0, "OBS")
        await watcher.until("MAP")
        assert len(hosted.host.rooms[0].game.clients) == 7


async def test_the_log_and_the_master_are_told_the_port() -> None:
    settings = evolve(OWN_PORTS.settings, admin_secret="open sesame")
    with capture_logs() as logs:
        async with hosting(evolve(OWN_PORTS, settings=settings)) as hosted:
            peer = await hosted.peer("OBS")
            peer.say("ADM ( 'A' ) ( 'Server: become master open sesame' )")
            peer.say("ADM ( 'A' ) ( 'Server: games' )")
            await peer.until("ADM")
            listed = await peer.until("ADM")
            port = hosted.host.rooms[0].port
    assert listed.endswith(f"0 players, port {port}' )")
    created = [entry for entry in logs if entry["event"] == "game created"]
    assert [entry["port"] for entry in created] == [port]


async def test_the_port_is_given_back_when_the_game_is_over() -> None:
    async with hosting(OWN_PORTS) as hosted:
        room = hosted.host.new_room()
        silent = await through_door(hosted, 0)
        await becomes(lambda: len(hosted.host.members) == 1)
        players = [Player(f"P{number}") for number in range(7)]
        peers = [await hosted.peer() for _ in players]
        await asyncio.gather(
            *(player.play(peer) for player, peer in zip(players, peers, strict=True))
        )
        for peer in peers:
            await peer.close()
        await silent.farewell()
        assert room.port
        with pytest.raises(ConnectionError):
            await RawPeer.connect(room.port)


async def test_a_socket_that_is_opened_when_a_port_is_given_back_can_be_heard() -> None:
    async with hosting(OWN_PORTS) as hosted:
        room, ports = hosted.host.new_room(), hosted.host._game_ports
        assert ports is not None
        await (await through_door(hosted, 0, "OBS")).until("MAP")
        ports.close(room)
        ours, theirs = socket.socketpair()  # with the number of the port, if that is free
        heard, loop = asyncio.Event(), asyncio.get_running_loop()
        with ours, theirs:
            for each in (ours, theirs):
                loop.add_reader(each, heard.set)
            for _ in range(3):
                await asyncio.sleep(0)
            for each in (ours, theirs):
                each.send(b"x")
                await heard.wait()
                heard.clear()
                loop.remove_reader(theirs if each is ours else ours)


async def test_a_restored_game_has_a_port_again() -> None:
    store = Store()
    async with hosting(OWN_PORTS, store) as hosted:
        hello = (await (await seated(hosted, 7))[0].until("HLO")).split()
    async with hosting(OWN_PORTS, store) as again:
        back = await through_door(again, 0, f"IAM ( {hello[2]} ) ( {hello[5]} )")
        assert (await back.hear()).startswith("YES ( IAM")
    store.close()


async def test_a_game_without_a_free_port_is_played_at_the_common_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with hosting(OWN_PORTS) as hosted:

        def refuse(*_: object, **__: object) -> None:
            raise OSError("too many open files")

        monkeypatch.setattr("socket.create_server", refuse)
        peer = await hosted.peer()
        assert (await peer.join()).startswith("YES")
        assert hosted.host.rooms[0].port is None

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from server.config import read_config
from server.record import replay
from server.store import Store
from tests.patience import PATIENCE
from tests.server.hosting import Player, RawPeer, wander
from tests.server.serving import CrashDriver, Server, seat_plan


def serve(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cli", "serve", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


async def played(folder: Path, name: str, kills: list[int]) -> list[Player]:
    players = [Player(f"P{number}", wander) for number in range(7)]
    arguments = ("--store", str(folder / name), "--config", seat_plan(folder), "--seed", "5",
                 "--last-year", "1903")  # fmt: skip
    async with asyncio.timeout(PATIENCE):
        await CrashDriver(arguments, players, kills).run()
    return players


async def test_a_server_killed_in_mid_game_loses_and_doubles_nothing(tmp_path: Path) -> None:
    calm = await played(tmp_path, "calm.db", [])
    hard = await played(tmp_path, "hard.db", [3, 40, 75, 100])
    assert [player.power for player in hard] == [player.power for player in calm]
    assert [player.summary for player in hard] == [player.summary for player in calm]
    games = []
    for name in ("calm.db", "hard.db"):
        with closing(sqlite3.connect(tmp_path / name)) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        store = Store(str(tmp_path / name))
        games.append(replay(store.load(1)))
        store.close()
    assert games[0].history.turns == games[1].history.turns


async def test_sigterm_and_ctrl_c_end_a_server_cleanly(tmp_path: Path) -> None:
    for number, code in ((signal.SIGTERM, 0), (signal.SIGINT, 130)):
        server = await Server.start("--store", ":memory:", "--config", seat_plan(tmp_path))
        peer = await RawPeer.connect(server.port, "NME ( 'P1' ) ( '1' )")
        await peer.until("MAP")
        ending = asyncio.create_task(server.stop(number))
        assert await peer.until("OFF")
        ended, log = await ending
        assert ended == code
        assert "Traceback" not in log
        await peer.close()


async def test_a_server_ends_by_itself_after_the_games_it_was_asked_for(tmp_path: Path) -> None:
    server = await Server.start("--store", ":memory:", "--config", seat_plan(tmp_path),
                                "--last-year", "1901", "--exit-after", "1")  # fmt: skip
    peers = [await RawPeer.connect(server.port) for _ in range(7)]
    players = [Player(f"P{number}") for number in range(7)]
    await asyncio.gather(*(a.play(b) for a, b in zip(players, peers, strict=True)))
    for peer in peers:
        peer.vanish()
    await server.process.communicate()
    assert server.process.returncode == 0


async def test_json_logs_are_json_and_name_no_secret(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cli", "serve", "--port", "0", "--json-logs", "--store", ":memory:",
        "--config", seat_plan(tmp_path), "--last-year", "1901", "--seed", "5",
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        env=os.environ | {"DAIDE_ADMIN_SECRET": "open sesame"},
    )  # fmt: skip
    assert process.stdout
    listening = json.loads(await process.stdout.readline())
    assert listening["event"] == "listening"
    peers = [await RawPeer.connect(listening["port"]) for _ in range(7)]
    peers[0].say("ADM ( 'Me' ) ( 'Server: become master open sesame' )")
    players = [Player(f"P{number}") for number in range(7)]
    await asyncio.gather(*(a.play(b) for a, b in zip(players, peers, strict=True)))
    process.terminate()
    _, log = await process.communicate()
    for peer in peers:
        peer.vanish()
    lines = [json.loads(line) for line in log.decode().splitlines()]
    assert {"listening", "game created", "game started", "game ended"} <= {
        line["event"] for line in lines
    }
    values = {str(value) for line in lines for value in line.values()}
    assert not values & {str(player.passcode) for player in players}
    assert b"sesame" not in log


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--press-level", "15"], "--press-level: '15' is not one of"),
        (["--port", "99999"], "--port: 99999 is not between 0 and 65535"),
        (["--variant", "mars"], "--variant: no such variant: 'mars'"),
        (["--movement-limit", "soon"], "--movement-limit: 'soon' is not a whole number"),
        (["--config", "/nowhere.toml"], "/nowhere.toml: cannot be read"),
        (["--tls-cert", "/nowhere.pem", "--store", ":memory:"], "tls-cert /nowhere.pem"),
        (["--store", "/proc/nowhere/games.db"], "no folder '/proc/nowhere'"),
    ],
)
def test_bad_options_are_one_sentence_and_exit_code_2(arguments: list[str], complaint: str) -> None:
    done = serve("--port", "0", *arguments)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("press-levle = 10", "press-levle: there is no such option"),
        ("games = 'many'", "games: 'many' is not a whole number"),
        ("aoa = 1", "aoa: 1 is neither true nor false"),
        ("games = ", "not TOML"),
        ("a = " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        ("a" + ".a" * 50_000 + " = 1", "a name of more than 100 parts"),
        ("[" + "a." * 50_000 + "a]", "a name of more than 100 parts"),
        ("[limits]\nfoo = 1", "limits.foo: there is no such limit"),
        ("[limits]\nframe = 'x'", "limits.frame: 'x' is not a number of seconds"),
        ("[seats]\nA = 'FRA'\nB = 'FRA'", "seats: FRA is given to two clients"),
        ("[seats]\nA = 'MARS'", "seats.A: no such power: 'MARS'"),
    ],
)
def test_a_bad_file_is_named_with_its_key(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "server.toml"
    path.write_text(text)
    done = serve("--config", str(path))
    assert done.returncode == 2
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


def test_flags_win_over_the_file(tmp_path: Path) -> None:
    path = tmp_path / "server.toml"
    path.write_text("press-level = 20\ngames = 3\ndsd = true\nmovement-limit = 0\n")
    config = read_config({"games": "5"}, str(path))
    assert (config.games, config.settings.level) == (5, 20)
    assert config.settings.stops_on_disconnection
    assert (config.settings.movement_limit, config.settings.build_limit) == (None, 120)


def test_a_damaged_store_is_one_sentence_and_exit_code_2(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.write_bytes(b"no database" * 1000)
    done = serve("--port", "0", "--store", str(path))
    assert done.returncode == 2
    assert "is no store of games; name another file" in done.stderr
    assert done.stderr.count("\n") == 1


async def test_a_port_in_use_is_one_sentence_and_exit_code_2() -> None:
    server = await Server.start("--store", ":memory:")
    done = await asyncio.to_thread(serve, "--port", str(server.port), "--store", ":memory:")
    assert done.returncode == 2
    assert f"cannot listen on 127.0.0.1:{server.port}" in done.stderr
    await server.stop()


async def test_a_game_is_filled_with_bots_after_a_while() -> None:
    arguments = "--last-year 1901 --fill holdbot --fill-after 0 --exit-after 1 --linger 0"
    server = await Server.start("--store", ":memory:", *arguments.split())
    peer = await RawPeer.connect(server.port)
    player = Player("Me")
    async with asyncio.timeout(PATIENCE):
        await player.play(peer)
        peer.vanish()
        await server.process.communicate()
    assert server.process.returncode == 0
    assert player.summary.count("Hold") >= 6

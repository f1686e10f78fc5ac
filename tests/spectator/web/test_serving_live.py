"""`daide serve --web`, `daide play --watch` and `daide watch RECORD --browser` as processes."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from rules.position_json import position_to_json
from rules.variants import load_board
from server.record_file import read_record
from spectator.web.keys import Keys
from spectator.web.library import Library
from spectator.web.site import Site
from tests.spectator.web.wire import DATA, Door, follow, until

PATIENCE = 240


@asynccontextmanager
async def started(*arguments: str) -> AsyncIterator[Process]:
    environment = {**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cli", *arguments, stdout=PIPE, stderr=PIPE, env=environment
    )
    try:
        async with asyncio.timeout(PATIENCE):
            yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()


async def line_of(process: Process, pattern: str) -> re.Match[str]:
    """Return the first line of output that has a pattern."""
    assert process.stdout is not None
    while line := await process.stdout.readline():
        if found := re.search(pattern, line.decode()):
            return found
    raise AssertionError(f"no line with {pattern!r}")


def children_of(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    if not path.exists():
        pytest.skip("this system does not tell which children a process has")
    return [int(each) for each in path.read_text().split()]


def door_at(port: str) -> Door:
    return Door(Site(Library(), Keys("")), int(port))


async def ended_game(door: Door) -> dict[str, object]:
    """Wait for the first game of the lobby to end, and return its card."""
    while True:
        games = (await door.ask("/api/lobby")).json["games"]
        if games and games[0]["stage"] == "ended":
            card: dict[str, object] = games[0]
            return card
        await asyncio.sleep(0.1)


SERVE = ("serve", "--port", "0", "--web", "0", "--log-level", "error", "--last-year", "1901")


async def test_a_server_shows_its_games_live_and_after_a_restart(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "games.db"), "--press-level", "10")
    fill = ("--fill", "blabbot", "--fill-after", "0.1")
    async with started(*SERVE, *store, *fill) as server:
        port = (await line_of(server, r"listening on 127\.0\.0\.1:(\d+)"))[1]
        page = (await line_of(server, r"page at http://127\.0\.0\.1:(\d+)/$"))[1]
        secret = (await line_of(server, r"all press: http://127.*#([0-9a-f]{32})$"))[1]
        door = door_at(page)
        assert (await door.ask("/api/lobby")).json["games"] == []
        bot = ("bot", "blabbot", "--port", port, "--quiet")
        async with door.socket() as socket, started(*bot) as player:
            await follow(socket, lobby=True)
            await until(socket, "lobby")
            await follow(socket, {"game": "game-1", "secret": secret, "after": 0})
            told = await until(socket, "reload")
            assert told[-1]["game"] == "game-1"
            run = (await door.ask("/api/games/game-1")).json["run"]
            await follow(socket, {"game": "game-1", "secret": secret, "after": 0, "run": run})
            heard = await until(socket, "result")
            numbers = [each["n"] for each in heard if "event" in each]
            assert numbers == list(range(1, len(numbers) + 1))
            await player.wait()
        live = (await door.ask("/api/games/game-1", secret=secret)).json
        assert sum(len(turn["press"]) for turn in live["turns"]) > 0
        server.send_signal(signal.SIGTERM)
        assert await server.wait() == 0
    async with started(*SERVE, *store) as server:
        page = (await line_of(server, r"page at http://127\.0\.0\.1:(\d+)/$"))[1]
        secret = (await line_of(server, r"#([0-9a-f]{32})$"))[1]
        door = door_at(page)
        card = await ended_game(door)
        assert (card["game"], card["stage"]) == ("game-1", "ended")
        stored = (await door.ask("/api/games/game-1", secret=secret)).json
        assert stored["turns"][0]["orders"] == live["turns"][0]["orders"]
        said = [[each["text"] for each in turn["press"]] for turn in stored["turns"]]
        assert said == [[each["text"] for each in turn["press"]] for turn in live["turns"]]
        public = await door.ask("/api/games/game-1")
        assert public.json["press"] == "secret"
        assert b"PRP" not in public.body


async def test_a_page_that_dies_comes_back_at_the_same_place_and_knows_the_game(
    tmp_path: Path,
) -> None:
    store = ("--store", str(tmp_path / "games.db"), "--press-level", "10")
    async with started(*SERVE, *store) as server:
        page = (await line_of(server, r"page at http://127\.0\.0\.1:(\d+)/$"))[1]
        door = door_at(page)
        joined = (await door.post("/api/seats", {"name": "Ann"}, None)).json
        for child in children_of(server.pid):
            os.kill(child, signal.SIGKILL)
        while True:
            try:
                games = (await door.ask("/api/lobby")).json["games"]
            except OSError:
                games = []
            if games:
                break
            await asyncio.sleep(0.1)
        assert games[0]["game"] == joined["game"]


async def test_who_is_not_let_in_does_no_harm_to_the_others() -> None:
    options = ("--power-in-name", "--store", ":memory:", "--log-level", "debug")
    async with started(*SERVE[:5], *options) as server:
        page = (await line_of(server, r"page at http://127\.0\.0\.1:(\d+)/$"))[1]
        door = door_at(page)
        joined = (await door.post("/api/seats", {"name": "ENG:Ann"}, None)).json
        for _ in range(3):
            refused = await door.post("/api/seats", {"name": "ENG:Eve"}, None)
            assert refused.status == 409
            assert "no seat for our name" in refused.json["error"]
        # The page is the same as before: it was not even started again.
        seat = await door.ask(f"/api/games/{joined['game']}/seat", secret=joined["secret"])
        assert (seat.status, seat.json["state"]) == (200, "waiting")
        assert (await door.post("/api/seats", {"name": "FRA:Bob"}, None)).status == 200
        server.send_signal(signal.SIGTERM)
        _, errors = await server.communicate()
        assert b"page" not in errors.replace(b"page served", b"")


async def test_no_log_holds_the_secret_of_a_seat() -> None:
    quiet = [*SERVE[:-4], "--log-level", "debug", "--store", ":memory:"]
    async with started(*quiet) as server:
        page = (await line_of(server, r"page at http://127\.0\.0\.1:(\d+)/$"))[1]
        master = (await line_of(server, r"#([0-9a-f]{32})$"))[1]
        door = door_at(page)
        joined = (await door.post("/api/seats", {"name": "Ann"}, None)).json
        path, secret = f"/api/games/{joined['game']}", joined["secret"]
        for each in (secret, master, "0" * 32):
            await door.ask(path, secret=each)
            await door.post(f"{path}/seat/ready", {"ready": True}, each)
        async with door.socket() as socket:
            await follow(socket, {"game": joined["game"], "secret": secret})
            await until(socket, "following")
        server.send_signal(signal.SIGTERM)
        out, errors = await server.communicate()
        assert errors
        for told in (secret, master, "0" * 32):
            assert told.encode() not in out + errors


async def test_a_port_that_is_taken_is_said_in_one_sentence() -> None:
    async with started(*SERVE, "--store", ":memory:") as first:
        page = (await line_of(first, r"page at http://127\.0\.0\.1:(\d+)/$"))[1]
        taken = (*SERVE[:3], "--web", page, "--store", ":memory:", "--log-level", "error")
        async with started(*taken) as second:
            _, errors = await second.communicate()
            assert second.returncode == 2
            assert f"--web: cannot listen on 127.0.0.1:{page}" in errors.decode()
            assert "Traceback" not in errors.decode()


async def test_play_tells_the_address_first_and_ends_by_itself_when_piped() -> None:
    bots = ("--bots", "dumbbot*7", "--press-level", "0", "--last-year", "1901", "--seed", "3")
    async with started("play", "--watch", *bots) as game:
        await line_of(game, r"watch it at http://127\.0\.0\.1:\d+/g/game-1#[0-9a-f]{32}$")
        await line_of(game, "ends the game")
        assert await game.wait() == 0


@pytest.mark.parametrize(
    ("how", "options"),
    [
        *((how, ()) for how in ("SIGKILL", "SIGTERM", "SIGHUP", "hang-up")),
        # What is written is another text then, and when it is written the same code says.
        ("SIGKILL", ("--json",)),
    ],
)
def test_the_result_and_the_record_are_there_before_the_page_waits(
    how: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    """Whoever ends it then, and however, loses nothing."""
    ours, theirs = os.openpty()
    record = tmp_path / "game.json"
    bots = ("--variant", "lagoon", "--bots", "holdbot*3", "--last-year", "1901", "--seed", "1")
    arguments = ("play", "--watch", *bots, "--press-level", "0", "--record", str(record), *options)
    game = subprocess.Popen(
        [sys.executable, "-m", "cli", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": "", "DAIDE_PURE": ""},
    )
    os.close(theirs)
    told = b""
    with game:
        while b"until you press Enter" not in told:
            told += os.read(ours, 10_000)
        assert game.poll() is None
        before, _, _ = told.partition(b"the game is over;")
        assert (b'"year-limit"' if options else b"The year limit ends the game in") in before
        written = record.read_text()
        assert read_record(record)["ending"]["kind"] == "year-limit"
        if how == "hang-up":
            os.close(ours)
        else:
            game.send_signal(getattr(signal, how))
        game.wait()
    if how != "hang-up":
        os.close(ours)
    assert record.read_text() == written


async def test_with_json_the_address_is_not_among_the_results() -> None:
    bots = ("--bots", "dumbbot*7", "--press-level", "0", "--last-year", "1901", "--json")
    async with started("play", "--watch", *bots) as game:
        out, errors = await game.communicate()
        assert json.loads(out)["outcome"] == "year-limit"
        assert b"watch it at http://127" in errors


async def test_a_person_plays_a_game_against_six_bots() -> None:
    bots = ("--human", "FRA", "--bots", "dumbbot*6", "--press-level", "0", "--last-year", "1901")
    async with started("play", *bots) as game:
        found = await line_of(game, r"play France at http://127\.0\.0\.1:(\d+)/g/game-1#(\w+)$")
        door, secret = door_at(found[1]), found[2]
        seen: list[object] = []
        while len(seen) < 2:
            seat = (await door.ask("/api/games/game-1/seat", secret=secret)).json
            if seat["state"] != "playing" or seat["turn"] in seen or not seat["legal"]:
                await asyncio.sleep(0.05)
                continue
            turn = seat["turn"]
            seen.append(turn)
            orders = [legal[0] for legal in seat["legal"].values()]
            done = await door.post(
                "/api/games/game-1/seat/orders", {"turn": turn, "orders": orders}, secret
            )
            assert all(each["saved"] for each in done.json["orders"])
            ready = {"turn": turn, "ready": True}
            await door.post("/api/games/game-1/seat/ready", ready, secret)
        # A person builds or not, and the year is over.
        while game.returncode is None:
            try:
                seat = (await door.ask("/api/games/game-1/seat", secret=secret)).json
            except OSError:
                break
            if seat["state"] == "playing" and seat["phase"] == "adjustment" and seat.get("legal"):
                body = {"turn": seat["turn"], "orders": ["WVE"] * seat["due"]["count"]}
                await door.post("/api/games/game-1/seat/orders", body, secret)
                ready = {"turn": seat["turn"], "ready": True}
                await door.post("/api/games/game-1/seat/ready", ready, secret)
            await asyncio.sleep(0.05)
        out, _ = await game.communicate()
        assert b"1901" in out
        assert game.returncode == 0


async def test_a_record_of_another_version_is_refused_with_file_and_reason(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text('{"format": "daide-record-9"}\n')
    async with started("watch", str(path), "--browser") as watch:
        _, errors = await watch.communicate()
        assert watch.returncode == 2
        assert "old.json" in errors.decode()
        assert "daide-record-9" in errors.decode()
        assert "Traceback" not in errors.decode()


async def test_a_record_is_shown_until_ctrl_c() -> None:
    async with started("watch", str(DATA / "record.json"), "--browser") as watch:
        found = await line_of(watch, r"http://127\.0\.0\.1:(\d+)/g/game-1#([0-9a-f]{32})$")
        document = (await door_at(found[1]).ask("/api/games/game-1", secret=found[2])).json
        assert len(document["turns"]) == len(
            json.loads((DATA / "game-all.json").read_text())["turns"]
        )
        watch.send_signal(signal.SIGINT)
        _, errors = await watch.communicate()
        assert watch.returncode == 130
        assert b"Traceback" not in errors


async def test_a_game_on_a_board_of_ones_own_can_be_watched(tmp_path: Path) -> None:
    folder = Path(__file__).parents[2] / "data" / "variants" / "rome"
    start = json.loads((DATA / "record.json").read_text().partition("\n")[0])
    start["setup"] |= {"variant": str(folder), "name": "../<b>"}
    start |= {"start": position_to_json(load_board(str(folder)).start), "turns": [], "press": []}
    path = tmp_path / "game.json"
    path.write_text(json.dumps(start | {"stage": "running", "players": {}}))
    async with started("watch", str(path), "--browser") as watch:
        found = await line_of(watch, r"http://127\.0\.0\.1:(\d+)/g/([^#]*)#([0-9a-f]{32})$")
        door = door_at(found[1])
        document = (await door.ask(f"/api/games/{found[2]}", secret=found[3])).json
        assert document["game"] == "-<b>"
        # The page gets the name of the board and not where it lies.
        assert document["variant"] == "rome"
        assert str(folder.parent) not in json.dumps(document)
        drawing = (await door.ask("/page/maps/rome.json")).json
        assert "ROM" in drawing["provinces"]
        watch.send_signal(signal.SIGINT)

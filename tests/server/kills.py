"""Kill a server at random moments, with witnesses: `python -m tests.server.kills --kills 300`.

Clients play game after game on a real server, and remember everything that it acknowledged: orders
that were thanked for, press and texts that were confirmed, games whose end was told. It is killed
with SIGKILL while it starts, while games form, run and linger, and started again on the same store.
At the end the store and the file of records are compared with what the witnesses know: nothing that
was acknowledged may be lost, nothing doubled, and every game that ended has its record, once. Exit
code 1 if not.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from time import monotonic

from attrs import Factory, define

from grammar.text import to_text
from rules.notation import format_order
from rules.orders import power_of
from rules.places import Power
from server.history import PlayedTurn
from server.inputs import Received
from server.record import replay
from server.stage import Stage
from server.store import Store
from tests.long_run import call_off, conclude
from tests.server.hosting import Player, RawPeer, wander
from tests.server.serving import Server

MISSED_AFTER = 6.0
STUCK_AFTER = 60.0
"""Seconds of a running server in which nobody at a table learns anything new."""
CALM = 60.0
"""Seconds more that it then has without a kill: where players have given up the others wait for
deadlines, or for the place of their game, and every kill puts those off."""


@define
class Evidence:
    """What one player was told by the server."""

    power: str
    player: str
    texts: set[str] = Factory(set)
    orders: dict[str, set[str]] = Factory(dict)
    """By turn the orders that were all thanked for."""
    press: int = 0
    heard: int = 0
    saw_end: bool = False


@define
class Case:
    """Everything that the witnesses know."""

    evidence: list[Evidence] = Factory(list)
    kills: int = 0
    at_start: int = 0
    in_linger: int = 0
    restarts: int = 0
    slowest_start: float = 0.0
    stuck: list[str] = Factory(list)
    """What each player of a table that did not go on knew at last."""
    missed: int = 0
    insisted: int = 0
    """Players that had a seat and had not heard of it when the server was killed."""


class Witness(Player):
    """Plays, talks, and remembers what was acknowledged."""

    def __init__(self, name: str, case: Case, chance: Random) -> None:
        super().__init__(name, wander)
        self._case = case
        self._chance = chance
        self._said = 0
        self._submitted: set[str] = set()
        self.evidence: Evidence | None = None
        self.heard = 0
        self.last = ""

    def described(self) -> str:
        """Return where it stands."""
        return f"{self.name} {self.power} {self.turn} heard {self.heard}, at last {self.last[:60]}"

    async def play(self, peer: RawPeer) -> None:
        """Join; one that is taken for a player who comes back, and knows no passcode, is another.

        A name stands for one seat, so that what was told it can be found.
        """
        if (await peer.join(self.name)).startswith("REJ"):
            self._case.insisted += 1
            self.name += "x"
            if (await peer.join(self.name)).startswith("REJ"):
                await asyncio.sleep(0.5)
                raise ConnectionResetError("there is no place yet")
        await self.go_on(peer)

    def take(self, peer: RawPeer, text: str) -> None:
        self.heard += 1
        self.last = text
        super().take(peer, text)
        if self.evidence is None and self.power is not None:
            self.evidence = Evidence(self.power.name, self.name)
            self._case.evidence.append(self.evidence)
        known = self.evidence
        if known is None:
            return
        if self.turn in self.thanked and self.turn not in known.orders:
            known.orders[self.turn] = self._submitted
        if text.startswith(f"ADM ( '{self.name}' )"):
            known.texts.add(text)
        elif text.startswith("YES ( SND"):
            known.press += 1
        elif text.startswith("FRM"):
            known.heard += 1
        elif text.startswith("SMR"):
            known.saw_end = True

    def on_now(self, peer: RawPeer, now: object) -> None:
        before = self.owed
        super().on_now(peer, now)  # type: ignore[arg-type]  # as the peer has them
        if self.owed != before or self.turn not in self.thanked:
            self._submitted = self._orders_now(now)
        self._said += 1
        others = [name for name in ("AUS", "ENG", "FRA", "GER") if name != str(self.power)]
        to = self._chance.choice(others)
        peer.say(
            f"ADM ( '{self.name}' ) ( 'word {self._said}' )",
            f"SND ( {to} ) ( PRP ( PCE ( {self.power} {to} ) ) )",
        )

    def _orders_now(self, now: object) -> set[str]:
        from grammar.boards import position_from  # noqa: PLC0415 - as the player does it

        assert self.ownership is not None
        assert self.power is not None
        orders = self.orders(position_from(now, self.ownership), self.power)  # type: ignore[arg-type]  # as the peer has them
        return {format_order(order) for order in orders}


class Trial:
    """A server that is killed and started again, and the clients around it."""

    def __init__(self, folder: Path, kills: int, tables: int, seed: int) -> None:
        self._folder = folder
        self._wanted = kills
        self._tables = tables
        self._chance = Random(seed)
        self.case = Case()
        self._server: Server | None = None
        self._port = 0
        self._is_up = asyncio.Event()
        self._is_over = False
        self._lingering = 0
        self._doubted: set[str] = set()
        """The tables that may be stuck."""

    def _arguments(self) -> tuple[str, ...]:
        return (
            "--store", str(self._folder / "kills.db"), "--record", str(self._folder / "g.jsonl"),
            "--last-year", "1901", "--linger", "0.6", "--games", str(self._tables),
            "--press-level", "20", "--movement-limit", "10", "--retreat-limit", "5",
            "--build-limit", "5", "--log-level", "error", "--deserted", "1000",
        )  # fmt: skip

    async def run(self) -> None:
        """Play until the server has been killed often enough, and end in peace."""
        playing = [asyncio.create_task(self._table(number)) for number in range(self._tables)]
        try:
            while self.case.kills < self._wanted:
                await self._live_once()
                if self.case.kills % 10 == 0:
                    sys.stderr.write(f"{self.case.kills} kills, {len(self.case.evidence)} seats\n")
        except BaseException:
            if self._server is not None and self._server.process.returncode is None:
                await self._server.kill()
            for task in playing:
                task.cancel()
            await asyncio.wait(playing)
            raise
        await self._start()
        self._is_over = True
        await asyncio.wait(playing, timeout=90)
        for task in playing:
            task.cancel()
        assert self._server is not None
        await self._server.stop()

    async def _start(self) -> None:
        began = monotonic()
        self._server = await Server.start(*self._arguments(), port=self._port)
        self.case.slowest_start = max(self.case.slowest_start, monotonic() - began)
        self._port = self._server.port
        self.case.restarts += 1
        self._is_up.set()

    async def _live_once(self) -> None:
        """Let the server live for a moment, perhaps not even until it listens."""
        if self._chance.random() < 0.15 and self._port:
            process = await self._spawn()
            try:
                await asyncio.sleep(self._chance.uniform(0.05, 1.5))
            finally:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.communicate()
            self.case.at_start += 1
        else:
            await self._start()
            assert self._server is not None
            await asyncio.sleep(self._chance.uniform(0.05, 2.0))
            while self._doubted:  # noqa: ASYNC110 - tables come and go
                await asyncio.sleep(0.1)
            self.case.in_linger += self._lingering > 0
            self._is_up.clear()
            await self._server.kill()
        self.case.kills += 1

    async def _spawn(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "cli", "serve", "--port", str(self._port), *self._arguments(),
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip

    async def _table(self, number: int) -> None:
        begun = 0
        while not self._is_over:
            begun += 1
            players = [
                Witness(f"{number}.{begun}.{seat}", self.case, self._chance) for seat in range(7)
            ]
            await self._play_together(players)

    async def _play_together(self, players: list[Witness]) -> None:
        """Let a table play to the end of its game, or until it is stuck."""
        playing = asyncio.gather(*map(self._play, players))
        heard, waited, name = 0, 0.0, players[0].name
        while not playing.done():
            was_up, began = self._is_up.is_set(), monotonic()
            try:
                await asyncio.wait([playing], timeout=1)
            except asyncio.CancelledError:
                await call_off(playing)
                raise
            news = sum(player.heard for player in players)
            # The time in which there is no server does not count.
            waited += monotonic() - began if was_up and self._is_up.is_set() else 0.0
            if news != heard:
                heard, waited = news, 0.0
                self._doubted.discard(name)
            if waited > STUCK_AFTER:
                self._doubted.add(name)
            if waited > STUCK_AFTER + CALM:
                self.case.stuck.append("; ".join(player.described() for player in players))
                playing.cancel()
                break
        self._doubted.discard(name)
        with suppress(asyncio.CancelledError):
            await playing

    async def _play(self, player: Witness) -> None:
        refused_since: float | None = None
        while not player.summary:
            await self._is_up.wait()
            peer = None
            try:
                peer = await RawPeer.connect(self._port)
                await (player.come_back(peer) if player.power else player.play(peer))
                await self._linger(peer)
            except (ConnectionError, OSError):
                refused_since = None
                await asyncio.sleep(0.05)
            except AssertionError as error:
                if "lost" in str(error):
                    raise
                refused_since = refused_since or monotonic()
                if monotonic() - refused_since > MISSED_AFTER:
                    self.case.missed += 1
                    return
                await asyncio.sleep(0.3)
            finally:
                if peer is not None:
                    peer.vanish()

    async def _linger(self, peer: RawPeer) -> None:
        self._lingering += 1
        try:
            with suppress(ConnectionError, TimeoutError):
                async with asyncio.timeout(1):
                    while await peer.hear():
                        pass
        finally:
            self._lingering -= 1


# --- the judgement --------------------------------------------------------------------------------


@define
class Verdict:
    """What was found in the store."""

    games: int = 0
    ended: int = 0
    records: int = 0
    acknowledged: Counter[str] = Factory(Counter)
    faults: list[str] = Factory(list)


def judge(case: Case, folder: Path) -> Verdict:
    """Compare the store and the records with what the witnesses know."""
    verdict = Verdict()
    store = Store(str(folder / "kills.db"))
    path = folder / "g.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    named = Counter(json.loads(line)["setup"]["name"] for line in lines)
    verdict.records = len(lines)
    # Names are used once; passcodes of games that are over may be drawn again.
    by_seat = {(each.power, each.player): each for each in case.evidence}
    found: set[tuple[str, str]] = set()
    for number in store.games():
        record = store.load(number)
        game = replay(record)
        verdict.games += 1
        if game.stage is Stage.ENDED:
            verdict.ended += 1
            if named[game.name] != 1:
                verdict.faults.append(f"{game.name} ended and has {named[game.name]} records")
        texts = Counter(
            to_text(happened.tokens, game.representation)
            for _, happened in record.happenings()
            if isinstance(happened, Received)
        )
        played = {str(turn.turn): turn for turn in game.history.turns}
        for power, seat in game.seats.items():
            known = by_seat.get((power.name, seat.name))
            if known is not None:
                found.add((power.name, seat.name))
                _compare(verdict, game.name, power, known, texts, played, game.stage)
    verdict.faults += (f"nothing is known of the seat {each}" for each in by_seat.keys() - found)
    store.close()
    return verdict


def _compare(  # noqa: PLR0917 - what is compared with what
    verdict: Verdict,
    game: str,
    power: Power,
    known: Evidence,
    texts: Counter[str],
    played: dict[str, PlayedTurn],
    stage: Stage,
) -> None:
    for text in known.texts:
        verdict.acknowledged["texts"] += 1
        if texts[text] != 1:
            verdict.faults.append(f"{game}: {text} is there {texts[text]} times")
    kept = sum(
        count
        for text, count in texts.items()
        if text.startswith("SND") and f"( PCE ( {power.name} " in text
    )
    verdict.acknowledged["press"] += known.press
    if kept < known.press:
        verdict.faults.append(f"{game}: {power.name} said {known.press}, {kept} are there")
    for turn, orders in known.orders.items():
        verdict.acknowledged["orders"] += len(orders)
        if turn in played and (lost := orders - _orders_of(played[turn], power)):
            verdict.faults.append(f"{game}: {power.name} in {turn}: {lost} were not used")
    if known.saw_end and stage is not Stage.ENDED:
        verdict.faults.append(f"{game}: its end was told, and it goes on")
    verdict.acknowledged["ends"] += known.saw_end


def _orders_of(turn: PlayedTurn, power: Power) -> set[str]:
    found = set()
    for outcome in turn.outcomes:
        if power_of(outcome.order) == power:
            found.add(format_order(outcome.order))
    return found


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="tests.server.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        trial = Trial(folder, options.kills, options.tables, options.seed)

        def judged() -> dict[str, object]:
            asyncio.run(trial.run())
            return summary(trial.case, judge(trial.case, folder))

        return conclude(judged, lambda: counted(trial.case))


def counted(case: Case) -> dict[str, object]:
    """Tell what happened, also in a trial that was cut short, of which nothing was compared."""
    return {
        "kills": case.kills,
        "while starting": case.at_start,
        "while lingering": case.in_linger,
        "slowest start s": round(case.slowest_start, 2),
        "seats": len(case.evidence),
        "missed the end": case.missed,
        "insisted on a place": case.insisted,
        "stuck": case.stuck,
    }


def summary(case: Case, verdict: Verdict) -> dict[str, object]:
    """Tell what happened and what was found."""
    return {
        "ok": not verdict.faults and not case.stuck,
        **counted(case),
        "games": verdict.games,
        "ended": verdict.ended,
        "records": verdict.records,
        "acknowledged": dict(verdict.acknowledged),
        "faults": verdict.faults[:20],
    }


if __name__ == "__main__":
    sys.exit(main())

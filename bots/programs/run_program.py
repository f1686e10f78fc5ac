"""`daide bot --exec PROGRAM`: a program plays a power, by DAIDE text on its input and output."""

import asyncio
import shlex
import signal

import structlog

from bots.programs.child import Child, ProgramEndedError
from bots.programs.text_seat import Said, TextSeat
from bots.runner import Played, Seating, join_game, stopped_by_sigterm
from daide.client import Client, connect
from daide.errors import ConnectionEndedError, ConnectionLostError
from grammar.messages import Now, Summary, TurnOff
from rules.errors import BadInputError

PATIENCE = 60.0
"""How long a program may think about a turn when neither the game nor the user says so."""
MOST_COMPLAINTS = 100
LONGEST_COMPLAINT = 300
MOST_LINES = 10_000
"""A program that writes so many lines in a turn has lost its way."""
VERSION = "exec"

log = structlog.get_logger(__name__)


def command_of(text: str) -> list[str]:
    """Return the words of a command line; raises BadInputError if there are none."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadInputError(f"--exec: {text!r}: {error}") from None
    if not words:
        raise BadInputError("--exec: there is no program to start")
    return words


async def play_program(command: list[str], seating: Seating, *, think: float | None) -> Played:
    """Play one game to its end with a program, or until the server or a SIGTERM ends it."""
    with stopped_by_sigterm() as stopped:
        try:
            return await _play(command, seating, think)
        except asyncio.CancelledError:
            if not stopped:
                raise
            return Played(is_over=False, failures=0)


async def _play(command: list[str], seating: Seating, think: float | None) -> Played:
    async with connect(
        seating.host, seating.port, waits_for_server=seating.waits_for_server
    ) as client:
        program = await Child.start(command)
        try:
            await join_game(client, VERSION, seating)
            bridge = Bridge(client, program, think)
            await bridge.run()
            return Played(bridge.seat.table.is_over, bridge.seat.overdue)
        finally:
            await program.end()


def _how(code: int) -> str:
    """Say how a program ended, by its exit code."""
    return f"by signal {-code} ({signal.strsignal(-code)})" if code < 0 else f"with code {code}"


def shorten(text: str) -> str:
    """Leave out the middle of a text that is too long for a line of a log."""
    half = LONGEST_COMPLAINT // 2
    return text if len(text) <= LONGEST_COMPLAINT else f"{text[:half]} ... {text[-half:]}"


class Bridge:
    """Carries lines and messages between a program and a server."""

    def __init__(self, client: Client, program: Child, think: float | None) -> None:
        self.seat = TextSeat(client.representation, patience=think or PATIENCE)
        self._client = client
        self._program = program
        self._clock = asyncio.get_running_loop().time
        self._complaints: set[str] = set()
        self._lines = 0
        """How many the program has written since the turn began."""

    async def run(self) -> None:
        """Go on until the game is over; raises ProgramEndedError if the program is first."""
        tasks = [
            asyncio.create_task(part, name=f"exec.{name}")
            for name, part in (
                ("server", self._hear_server()),
                ("program", self._hear_program()),
                ("clock", self._watch_clock()),
            )
        ]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                await task
        except ConnectionLostError:
            raise
        except ConnectionEndedError as error:
            log.info("server left", how=str(error))
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    async def _hear_server(self) -> None:
        async for message in self._client:
            if isinstance(message, Now):
                self._lines = 0
            await self._carry_out(self.seat.on_message(message, self._clock()))
            if isinstance(message, Summary | TurnOff):
                return

    async def _hear_program(self) -> None:
        while (line := await self._program.read()) is not None:
            self._lines += 1
            if self._lines > MOST_LINES:
                raise ProgramEndedError(f"it wrote more than {MOST_LINES} lines in {self._when}")
            await self._carry_out(self.seat.on_line(line))
            await asyncio.sleep(0)  # one who always has a line must not keep the others waiting
        code = await self._program.code()
        raise ProgramEndedError(f"it ended {_how(code)} in {self._when}")

    @property
    def _when(self) -> str:
        return str(self.seat.table.turn or "no turn")

    async def _watch_clock(self) -> None:
        while True:
            deadline = self.seat.deadline
            left = 0.2 if deadline is None else min(0.2, max(0.01, deadline - self._clock()))
            await asyncio.sleep(left)
            await self._carry_out(self.seat.on_time(self._clock()))

    async def _carry_out(self, said: Said) -> None:
        if said.complaint and said.complaint not in self._complaints:
            self._complain(said.complaint)
        self._program.write(said.lines)
        for message in said.messages:
            await self._client.send(message)

    def _complain(self, what: str) -> None:
        """Tell the author what is wrong, each thing once and in a line, until it is hopeless."""
        if len(self._complaints) < MOST_COMPLAINTS:
            self._complaints.add(what)
            log.warning("program", said=shorten(what))
            if len(self._complaints) == MOST_COMPLAINTS:
                log.warning("program", said="no more of its faults are told")

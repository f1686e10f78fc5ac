"""`daide bot --exec PROGRAM`: a program plays a power, by DAIDE text on its input and output."""

import asyncio
import shlex
from asyncio.subprocess import PIPE, Process
from contextlib import suppress

import structlog

from bots.programs.text_seat import Said, TextSeat
from bots.runner import Played, Seating, join_game, stopped_by_sigterm
from daide.client import Client, connect
from daide.errors import ConnectionEndedError, ConnectionLostError
from grammar.messages import Summary, TurnOff
from rules.errors import BadInputError

PATIENCE = 60.0
"""How long a program may think about a turn when neither the game nor the user says so."""
FAREWELL = 2.0
LONGEST_LINE = 1 << 17
VERSION = "exec"

log = structlog.get_logger(__name__)


class ProgramEndedError(Exception):
    """The program has left before the end of the game; the text says how."""


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
        program = await _started(command)
        try:
            await join_game(client, VERSION, seating)
            bridge = Bridge(client, program, think)
            await bridge.run()
            return Played(bridge.seat.table.is_over, bridge.seat.overdue)
        finally:
            await _ended(program)


async def _started(command: list[str]) -> Process:
    try:
        return await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, limit=LONGEST_LINE
        )
    except OSError as error:
        raise BadInputError(f"--exec: cannot start {command[0]!r}: {error.strerror}") from None


async def _ended(program: Process) -> None:
    """Close the program's input, and wait a little for it to leave by itself."""
    if program.stdin is not None:
        program.stdin.close()
    try:
        await asyncio.wait_for(program.wait(), FAREWELL)
    except TimeoutError:
        with suppress(ProcessLookupError):
            program.kill()
        await program.wait()


class Bridge:
    """Carries lines and messages between a program and a server."""

    def __init__(self, client: Client, program: Process, think: float | None) -> None:
        self.seat = TextSeat(client.representation, patience=think or PATIENCE)
        self._client = client
        self._program = program
        self._clock = asyncio.get_running_loop().time
        self._complaints: set[str] = set()

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
            await self._carry_out(self.seat.on_message(message, self._clock()))
            if isinstance(message, Summary | TurnOff):
                return

    async def _hear_program(self) -> None:
        assert self._program.stdout is not None
        while True:
            try:
                line = await self._program.stdout.readline()
            except ValueError:
                raise ProgramEndedError(
                    f"it wrote a line of more than {LONGEST_LINE} bytes"
                ) from None
            if not line:
                break
            await self._carry_out(self.seat.on_line(line.decode("latin-1").strip()))
        code = await self._program.wait()
        raise ProgramEndedError(f"it ended with code {code} in {self.seat.table.turn or 'no turn'}")

    async def _watch_clock(self) -> None:
        while True:
            deadline = self.seat.deadline
            left = 0.2 if deadline is None else min(0.2, max(0.01, deadline - self._clock()))
            await asyncio.sleep(left)
            await self._carry_out(self.seat.on_time(self._clock()))

    async def _carry_out(self, said: Said) -> None:
        if said.complaint and said.complaint not in self._complaints:
            self._complaints.add(said.complaint)
            log.warning("program", said=said.complaint)
        assert self._program.stdin is not None
        with suppress(ConnectionError):  # its end is told by its output
            for line in said.lines:
                self._program.stdin.write(line.encode("latin-1", "replace") + b"\n")
            await self._program.stdin.drain()
        for message in said.messages:
            await self._client.send(message)

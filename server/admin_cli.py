"""`daide admin`: the commands of ADM texts, from the shell."""

import argparse
import asyncio
import json
import logging
import os
import sys
from pathlib import Path

import structlog
from attrs import frozen

from cli.parsing import command_parser, host, port
from daide import DEFAULT_PORT
from daide.backoff import NEVER
from daide.client import Client, connect
from daide.errors import ClientError, NoServerError
from grammar.messages import Admin, Huh, Ping, Yes
from rules.errors import BadInputError, unreadable
from server.admin import ANSWERER, MASTERED, REFUSALS, secret_tried

EXAMPLE = """examples:
  daide admin status
  daide admin --port 16713 --game game-2 who
  DAIDE_ADMIN_SECRET=... daide admin pause
  daide admin --secret-file secret.txt mtl 60

The words after the options are the command; `daide admin help` lists them. Most are for the master
of the game: the secret that makes one is taken from the environment or from a file. Exit code 1 if
the server refuses or cannot be reached."""
NAME = "admin"
REFUSED = 1
PATIENCE = 20.0


class RefusedError(Exception):
    """The server does not do what it is asked."""


@frozen
class AdminAnswer:
    """What the server said to a command."""

    lines: tuple[str, ...]

    @property
    def is_refusal(self) -> bool:
        """Whether the command was not carried out."""
        return not self.lines or self.lines[0] in REFUSALS


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    options = _parser().parse_args(arguments)
    command = " ".join(options.command)
    if secret_tried(f"{ANSWERER}: {command}"):
        raise BadInputError("a secret is never given on the command line: see daide admin --help")
    secret = _secret(options.secret_file)
    # Standard output belongs to the answer.
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    try:
        answer = asyncio.run(_ask(options.host, options.port, options.game, secret, command))
    except TimeoutError:
        print("daide admin: the server does not answer", file=sys.stderr)
        return REFUSED
    except OSError as error:
        print(f"daide admin: {NoServerError(options.host, options.port, error)}", file=sys.stderr)
        return REFUSED
    except (RefusedError, ClientError) as error:
        why = str(error) or "the server does not answer"
        print(f"daide admin: {why}", file=sys.stderr)
        return REFUSED
    if options.json:
        print(json.dumps({"accepted": not answer.is_refusal, "answers": answer.lines}))
    else:
        for line in answer.lines:
            print(line)
    return REFUSED if answer.is_refusal else 0


def _parser() -> argparse.ArgumentParser:
    parser = command_parser("admin", "Give a command to a running server.", EXAMPLE)
    parser.add_argument(
        "--host", type=host, default="127.0.0.1", help="the server (default: this machine)"
    )
    parser.add_argument("--port", type=port, default=DEFAULT_PORT, help="default: %(default)s")
    parser.add_argument("--game", metavar="NAME", help="the game (default: one that is played)")
    parser.add_argument(
        "--secret-file", metavar="FILE", help="holds the secret (default: $DAIDE_ADMIN_SECRET)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("command", nargs="+", metavar="WORD", help="the command, such as status")
    return parser


def _secret(file: str | None) -> str | None:
    if file is None:
        return os.environ.get("DAIDE_ADMIN_SECRET") or None
    try:
        secret = Path(file).read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(f"--secret-file {file}", error) from None
    if not secret:
        raise BadInputError(f"--secret-file {file}: is empty")
    return secret


async def _ask(
    host: str, port: int, game: str | None, secret: str | None, command: str
) -> AdminAnswer:
    async with asyncio.timeout(PATIENCE), connect(host, port, backoff=NEVER) as client:
        if game is not None:
            await client.select(game)
        await client.observe()
        if secret is not None:
            answer = await _command(client, f"become master {secret}")
            if answer.lines != (MASTERED,):
                raise RefusedError("the server does not accept the secret")
        return await _command(client, command)


async def _command(client: Client, command: str) -> AdminAnswer:
    """Return the answer, which is complete when what was asked after it is answered."""
    await client.send(Admin(NAME, f"{ANSWERER}: {command}"))
    await client.send(Ping())
    lines = []
    async for message in client:
        if isinstance(message, Admin) and message.name == ANSWERER:
            lines.append(message.text)
        # A server that does not know PNG says so.
        elif message == Yes(Ping()) or isinstance(message, Huh):
            break
    return AdminAnswer(tuple(lines))

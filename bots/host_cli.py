"""`daide bots host`: offer bots to the servers of an MQTT broker."""

import argparse
import asyncio
import logging
import os
import signal
import socket
from contextlib import suppress

from bots.bot_command import log_to_stderr
from bots.bot_host import BotHost, HostOptions
from bots.registry import check_bot
from cli.parsing import command_parser, seconds, seed, whole
from feed.address import read_address
from rules.errors import BadInputError

EXAMPLE = """example:
  DAIDE_MQTT_PASSWORD=... daide bots host --mqtt bots@broker.example.org --offer dumbbot,blabbot

Servers that run with --bot-hosts ask for bots by name; each request is answered by one host. A host
starts nothing but what stands in --offer. Ends with SIGTERM or Ctrl-C, and its bots with it."""


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    options = _parser().parse_args(arguments)
    bots = tuple(each.strip() for each in options.offer.split(",") if each.strip())
    if not bots:
        raise BadInputError("--offer: names no bot; see daide bots")
    for bot in bots:
        check_bot(bot)
    if options.name is not None and set(options.name) & set("/+#"):
        raise BadInputError(f"--name: {options.name!r} is part of a topic: no /, + or #")
    host = HostOptions(
        name=options.name or f"{socket.gethostname()}-{os.getpid()}",
        bots=bots,
        most=options.most,
        seed=options.seed,
        think=options.think,
    )
    log_to_stderr(logging.INFO)
    asyncio.run(_run(BotHost(read_address(options.mqtt), host)))
    return 0


async def _run(host: BotHost) -> None:
    running = asyncio.create_task(host.run(), name="host.run")
    with suppress(NotImplementedError):  # Windows has no such handlers
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
    try:
        await running
    except asyncio.CancelledError:
        if (task := asyncio.current_task()) is not None and task.cancelling():
            raise


def _parser() -> argparse.ArgumentParser:
    parser = command_parser("bots host", "Offer bots to the servers of an MQTT broker.", EXAMPLE)
    parser.add_argument("--mqtt", required=True, metavar="URL", help="the broker")
    parser.add_argument("--offer", required=True, metavar="LIST", help="the bots: dumbbot,blabbot")
    parser.add_argument("--name", metavar="TEXT", help="the host's name (default: machine-number)")
    parser.add_argument(
        "--most", type=whole(1), default=20, metavar="N", help="how many at once (20)"
    )
    parser.add_argument("--seed", type=seed, metavar="N", help="makes the bots' chances repeatable")
    parser.add_argument("--think", type=seconds, metavar="SECONDS", help="time to think per turn")
    return parser

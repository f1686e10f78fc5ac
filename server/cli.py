"""`daide serve`: host games for DAIDE clients."""

import argparse
import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import structlog

from cli.parsing import command_parser
from grammar.parse import HIGHEST_LEVEL, reader_for
from rules.errors import BadInputError
from server.config import DEFAULT_WEB_PORT, OPTIONS, ServerConfig, read_config
from server.host import Host
from server.listener import Listener
from server.logs import set_up_logs
from server.memory import settle
from server.preflight import check
from server.snapshot import fingerprint
from server.store import Durability, Store

EXAMPLE = """examples:
  daide serve
  daide serve --port 0 --press-level 20 --games 10 --store games.db --movement-limit 30

Prints the address once it listens. A server that is started again on the same store carries on
every unfinished game. A file given with --config has the same options: `press-level = 20`; it may
have tables [seats] (client name = power) and [limits] as well."""
INTERRUPTED = 130
# Each connection needs one; what the system allows at most is taken.
WANTED_FILES = 16_384

# `--web` alone takes the usual port.
_OPTIONAL_VALUES: dict[str, dict[str, Any]] = {
    "web": {"nargs": "?", "const": str(DEFAULT_WEB_PORT)}
}

log = structlog.get_logger(__name__)


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    options = vars(_parser().parse_args(arguments))
    file = options.pop("config", None)
    flags = {name.replace("_", "-"): value for name, value in options.items()}
    config = read_config(flags, file)
    check(config)
    set_up_logs(config)
    _allow_many_files()
    store = open_store(config)
    try:
        return asyncio.run(serve(config, store))
    finally:
        store.close()


def _parser() -> argparse.ArgumentParser:
    parser = command_parser("serve", "Host games of Diplomacy for DAIDE clients.", EXAMPLE)
    parser.argument_default = argparse.SUPPRESS
    parser.add_argument("--config", metavar="FILE", help="read options from a TOML file")
    for option in OPTIONS:
        if option.is_flag:
            parser.add_argument(f"--{option.name}", action="store_true", help=option.meaning)
        else:
            parser.add_argument(
                f"--{option.name}",
                metavar=option.metavar,
                help=option.meaning,
                **_OPTIONAL_VALUES.get(option.name, {}),
            )
    return parser


async def serve(config: ServerConfig, store: Store) -> int:
    """Listen and play until a signal comes, or until enough games are over."""
    # The tables of the language are built before anybody waits for an answer, those as well that
    # secrets and messages before the start are read with.
    reader_for(config.settings.level, partial_draws=config.settings.partial_draws)
    for level in (0, HIGHEST_LEVEL):
        reader_for(level)
    # It reads all our files, and the first snapshot would stop every game for that.
    fingerprint()
    settle()
    host = Host(config, store)
    listener = Listener(host)
    address, port = listener.bind()
    stop, code = asyncio.Event(), 0

    def on_signal(number: int) -> None:
        nonlocal code
        code = INTERRUPTED if number == signal.SIGINT else 0
        stop.set()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows has no such handlers
            loop.add_signal_handler(number, on_signal, number)
    _announce(config, address, port)
    async with AsyncExitStack() as around:
        publisher = monitor = None
        if config.mqtt is not None:
            from server.feed_setup import start_feed  # noqa: PLC0415 - only for those who have a broker

            publisher = start_feed(config, host, address, port)
            around.push_async_callback(publisher.stop)
        if config.web is not None:
            from server.page_setup import page_of  # noqa: PLC0415 - the same

            page = await around.enter_async_context(page_of(config, host, port))
            _announce_page(config, page.links)
        if config.metrics is not None:
            from server.monitoring import start_monitor  # noqa: PLC0415 - the same

            monitor = await start_monitor(host, config.metrics, publisher)
            around.push_async_callback(monitor.stop)
        await listener.start()
        if monitor is not None:
            monitor.is_listening = True
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(host.run(), name="host.run")
            await _first_of(stop, host.done)
            log.info("server ends", restartable=len(host.rooms))
            host.stop()
            await listener.stop()
    return code


async def _first_of(*events: asyncio.Event) -> None:
    waits = [asyncio.create_task(event.wait()) for event in events]
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()


def _announce(config: ServerConfig, address: str, port: int) -> None:
    if config.json_logs:
        print(json.dumps({"event": "listening", "host": address, "port": port}), flush=True)
    else:
        print(f"listening on {address}:{port}", flush=True)
    log.info("listening", host=address, port=port)


def _announce_page(config: ServerConfig, links: Mapping[str, str]) -> None:
    if config.json_logs:
        print(json.dumps({"event": "page", **links}), flush=True)
        return
    print(f"page at {links['public']}", flush=True)
    # The link holds the secret: on a terminal only, never in a log.
    print(f"with all press: {links['all']}", flush=True)


def open_store(config: ServerConfig) -> Store:
    """Open the store that is asked for, or the first in the user's folder that nobody uses."""
    durability = Durability(config.durability)
    if config.store is not None:
        return Store(config.store, durability)
    folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "daide"
    for number in range(1, 100):
        path = folder / ("games.db" if number == 1 else f"games-{number}.db")
        try:
            store = Store(str(path), durability)
        except BadInputError as error:
            if "another server" not in str(error):
                raise
        else:
            log.info("store opened", path=str(path))
            return store
    raise BadInputError(f"store {folder}: a hundred servers use it; choose one with --store")


def _allow_many_files() -> None:
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(WANTED_FILES, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))

"""Brings the feed and the host together; loaded only for a server that has a broker."""

import json
import socket

from daide import __version__
from feed.outbox import BUFFER
from feed.publisher import Feed, Publisher
from feed.topics import status
from server.bot_desk import BotDesk
from server.config import ServerConfig
from server.host import Host
from server.reporter import Reporter


def start_feed(
    config: ServerConfig, host: Host, address: str, port: int, *, buffer: int | None = None
) -> Publisher:
    """Publish what happens from now on; the publisher is to be stopped after the host."""
    assert config.mqtt is not None
    name = config.mqtt_name or f"{socket.gethostname()}-{port}"
    online = {"state": "online", "server": name, "address": address, "port": port}
    feed = Feed(
        address=config.mqtt,
        server=name,
        status=status(name),
        online=json.dumps(online | {"version": __version__}),
        offline=json.dumps({"state": "offline", "server": name}),
        buffer=buffer or BUFFER,
    )
    publisher = Publisher(feed)
    if config.bot_hosts:
        _open_desk(publisher, host)
    publisher.start()
    reporter = Reporter(config.variant, publisher.send)
    publisher.retell = reporter.retell
    host.add_observer(reporter)
    return publisher


def _open_desk(publisher: Publisher, host: Host) -> None:
    """Let bot hosts start the bots that are needed."""
    desk = BotDesk(publisher.feed.server, publisher.send)
    desk.is_connected = lambda: publisher.is_connected
    desk.is_needed = lambda request: host.still_wants(request.game, request.power)
    desk.start()
    publisher.subscribe(desk.subscriptions, desk.receive)
    publisher.on_stop.append(desk.stop)
    host.stand_ins.desk = desk

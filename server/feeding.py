"""Brings the feed and the host together; loaded only for a server that has a broker."""

import json
import socket
from importlib.metadata import version

from feed.outbox import BUFFER
from feed.publisher import Feed, Publisher
from feed.topics import status
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
        online=json.dumps(online | {"version": version("daide")}),
        offline=json.dumps({"state": "offline", "server": name}),
        buffer=buffer or BUFFER,
    )
    publisher = Publisher(feed, on_letter=lambda _topic, _payload: None)
    publisher.start()
    host.add_observer(Reporter(name, publisher.send))
    return publisher

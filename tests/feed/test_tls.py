"""A broker that speaks TLS with a certificate of its own."""

import asyncio
import gc
import getpass
import shutil
import subprocess
from pathlib import Path

import pytest

from feed.address import read_address
from feed.broker import BrokerState
from feed.outbox import Letter
from tests.feed.brokers import MOSQUITTO, Listener, answers, free_port
from tests.patience import PATIENCE

needs_both = pytest.mark.skipif(
    MOSQUITTO is None or shutil.which("openssl") is None, reason="needs Mosquitto and openssl"
)


def make_certificate(folder: Path) -> None:
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj",
         "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
         str(folder / "key.pem"), "-out", str(folder / "cert.pem")],
        check=True, capture_output=True,
    )  # fmt: skip


# The client library leaves the socket of a refused certificate to the garbage collector.
@pytest.mark.filterwarnings("ignore:Exception ignored in. <ssl.SSLSocket")
@needs_both
async def test_a_broker_is_spoken_to_in_tls_and_its_certificate_checked(tmp_path: Path) -> None:
    make_certificate(tmp_path)
    port = free_port()
    conf = tmp_path / "mosquitto.conf"
    conf.write_text(
        f"listener {port} 127.0.0.1\nallow_anonymous true\nuser {getpass.getuser()}\n"
        f"certfile {tmp_path}/cert.pem\nkeyfile {tmp_path}/key.pem\n"
    )
    assert MOSQUITTO is not None
    broker = await asyncio.create_subprocess_exec(
        MOSQUITTO, "-c", str(conf), stderr=asyncio.subprocess.DEVNULL
    )
    try:
        async with asyncio.timeout(PATIENCE):
            while not await answers(port):
                pass
        known = read_address(f"mqtts://127.0.0.1:{port}?ca={tmp_path}/cert.pem", {})
        async with Listener(known, "greetings") as listener:
            listener.broker.send(Letter("greetings", b"hello"))
            await listener.until(lambda: [each.payload for each in listener.letters] == [b"hello"])
        stranger = Listener(read_address(f"mqtts://127.0.0.1:{port}", {}))
        trying = asyncio.create_task(stranger.broker.run())
        await stranger.until(lambda: stranger.states)
        trying.cancel()
        await asyncio.wait([trying])
        assert stranger.states == [BrokerState.UNREACHABLE]
        gc.collect()
    finally:
        broker.terminate()
        await broker.wait()

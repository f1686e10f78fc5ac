"""A stand-in for a chat-completions endpoint, on loopback: it is no model, and knows no Diplomacy.

It answers every question as it is told to, and keeps what it was asked.
"""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from attrs import define, field, frozen


@frozen
class Reply:
    """What the stand-in answers."""

    text: str = ""
    status: int = 200
    headers: dict[str, str] = field(factory=dict)
    waits: float = 0.0
    is_raw: bool = False
    """Whether the text is the whole body, and not the content of a completion."""


Model = Callable[[str], Reply]


@define
class StandIn:
    """A running stand-in."""

    model: Model
    url: str = ""
    asked: list[str] = field(factory=list)
    keys: list[str | None] = field(factory=list)
    is_over: threading.Event = field(factory=threading.Event)


@contextmanager
def stand_in(model: Model) -> Iterator[StandIn]:
    """Serve on a free port of this machine."""
    told = StandIn(model)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            question = json.loads(self.rfile.read(length))["messages"][0]["content"]
            told.asked.append(question)
            told.keys.append(self.headers.get("Authorization"))
            reply = told.model(question)
            told.is_over.wait(reply.waits)
            completion = {"choices": [{"message": {"role": "assistant", "content": reply.text}}]}
            body = (reply.text if reply.is_raw else json.dumps(completion)).encode()
            try:
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            except ConnectionError:
                return  # it did not wait for us

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.url = f"http://127.0.0.1:{server.server_port}/v1/chat/completions"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield told
    finally:
        told.is_over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def holding(question: str) -> Reply:
    """Hold with every unit of the power that is asked for, and say something to a neighbour."""
    power = re.findall(r"You play (\w{3})", question)[0]
    position = question[question.rindex("NOW (") :]
    units = re.findall(rf"\( {power} (?:AMY|FLT) (?:\w{{3}}|\( \w{{3}} \w{{3}} \)) \)", position)
    other = "ENG" if power != "ENG" else "FRA"
    text = "It's peace, isn't it?" if "plain English" in question else ""
    text = text or f"PRP ( PCE ( {power} {other} ) )"
    answer: dict[str, Any] = {
        "press": [{"to": [other], "text": text}],
        "orders": [f"{unit} HLD" for unit in units],
    }
    return Reply(f"Here you are:\n```json\n{json.dumps(answer)}\n```")

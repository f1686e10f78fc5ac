"""A bot that asks a chat-completions endpoint what to say and what to order; no package needed.

    export CHAT_URL=https://api.example.org/v1/chat/completions CHAT_KEY=... CHAT_MODEL=...
    daide bot --exec "python3 chatter.py" --think 90

At press level 8000 it writes plain sentences, below that DAIDE's own. CHAT_SECONDS (30) limits an
answer, CHAT_LISTEN (2) the wait for what others say, CHAT_PROMPT (12000) the letters of a question.
Whatever the endpoint does, the game goes on: what is missing is ordered by `daide bot`.
"""

import json
import os
import re
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from http.client import HTTPException
from queue import Empty, Queue
from typing import Any
from urllib import error, request

FREE_TEXT = 8000
LARGEST_ANSWER = 1 << 20
AGAIN = (408, 409, 425, 429, 500, 502, 503, 504, 529)
TOO_LONG = (400, 413, 422)
UNIT = r"(AMY|FLT) (\w{3}|\( \w{3} \w{3} \))"
RULES = """You play {power} in the board game Diplomacy. Answer with one JSON object, nothing else:
{{"press": [{{"to": ["ENG"], "text": "..."}}], "orders": ["( {power} AMY PAR ) MTO BUR", ...]}}
Orders: "unit HLD", "unit MTO place", "unit SUP unit", "unit SUP unit MTO place", "unit CVY unit CTO
place", "unit CTO place VIA ( sea )"; in retreats "unit RTO place", "unit DSB"; in winter "unit
BLD", "unit REM", "{power} WVE". A unit is ( power AMY place ) or ( power FLT place ).
{press}"""
TALK = {
    0: "There is no press in this game: leave it empty.",
    10: "Press is DAIDE text, such as PRP ( PCE ( {power} ENG ) ), PRP ( XDO ( order ) ), "
    "YES ( PRP ( ... ) ) or REJ ( PRP ( ... ) ); other powers answer it.",
    FREE_TEXT: "Press is plain English, a sentence or two to each power.",
}


def setting(name: str, default: float) -> float:
    """Read a number from the environment."""
    try:
        return float(os.environ.get(name, default))
    except ValueError:
        sys.exit(f"{name}: not a number")


class StayHere(request.HTTPRedirectHandler):
    """Follow no redirection: the key is for one address only."""

    def redirect_request(self, *_: object) -> None:
        """Say no."""


class Endpoint:
    """The model; it is asked within a time, and has no say in how long that is."""

    def __init__(self) -> None:
        self.url = os.environ.get("CHAT_URL", "")
        if not self.url.startswith(("https://", "http://")):
            sys.exit("CHAT_URL: set it to the address of a chat-completions endpoint")
        self.key = os.environ.get("CHAT_KEY", "")
        self.model = os.environ.get("CHAT_MODEL", "default")
        self.opener = request.build_opener(StayHere)

    def ask(self, question: str, seconds: float) -> dict[str, Any]:
        """Return the answer as an object, an empty one if there is none in time."""
        found: Queue[dict[str, Any]] = Queue()
        until = time.monotonic() + seconds
        arguments = (question, until, found)
        threading.Thread(target=self.work, args=arguments, daemon=True).start()
        try:
            return found.get(timeout=seconds)
        except Empty:
            tell(f"no answer within {seconds:g} seconds")
            return {}

    def work(self, question: str, until: float, found: Queue[dict[str, Any]]) -> None:
        """Ask until there is an answer or no more time; a question that is too long is halved."""
        pause = 0.5
        while (left := until - time.monotonic()) > 0:
            try:
                # A little longer than anybody waits: who asked says that there is no answer.
                return found.put(read_answer(self.call(question, left + 1)))
            except error.HTTPError as refused:
                tell(f"the endpoint says {refused.code}")
                if refused.code in TOO_LONG and len(question) > 2000:
                    question = shortened(question, len(question) // 2)
                    continue
                if refused.code not in AGAIN:
                    break
                after = refused.headers.get("Retry-After", "")
                pause = float(after) if after.isdigit() else 2 * pause
            except (OSError, HTTPException) as failed:
                tell(f"the endpoint does not answer: {type(failed).__name__}")
            except (ValueError, LookupError, TypeError, RecursionError) as wrong:
                tell(f"the endpoint's answer cannot be read: {type(wrong).__name__}")
                break
            time.sleep(min(pause, max(0.0, until - time.monotonic())))
        return found.put({})

    def call(self, question: str, seconds: float) -> str:
        """Return the text of one completion."""
        asked = {"model": self.model, "messages": [{"role": "user", "content": question}]}
        headers = {"Content-Type": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        sent = request.Request(self.url, json.dumps(asked).encode(), headers)  # noqa: S310 - checked
        with self.opener.open(sent, timeout=seconds) as answer:
            data = json.loads(answer.read(LARGEST_ANSWER))
        text: str = data["choices"][0]["message"]["content"]
        return text


def read_answer(text: str) -> dict[str, Any]:
    """Return the object in a text, whatever stands around it."""
    start, end = text.index("{"), text.rindex("}")
    found = json.loads(text[start : end + 1])
    if not isinstance(found, dict):
        raise TypeError("not an object")
    return found


def shortened(question: str, letters: int) -> str:
    """Keep the beginning, which has the rules, and the end, which has the position."""
    if len(question) <= letters:
        return question
    head = letters // 3
    return f"{question[:head]}\n...\n{question[len(question) - (letters - head) :]}"


def tell(text: str) -> None:
    """Write to the log of the bot; nothing that the endpoint or the environment said."""
    print(f"chatter: {text}", file=sys.stderr, flush=True)


def say(line: str) -> None:
    """Send a line to the game."""
    print(line, flush=True)


class Game:
    """What the game has told so far."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.power, self.level = "", 0
        self.now, self.centers = "", ""
        self.heard: deque[str] = deque(maxlen=60)
        self.results: list[str] = []
        self.lines: Queue[str | None] = Queue()

    def run(self) -> None:
        """Play until our input ends."""
        threading.Thread(target=self.listen, daemon=True).start()
        while (line := self.lines.get()) is not None:
            self.learn(line)
            if line.startswith("NOW"):
                self.turn()

    def listen(self) -> None:
        """Take lines as they come, so that we hear others while we wait."""
        for line in sys.stdin:
            self.lines.put(line.strip())
        self.lines.put(None)

    def learn(self, line: str) -> None:
        """Remember a line."""
        word = line.partition(" ")[0]
        if word == "HLO":
            self.power = line.split()[2]
            found = re.search(r"LVL (\d+)", line)
            self.level = int(found[1]) if found else 0
        elif word == "SCO":
            self.centers = line
        elif word == "FRM":
            self.heard.append(line)
        elif word == "ORD":
            self.results.append(line)
        elif word == "NOW":
            self.now = line

    def turn(self) -> None:
        """Talk, listen, answer and order; in retreats and winters only order."""
        season = self.now.split()[2] if "( " in self.now else ""
        if not self.power or not self.has_to_order(season):
            return
        seconds = setting("CHAT_SECONDS", 30)
        if self.level and season in ("SPR", "FAL"):
            self.send(self.ask("Say what you want to say before orders are given.", seconds))
            self.wait(setting("CHAT_LISTEN", 2))
        answer = self.ask("Answer what was said to you, and give an order to each unit.", seconds)
        self.send(answer)
        for order in self.orders(answer):
            say(f"SUB ( {order} )")
        say("GOF")  # whatever has no order gets a harmless one
        self.results.clear()

    def has_to_order(self, season: str) -> bool:
        """Whether anything is ours to decide."""
        units = re.findall(rf"\( {self.power} {UNIT}", self.now)
        if season == "WIN":
            owned = re.search(rf"\( {self.power} ([A-Z ]+)\)", self.centers)
            return len(units) != (len(owned[1].split()) if owned else 0)
        if season in ("SUM", "AUT"):
            return re.search(rf"\( {self.power} {UNIT} MRT", self.now) is not None
        return bool(units)

    def wait(self, seconds: float) -> None:
        """Hear what others say for a while."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            try:
                line = self.lines.get(timeout=left)
            except Empty:
                return
            if line is None or line.startswith(("NOW", "OFF", "SMR")):
                self.lines.put(line)  # the turn is over already
                return
            self.learn(line)

    def ask(self, wanted: str, seconds: float) -> dict[str, Any]:
        """Put the question together, the newest last."""
        level = max(each for each in TALK if each <= self.level)
        rules = RULES.format(power=self.power, press=TALK[level].format(power=self.power))
        parts = [rules, *self.heard, *self.results, self.centers, self.now, wanted]
        limit = int(setting("CHAT_PROMPT", 12000))
        return self.endpoint.ask(shortened("\n".join(parts), limit), seconds)

    def send(self, answer: dict[str, Any]) -> None:
        """Say what the answer says to others, as far as the game knows how."""
        told = answer.get("press")
        for each in told if isinstance(told, list) and self.level else []:
            match each:
                case {"to": list(to), "text": str(text)}:
                    powers = [power for power in to if re.fullmatch(r"[A-Z]{3}", str(power))]
                    if powers and text.strip():
                        say(f"SND ( {' '.join(powers)} ) ( {self.worded(text)} )")

    def worded(self, text: str) -> str:
        """Write free text as DAIDE does, between quotation marks and on one line."""
        plain = " ".join(text.encode("utf-8", "replace").decode().split())
        if self.level < FREE_TEXT:
            return plain
        return "'" + plain.replace("'", "''")[:500] + "'"

    def orders(self, answer: dict[str, Any]) -> Iterator[str]:
        """Give the orders that look like ours; whether they are legal is the server's to say."""
        told = answer.get("orders")
        for order in told if isinstance(told, list) else []:
            ours = rf"\( {self.power} {UNIT} \) [A-Z( )]+|{self.power} WVE"
            if isinstance(order, str) and re.fullmatch(ours, order.strip()):
                yield order.strip()
            else:
                tell("an order that is not one of ours was left out")


if __name__ == "__main__":
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8", errors="replace")
    Game(Endpoint()).run()

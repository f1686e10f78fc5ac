"""`daide doctor`: what is here, what is missing, for what, and the cure. Standard library only."""

import json
import os
import shlex
import shutil
import socket
import sys
import sysconfig
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import NamedTuple

from cli.extras import EXTRAS
from cli.foreign import ROOT, complaint, foreign_packages
from cli.main import KERNEL, KNOWN_TO_BE_PLAIN
from cli.parsing import command_parser, port
from daide import DEFAULT_PORT, LOOPBACK

EXAMPLE = """examples:
  daide doctor
  daide doctor --port 16713 --json

Exit code 1 if something is wrong; what is only missing costs speed or an extra."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox", "safari")


class Finding(NamedTuple):
    """One thing that was looked at."""

    what: str
    state: str
    """`ok`, `missing` (it costs something) or `wrong` (nothing will work)."""
    found: str
    cure: str = ""


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    parser = command_parser("doctor", "Say what is here, what is missing, and the cure.", EXAMPLE)
    parser.add_argument("--port", type=port, default=DEFAULT_PORT, help="default: %(default)s")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args(arguments)
    findings = [
        _python(),
        _kernel(),
        _compiler(),
        _browser(),
        _broker(),
        _port(options.port),
        _store(),
        *_extras(),
        _foreign(),
    ]
    if options.json:
        print(json.dumps([each._asdict() for each in findings]))
    else:
        for each in findings:
            print(f"{each.what:<16} {each.state:<8} {each.found}")
            if each.cure:
                print(f"{'':<25} {each.cure}")
    return 1 if any(each.state == "wrong" for each in findings) else 0


def _python() -> Finding:
    return Finding("Python", "ok", f"{sys.version.split()[0]} ({sys.executable})")


def _kernel() -> Finding:
    if os.environ.get("DAIDE_PURE") == "1":
        return Finding("kernel", "missing", "plain, as DAIDE_PURE=1 asks", "unset DAIDE_PURE")
    if any((ROOT / f"{KERNEL}{suffix}").exists() for suffix in EXTENSION_SUFFIXES):
        return Finding("kernel", "ok", "compiled")
    if KNOWN_TO_BE_PLAIN in os.environ:
        return Finding("kernel", "missing", "plain as yet: it is being compiled", "wait a minute")
    script = ROOT / "scripts" / "environment.py"
    command = shlex.join(["python3", str(script), "kernel"])
    cure = command if script.exists() else "install again with a C compiler"
    return Finding("kernel", "missing", "plain: games take about twice as long", cure)


def _compiler() -> Finding:
    words = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()
    if found := shutil.which(words[0]) or shutil.which("cc"):
        return Finding("C compiler", "ok", found)
    cure = "Debian and Ubuntu: apt install gcc; macOS: xcode-select --install"
    return Finding("C compiler", "missing", "none; it compiles the kernel", cure)


def _browser() -> Finding:
    if found := next((path for name in BROWSERS if (path := shutil.which(name))), None):
        return Finding("browser", "ok", found)
    cure = "any browser will do, also on another machine"
    return Finding("browser", "missing", "none found here; for `daide play --watch`", cure)


def _broker() -> Finding:
    path = f"{os.environ.get('PATH', '')}{os.pathsep}/usr/sbin"
    if found := shutil.which("mosquitto", path=path):
        return Finding("MQTT broker", "ok", found)
    cure = "Debian and Ubuntu: apt install mosquitto; or use one elsewhere"
    return Finding("MQTT broker", "missing", "none here; for --mqtt", cure)


def _port(number: int) -> Finding:
    try:
        socket.create_server((LOOPBACK, number)).close()
    except OSError as error:
        cure = "a server may run already; choose another with --port"
        return Finding(f"port {number}", "missing", f"taken: {error.strerror}", cure)
    return Finding(f"port {number}", "ok", "free")


def _store() -> Finding:
    folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "daide"
    there = next(each for each in (folder, *folder.parents) if each.exists())
    if os.access(there, os.W_OK):
        return Finding("store", "ok", f"{folder}")
    cure = "name a file with `daide serve --store FILE`"
    return Finding("store", "missing", f"{there} may not be written to", cure)


def _extras() -> list[Finding]:
    return [
        Finding(f"extra {name}", "ok", f"{extra.module} is installed")
        if extra.is_here
        else Finding(f"extra {name}", "missing", f"for {extra.use}", extra.cure)
        for name, extra in EXTRAS.items()
    ]


def _foreign() -> Finding:
    if found := foreign_packages():
        return Finding("packages", "wrong", complaint(found))
    return Finding("packages", "ok", "all ours are where they belong")

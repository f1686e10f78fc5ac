"""`daide doctor`: what is here and what is missing, with the cure."""

import json
import socket
from pathlib import Path

import pytest

from cli.main import main


def findings(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, dict[str, str]]:
    assert main(["doctor", "--json", *arguments]) == 0
    return {each["what"]: each for each in json.loads(capsys.readouterr().out)}


def test_whatever_is_missing_has_a_cure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CC", "no-such-compiler")
    monkeypatch.setattr("cli.doctor.ROOT", tmp_path)
    monkeypatch.delenv("DAIDE_PURE", raising=False)
    found = findings(capsys)
    for what in ("kernel", "C compiler", "browser"):
        assert found[what]["state"] == "missing"
    assert all(each["cure"] for each in found.values() if each["state"] != "ok")


def test_a_port_that_is_taken_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert findings(capsys, "--port", str(port))[f"port {port}"]["state"] == "missing"
    assert main(["doctor", "--port", str(port)]) == 0
    assert "Python" in capsys.readouterr().out

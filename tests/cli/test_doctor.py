"""`daide doctor`: what is here and what is missing, with the cure."""

import json
import re
import socket
import tomllib
from pathlib import Path

import pytest

from cli.extras import EXTRAS
from cli.foreign import ROOT
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


def test_a_kernel_that_is_being_compiled_needs_no_more_than_time(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("cli.doctor.ROOT", tmp_path)
    monkeypatch.delenv("DAIDE_PURE", raising=False)
    monkeypatch.setenv("DAIDE_KERNEL_COMES", "1")
    assert findings(capsys)["kernel"]["cure"] == "wait a minute"


def test_an_extra_is_got_by_the_packages_that_the_project_names_for_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = {
        extra: tuple(re.split(r"[<>=]", each)[0] for each in packages)
        for extra, packages in project["optional-dependencies"].items()
        if extra != "dev"
    }
    assert {name: extra.packages for name, extra in EXTRAS.items()} == named


def test_a_port_that_is_taken_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert findings(capsys, "--port", str(port))[f"port {port}"]["state"] == "missing"
    assert main(["doctor", "--port", str(port)]) == 0
    assert "Python" in capsys.readouterr().out

import subprocess
import sys
from pathlib import Path

import pytest

from cli.main import PLAIN, SUBCOMMANDS, main
from daide import __version__


def test_help_lists_every_subcommand(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in SUBCOMMANDS)


def test_an_unknown_command_is_named_and_the_known_ones_listed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["plya"]) == 2
    err = capsys.readouterr().err
    assert "'plya'" in err
    assert "parse" in err
    assert err.count("\n") == 1


def test_help_imports_nothing_but_the_umbrella() -> None:
    program = (
        "import sys; from cli.main import main; main(['--help']);"
        "print([m for m in sys.modules if m.split('.')[0] in"
        " ('lark', 'attrs', 'attr', 'structlog', 'grammar', 'rules', 'daide')], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stderr.strip() == "[]"


def test_a_reader_that_leaves_is_no_error() -> None:
    pipe = subprocess.Popen(
        [sys.executable, "-m", "cli", "parse"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert pipe.stdin
    assert pipe.stdout
    assert pipe.stderr
    pipe.stdout.close()
    pipe.stdin.write(b"GOF\n" * 5000)
    pipe.stdin.close()
    assert pipe.stderr.read() == b""
    pipe.stderr.close()
    assert pipe.wait() == 0


@pytest.fixture
def no_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for the compiled kernel where none is."""
    monkeypatch.setattr("cli.main.ROOT", tmp_path)
    monkeypatch.delenv("DAIDE_PURE", raising=False)


PLAY = ["play", "--variant", "lagoon", "--bots", "holdbot*3", "--last-year", "1901", "--json"]


@pytest.mark.usefixtures("no_kernel")
def test_a_game_says_once_that_the_kernel_is_plain(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(PLAY) == 0
    assert capfd.readouterr().err.splitlines() == [f"daide: {PLAIN}"]


@pytest.mark.usefixtures("no_kernel")
def test_neither_children_nor_those_who_know_are_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["bot", "no-such-bot"], is_child=True) == 2
    monkeypatch.setenv("DAIDE_PURE", "1")
    assert main(["bot", "no-such-bot"]) == 2
    assert PLAIN not in capsys.readouterr().err


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"{__version__}\n"

import subprocess
import sys

import pytest

from cli.main import SUBCOMMANDS, main


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

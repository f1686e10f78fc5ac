"""Completion of commands and options in a shell."""

import subprocess
from shutil import which

import pytest

from cli.completion import bash, known_words
from cli.main import SUBCOMMANDS, main


@pytest.fixture(scope="module")
def words() -> dict[str, list[str]]:
    return known_words()


def completed(words: dict[str, list[str]], *line: str) -> list[str]:
    """Ask a real bash how it completes the last word of a line."""
    given = " ".join(f"'{word}'" for word in ("daide", *line))
    script = f"{bash(words)}\nCOMP_WORDS=({given}); COMP_CWORD={len(line)}; _daide\n"
    script += 'printf "%s\\n" "${COMPREPLY[@]}"'
    shell = which("bash")
    if shell is None:
        pytest.skip("there is no bash here")
    done = subprocess.run([shell, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


def test_every_command_is_known_with_its_options(words: dict[str, list[str]]) -> None:
    assert set(SUBCOMMANDS) < set(words[""])
    assert all("--help" in words[name] for name in SUBCOMMANDS if name != "tournament")
    assert {"--bots", "--seed", "--watch"} < set(words["play"])
    assert "--resume" in words["tournament run"]
    assert "--games" in words["patterns train"]
    assert "host" in words["bots"]
    assert "--offer" in words["bots host"]


def test_bash_completes_commands_options_and_files(words: dict[str, list[str]]) -> None:
    assert completed(words, "tourn") == ["tournament"]
    assert completed(words, "tournament", "re") == ["report", "reproduce"]
    assert completed(words, "play", "--seed", "7", "--wat") == ["--watch"]
    assert completed(words, "tournament", "run", "quick", "--res") == ["--resume"]
    assert "--watch" not in completed(words, "parse", "--")
    assert completed(words, "parse", "pyproj") == ["pyproject.toml"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_that_is_here_reads_its_completion(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "tournament" in script
    path = which(shell)
    if path is None:
        pytest.skip(f"there is no {shell} here")
    done = subprocess.run([path, "-n"], input=script, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")

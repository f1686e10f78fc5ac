"""What README and docs say is true: snippets run, links lead somewhere, tables are complete."""

import asyncio
import inspect
import json
import re
from collections.abc import Callable, Coroutine
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from textwrap import dedent
from typing import Any

import attrs
import pytest
from attrs import evolve

import grammar.press
from bots.view import Beliefs
from cli.completion import known_words
from cli.main import SUBCOMMANDS, main
from matches import play
from rules.turns import Season, Turn
from server.config import ServerConfig, read_config
from server.record import record_to_json
from tests.server.hosting import hosting, with_settings
from tournament.spec import check_bots, read_spec

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
DOCUMENTS = [README, *sorted((ROOT / "docs").glob("*.md"))]

FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?<=\n\n)((?:    .*\n|\n)*    .*\n)")
PYTHON_START = re.compile(r"(from [\w.]+ import |import )")
COMMAND = re.compile(
    r"(?:^|^ {4}|`)(?:[A-Z_]+=\S+ )*(?:python3 scripts/)?daide ([a-z]+)(?: ([a-z]+))?([^`\n]*)",
    re.MULTILINE,
)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def snippets(path: Path) -> list[str]:
    """Return the Python of a document: what is fenced as such, and indented blocks that import."""
    text = path.read_text()
    fenced = [code for kind, code in FENCED.findall(text) if kind == "python"]
    indented = map(dedent, INDENTED.findall(FENCED.sub("", text)))
    return [*fenced, *filter(PYTHON_START.match, indented)]


def every_snippet() -> list[Any]:
    return [
        pytest.param(text, id=f"{path.name}-{number}")
        for path in DOCUMENTS
        for number, text in enumerate(snippets(path), 1)
    ]


@pytest.mark.parametrize("text", every_snippet())
def test_a_snippet_runs_as_it_stands(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(text, "snippet", "exec"), {"__name__": "__main__"})


def test_indented_snippets_are_found_as_well() -> None:
    assert any("write_variant" in text for text in snippets(ROOT / "docs" / "variants.md"))


def test_every_example_is_run_by_a_test() -> None:
    tests = [path.read_text() for path in (ROOT / "tests").rglob("*.py")]
    examples = [*(ROOT / "docs" / "examples").iterdir(), *(ROOT / "docs" / "notebooks").iterdir()]
    names = [path.name for path in examples if path.is_file()]
    assert len(names) >= 7
    assert [
        name
        for name in names
        if not any(f'"{name}"' in text or f"'{name}'" in text for text in tests)
    ] == []


# --- links ----------------------------------------------------------------------------------------


def anchors(path: Path) -> set[str]:
    """Return the names of a document's headings, as they stand behind the # of a link."""
    headings = re.findall(r"^#+ (.*)$", FENCED.sub("", path.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


def leads_nowhere(path: Path, link: str) -> bool:
    if "://" in link:
        return False
    name, _, anchor = link.partition("#")
    target = path.parent / name if name else path
    is_heading = not anchor or (target.suffix == ".md" and anchor in anchors(target))
    return not target.exists() or not is_heading


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_to_a_file_and_a_heading_of_it(path: Path) -> None:
    links = LINK.findall(FENCED.sub("", path.read_text()))
    assert [link for link in links if leads_nowhere(path, link)] == []


def test_a_link_that_leads_nowhere_is_noticed() -> None:
    assert leads_nowhere(README, "docs/nothing.md")
    assert leads_nowhere(README, "docs/hosting.md#nothing")


def test_the_index_names_every_document() -> None:
    index = ROOT / "docs" / "README.md"
    named = set(LINK.findall(index.read_text()))
    assert {path.name for path in index.parent.glob("*.md")} - {"README.md"} <= named


# --- tables ---------------------------------------------------------------------------------------


@cache
def help_of(*command: str) -> str:
    with redirect_stdout(StringIO()) as told:
        assert main([*command, "--help"]) == 0
    return told.getvalue()


@cache
def nested() -> set[str]:
    """Return the commands of two words, as `daide completion` finds them."""
    return {name for name in known_words() if " " in name}


def known_options(*command: str) -> set[str]:
    """Return the options that `--help` of a command explains."""
    return set(re.findall(r"--[a-z][a-z-]*", help_of(*command)))


def known_values(*command: str) -> dict[str, set[str]]:
    """Return the values of those options that take one of a few."""
    found = re.findall(r"(--[a-z][a-z-]*)\s+\{([^}]+)\}", help_of(*command))
    return {option: set(re.split(r",\s*", values)) for option, values in found}


def mistakes_in_commands(text: str) -> list[str]:
    """Return the commands, options and values that a text uses and that do not exist."""
    found = []
    for name, word, rest in COMMAND.findall(text):
        if name not in SUBCOMMANDS:
            found.append(name)
            continue
        command = (name, word) if f"{name} {word}" in nested() else (name,)
        used = re.findall(r"(?<!\S)\[?(--[a-z][a-z-]*)", re.sub(r'"[^"]*"', "", rest))
        found += [f"{name} {option}" for option in used if option not in known_options(*command)]
        values = known_values(*command)
        found += [
            f"{name} {option} {value}"
            for option, text_of_values in re.findall(r"(--[a-z][a-z-]*) ([a-z][a-z0-9|-]*)", rest)
            for value in text_of_values.split("|")
            if value not in values.get(option, {value})
        ]
    return found


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_and_option_in_a_document_exists(path: Path) -> None:
    assert mistakes_in_commands(path.read_text()) == []


def test_a_command_that_does_not_exist_is_noticed() -> None:
    text = (
        "Try `daide sevre`, or:\n\n    X=1 daide tournament run quick --jbos 2 --out DIR\n"
        "    daide export game.json --format csv|daide-lgo\n"
    )
    assert mistakes_in_commands(text) == [
        "sevre",
        "tournament --jbos",
        "export --format daide-lgo",
    ]


def toml_of(document: str) -> list[str]:
    text = (ROOT / "docs" / document).read_text()
    return [code for kind, code in FENCED.findall(text) if kind == "toml"]


@pytest.mark.parametrize("document", ["host-a-competition.md", "hosting.md"])
def test_the_configuration_in_a_document_is_one_that_a_server_takes(
    document: str, tmp_path: Path
) -> None:
    [text] = toml_of(document)
    file = tmp_path / "server.toml"
    file.write_text(text)
    config = read_config({}, str(file))
    assert config.games == 10
    assert config.settings.level == 20


def test_the_tournament_in_the_guide_is_one_that_can_be_run() -> None:
    [text] = toml_of("running-a-tournament.md")
    spec = read_spec(text)
    check_bots(spec)
    assert spec.name == "honesty"


def test_readme_names_every_command() -> None:
    text = README.read_text()
    assert [name for name in SUBCOMMANDS if f"`daide {name}" not in text] == []


def test_readme_names_every_folder_with_a_package() -> None:
    text = README.read_text().partition("## The tree")[2]
    packages = [each.parent.name for each in ROOT.glob("*/__init__.py")]
    assert [name for name in packages if f"`{name}/`" not in text] == []


def test_the_negotiators_guide_has_all_words_and_all_beliefs() -> None:
    text = (ROOT / "docs" / "writing-a-negotiator.md").read_text()
    missing = [field.name for field in attrs.fields(Beliefs) if f"| `{field.name}` |" not in text]
    for name, kind in inspect.getmembers(grammar.press, attrs.has):
        level = re.search(r"level (\d+)", kind.__doc__ or "")
        fields = ", ".join(field.name for field in attrs.fields(kind))
        row = rf"\| {level[1] if level else ''} \| [^|]+ \| `{name}\({fields}\)` \|"
        if level and not re.search(row, text):
            missing.append(name)
    assert missing == []


# --- README's client ------------------------------------------------------------------------------


def readme_client(port: int) -> Callable[[], Coroutine[Any, Any, None]]:
    [text] = [each for each in snippets(README) if "hold_everywhere" in each]
    names: dict[str, Any] = {}
    exec(compile(text.replace("16713", str(port)), "README.md", "exec"), names)
    client: Callable[[], Coroutine[Any, Any, None]] = names["hold_everywhere"]
    return client


async def seven_of_readmes_clients(config: ServerConfig) -> None:
    async with hosting(config) as hosted:
        await asyncio.gather(*(readme_client(hosted.port)() for _ in range(7)))


def turns_played_by_readmes_clients(config: ServerConfig, record: Path) -> list[Turn]:
    """Let seven of README's clients play a game at a server, and return the turns of its record."""
    asyncio.run(seven_of_readmes_clients(evolve(config, record=str(record))))
    turns = json.loads(record.read_text())["turns"]
    return [Turn(Season(each["turn"][0]), each["turn"][1]) for each in turns]


def test_readmes_client_plays_a_game(tmp_path: Path) -> None:
    turns = turns_played_by_readmes_clients(with_settings(last_year=1902), tmp_path / "game.json")
    assert list(map(str, turns)) == ["SPR 1901", "FAL 1901", "SPR 1902", "FAL 1902"]


def test_readmes_client_plays_a_resumed_game(tmp_path: Path) -> None:
    before = tmp_path / "before.json"
    game = play(["dumbbot"] * 7, seed=1, press_level=0, last_year=1902)
    before.write_text(json.dumps(record_to_json(game.record)))
    settings = with_settings(last_year=1902, build_limit=1, retreat_limit=1)
    config = evolve(settings, resume=str(before), resume_turn=Turn(Season.SPRING, 1902))
    turns = turns_played_by_readmes_clients(config, tmp_path / "after.json")
    assert list(map(str, turns[:2])) == ["SPR 1902", "FAL 1902"]

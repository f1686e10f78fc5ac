"""Who imports whom: the packages stand in layers, and the tests walk the imports to see it."""

import ast
import pkgutil
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from pathlib import Path

import pytest
from attrs import frozen

from cli.main import SUBCOMMANDS
from grammar.tokens import Word
from rules.maps import load_map, map_names
from server.handlers import HANDLERS, HandledGame

ROOT = Path(__file__).resolve().parent.parent
LONGEST_MODULE = 600

DOCUMENT = (ROOT / "docs" / "architecture.md").read_text()


def layers_in(document: str) -> dict[str, set[str]]:
    """Read from the table of folders what each package may import."""
    rows = re.findall(r"^\| `(\w+)` \| ((?:`\w+`(?:, )?)*) ?\| \S", document, re.MULTILINE)
    return {package: set(re.findall(r"\w+", imports)) for package, imports in rows}


def rows_in(document: str) -> list[set[str]]:
    """Read the picture: the folders of each row, from the top."""
    return [set(line.partition("#")[0].split()) for line in document.split("```\n")[1].splitlines()]


LAYERS = layers_in(DOCUMENT)
# Except that anybody may start a command of ours as a child, read arguments as all commands do, say
# how to get what is not installed, and replace files as a whole; these need nothing of ours.
FOR_EVERYBODY = ("cli.children", "cli.extras", "cli.parsing", "cli.whole_files")
PACKAGES = [package for package in LAYERS if (ROOT / package).is_dir()]
# Neither these nor what they import of ours may wait for anything.
WITHOUT_ASYNCIO = [
    "rules",
    "grammar",
    "promises",
    "daide/frames.py",
    "daide/connection.py",
    "server/game.py",
]


@frozen
class Import:
    """One imported module, and whether it is imported only when a function is called."""

    module: str
    lazy: bool

    @property
    def package(self) -> str:
        """The outermost package."""
        return self.module.partition(".")[0]


def imports_in(source: str, package: str = "") -> list[Import]:
    """List what a module imports, wherever the import stands; `package` is the one it is in."""
    found: list[Import] = []

    def visit(node: ast.AST, *, lazy: bool) -> None:
        if isinstance(node, ast.Import):
            found.extend(Import(each.name, lazy) for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: 1 - node.level or None] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            found.append(Import(module, lazy))
            found.extend(Import(f"{module}.{each.name}", lazy) for each in node.names)
        function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for child in ast.iter_child_nodes(node):
            visit(child, lazy=lazy or function)

    visit(ast.parse(source), lazy=False)
    return found


def modules_of(place: str) -> list[Path]:
    """Return the modules of a package, or the one module named; those that are there."""
    path = ROOT / place
    return sorted(path.rglob("*.py")) if path.is_dir() else [path] if path.exists() else []


@cache
def imports_of(path: Path) -> list[Import]:
    """List what a file of ours imports."""
    package = ".".join(path.relative_to(ROOT).parent.parts)
    return imports_in(path.read_text(), package)


def ours(imports: list[Import]) -> Iterator[Path]:
    """Return the files of those modules that are ours."""
    for each in imports:
        path = ROOT.joinpath(*each.module.split("."))
        for file in (path.with_suffix(".py"), path / "__init__.py"):
            if each.package in LAYERS and file.exists():
                yield file


def reached_from(paths: list[Path]) -> set[Path]:
    """Return the files with all of ours that they import, directly or not."""
    reached: set[Path] = set()
    queue = list(paths)
    while queue:
        path = queue.pop()
        if path not in reached:
            reached.add(path)
            queue.extend(ours(imports_of(path)))
    return reached


def cycle_among(imports: Mapping[str, set[str]]) -> list[str]:
    """Return modules of which each is imported by the next, and the first by the last again."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def imports_between(package: str) -> dict[str, set[str]]:
    """Return which module of a package imports which other, those for type checking included."""
    # A package names its modules, and they are in it: that is no import between two of them.
    paths = [path for path in modules_of(package) if path.name != "__init__.py"]
    return {
        str(path.relative_to(ROOT)): {
            str(other.relative_to(ROOT)) for other in ours(imports_of(path)) if other in paths
        }
        - {str(path.relative_to(ROOT))}
        for path in paths
    }


def test_imports_are_found_wherever_they_stand() -> None:
    source = """
import asyncio
from server.game import Game
from . import frames
from .client import connect
if True:
    import bots.runner as runner
def later():
    from feed import events
class Holder:
    async def method(self):
        import tournament
"""
    found = {(each.module, each.lazy) for each in imports_in(source, "daide")}
    assert found == {
        ("asyncio", False),
        ("server.game", False),
        ("server.game.Game", False),
        ("daide", False),
        ("daide.frames", False),
        ("daide.client", False),
        ("daide.client.connect", False),
        ("bots.runner", False),
        ("feed", True),
        ("feed.events", True),
        ("tournament", True),
    }


def test_imports_are_followed_from_file_to_file() -> None:
    reached = reached_from([ROOT / "grammar" / "parse.py"])
    assert ROOT / "rules" / "places.py" in reached
    assert ROOT / "grammar" / "write.py" not in reached


def test_the_table_of_folders_is_read() -> None:
    table = "| folder | imports | why |\n| `a` | | It is. |\n| `b` | `a`, `c` | Why not. |\n"
    assert layers_in(table) == {"a": set(), "b": {"a", "c"}}
    assert LAYERS["rules"] == set()
    assert {"server", "spectator", "matches", "tournament"}.isdisjoint(LAYERS["bots"])


@pytest.mark.parametrize("package", PACKAGES)
def test_the_picture_allows_nothing_that_is_not_needed(package: str) -> None:
    found = {
        each.package
        for path in modules_of(package)
        for each in imports_of(path)
        if each.package in LAYERS and not _is_for_everybody(each)
    }
    assert LAYERS[package] - found == set()


def test_the_picture_has_every_folder_above_all_that_it_imports() -> None:
    rows = rows_in(DOCUMENT)
    height = {package: -number for number, row in enumerate(rows) for package in row}
    assert sum(map(len, rows)) == len(height)
    assert set(height) == set(LAYERS)
    wrong = {
        f"{package} is not above {other}"
        for package, others in LAYERS.items()
        for other in others
        if height[package] <= height[other]
    }
    assert wrong == set()


def test_the_table_of_handlers_says_who_answers_what_and_with_which_view() -> None:
    rows = re.findall(r"^\| `(server\.\w+)` \| (.*?) \| `(\w+)` \|$", DOCUMENT, re.MULTILINE)
    answered: dict[str, set[str]] = {}
    for message, handler in HANDLERS.items():
        word = (message.__doc__ or "").partition(":")[0]
        answered.setdefault(handler.__module__, set()).add(word.removesuffix(" ( seconds )"))
    told = {module: set(words.split(", ")) for module, words, _ in rows}
    assert told == answered
    for module, _, view in rows:
        assert pkgutil.resolve_name(f"{module}.{view}") in HandledGame.__mro__


def walks_in(document: str) -> dict[str, list[str]]:
    """Read the walks: by their title the functions that they pass."""
    parts = re.split(r"^## ", document, flags=re.MULTILINE)
    return {
        title.removeprefix("Walk: "): re.findall(r"^\d+\. `([\w.]+)`", text, re.MULTILINE)
        for title, _, text in (part.partition("\n") for part in parts)
        if title.startswith("Walk: ")
    }


WALKS = walks_in(DOCUMENT)
LONGEST_WALKS = {
    "one SND from socket to socket": 20,
    "one SUB from socket to socket": 12,
    "a bot's turn": 10,
    "a tournament's job": 14,
}


@pytest.mark.parametrize("title", LONGEST_WALKS)
def test_a_walk_passes_functions_that_exist_and_is_not_long(title: str) -> None:
    steps = WALKS[title]
    assert 5 < len(steps) <= LONGEST_WALKS[title]
    assert len(set(steps)) == len(steps)
    for step in steps:
        pkgutil.resolve_name(step)


LISTENING_OR_DRAWING = ("curses", "rich.live", "rich.layout", "http.server", "socketserver", "PIL")


def test_bots_neither_listen_nor_draw() -> None:
    """A bot is a client; a command of theirs that takes long shows a bar, and that is all."""
    wrong = {
        f"{path.relative_to(ROOT)} imports {each.module}"
        for path in modules_of("bots")
        for each in imports_of(path)
        if each.module.startswith(LISTENING_OR_DRAWING)
    }
    calls = re.compile(r"start_server|create_server|\.listen\(|\\x1b|\\033")
    wrong |= {
        f"{path.relative_to(ROOT)}: {call}"
        for path in modules_of("bots")
        for call in calls.findall(path.read_text())
    }
    assert wrong == set()


def test_every_package_has_its_place_in_the_picture() -> None:
    known = {*LAYERS, "tests", "benchmarks", "scripts", "docs", "experiments", "build", "dist"}
    folders = {
        path.parent.name
        for path in ROOT.glob("*/*.py")
        if not path.parent.name.startswith((".", "_")) and path.parent.suffix != ".egg-info"
    }
    assert folders <= known


@pytest.mark.parametrize("package", PACKAGES)
def test_package_imports_only_those_below_it(package: str) -> None:
    allowed = LAYERS[package] | {package}
    wrong = {
        f"{path.relative_to(ROOT)} imports {each.module}"
        for path in modules_of(package)
        for each in imports_of(path)
        if each.package in LAYERS and each.package not in allowed
        if package == "rules" or not _is_for_everybody(each)
    }
    assert wrong == set()


def _is_for_everybody(each: Import) -> bool:
    return each.module == "cli" or each.module.startswith(FOR_EVERYBODY)


@pytest.mark.parametrize("module", FOR_EVERYBODY)
def test_what_everybody_may_import_needs_nothing_of_ours(module: str) -> None:
    path = ROOT.joinpath(*module.split(".")).with_suffix(".py")
    assert [each for each in imports_of(path) if each.package in LAYERS] == []


def test_modules_that_import_one_another_are_found() -> None:
    imports = {"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}
    assert set(cycle_among(imports)) == {"b", "c"}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_two_modules_of_a_package_import_one_another(package: str) -> None:
    assert cycle_among(imports_between(package)) == []


def test_the_command_imports_ours_only_when_it_is_called() -> None:
    called = {command.module for command in SUBCOMMANDS.values()}
    eager = {
        f"{path.name} imports {each.module}"
        for path in modules_of("cli")
        if f"cli.{path.stem}" not in called
        for each in imports_of(path)
        if each.package in LAYERS and each.package != "cli" and not each.lazy
    }
    assert eager == set()


def test_subcommands_live_in_the_thin_module_of_their_package() -> None:
    for command in SUBCOMMANDS.values():
        package, _, module = command.module.partition(".")
        # Benchmarks are no part of the picture: they import whatever they measure.
        assert package in {*LAYERS, "benchmarks"}
        assert (ROOT / package / f"{module}.py").exists()


@pytest.mark.parametrize("place", WITHOUT_ASYNCIO)
def test_asyncio_is_absent(place: str) -> None:
    wrong = {
        str(path.relative_to(ROOT))
        for path in reached_from(modules_of(place))
        if any(each.package == "asyncio" for each in imports_of(path))
    }
    assert wrong == set()


def test_the_mqtt_client_is_imported_in_one_file_of_the_feed() -> None:
    users = [
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in modules_of(package)
        if any(each.package in ("aiomqtt", "paho") for each in imports_of(path))
    ]
    assert len(users) <= 1
    assert all(user.startswith("feed/") for user in users)


def test_a_package_says_that_it_has_types() -> None:
    assert [package for package in PACKAGES if not (ROOT / package / "py.typed").exists()] == []


def test_a_turn_becomes_json_in_one_place() -> None:
    writing = re.compile(r"\[\S*season\.value, \S*year\]")
    found = [
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in modules_of(package)
        if writing.search(path.read_text())
    ]
    assert found == ["rules/position_json.py"]


@pytest.mark.parametrize("package", PACKAGES)
def test_whoever_silences_a_checker_says_why(package: str) -> None:
    silenced = re.compile(r"# (?:noqa|type: ignore)")
    with_reason = re.compile(r"# (?:noqa: [A-Z0-9, ]+ - |type: ignore\[[a-z-, ]+\]  # )\S")
    wrong = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in modules_of(package)
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if silenced.search(line) and not with_reason.search(line)
    ]
    assert wrong == []


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_is_longer_than_600_lines(package: str) -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text().splitlines())
        for path in modules_of(package)
    }
    assert lengths
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_MODULE} == {}


@pytest.mark.parametrize(
    "path", sorted((ROOT / "grammar" / "levels").glob("*.lark")), ids=lambda path: path.stem
)
def test_no_grammar_file_names_a_power_or_province(path: Path) -> None:
    boards = [load_map(name) for name in map_names()]
    names = {power.name for board in boards for power in board.powers}
    names |= {province.name for board in boards for province in board.provinces}
    rules = re.sub(r"//.*", "", path.read_text())
    words = set(re.findall(r"\b[A-Z0-9]{3}\b", rules))
    assert words & names == set()
    assert words <= {*Word.__members__, "BRA", "KET"}


def test_every_dependency_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = chain(project["dependencies"], *project["optional-dependencies"].values())
    assert names_of(wanted) <= set(pins("lock.txt"))
    assert names_of(project["dependencies"]) <= set(pins("play.txt"))


def names_of(dependencies: Iterable[str]) -> set[str]:
    return {re.split(r"[<>=!~\[ ;]", each)[0].lower() for each in dependencies}


def pins(lock: str) -> dict[str, str]:
    """Return the entries of a lock, with their hashes, by the names of the packages."""
    text = (ROOT / "requirements" / lock).read_text().strip()
    return {each.partition("==")[0]: each for each in re.split(r"\n(?=[a-z0-9])", text)}


@pytest.mark.parametrize("part", ["play.txt", "kernel.txt"])
def test_a_part_of_the_lock_says_what_the_lock_says(part: str) -> None:
    assert pins(part).items() <= pins("lock.txt").items()


def test_what_researchers_need_goes_with_the_lock() -> None:
    everything, theirs = pins("lock.txt"), pins("research.txt")
    assert {"pandas", "polars", "pyarrow"} <= set(theirs)
    shared = everything.keys() & theirs.keys()
    assert {name: theirs[name] for name in shared} == {name: everything[name] for name in shared}


@pytest.mark.parametrize("lock", ["lock.txt", "play.txt", "kernel.txt", "research.txt"])
def test_a_lock_holds_hashes_and_no_address(lock: str) -> None:
    text = (ROOT / "requirements" / lock).read_text()
    assert re.findall(r"://|--(?:extra-)?index-url|--find-links", text) == []
    assert [name for name, entry in pins(lock).items() if "--hash=sha256:" not in entry] == []


SUPPRESSION = re.compile(r"# (?:type: ignore\[[^\]]*\]|noqa: [A-Z0-9, ]+?)(?P<why>.*)$")


def test_every_suppression_says_why() -> None:
    paths = [path for folder in (*LAYERS, "tests", "benchmarks") for path in modules_of(folder)]
    bare = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in paths
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if (found := SUPPRESSION.search(line)) and not re.search(r"(?:#|-) \S", found["why"])
    ]
    assert bare == []


def test_a_class_name_means_at_most_two_things() -> None:
    found: dict[str, list[str]] = {}
    for path in chain.from_iterable(map(modules_of, PACKAGES)):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    assert {name: places for name, places in found.items() if len(places) > 2} == {}

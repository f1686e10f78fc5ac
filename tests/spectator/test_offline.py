"""Games as files that a browser opens from the disk: one alone, and those of a tournament."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from cli.main import main
from rules.maps import load_map
from rules.position_json import position_to_json
from spectator.drawings import PAGE
from spectator.offline import shared_script
from tests.spectator.browser import Window, started_browser

RECORD = Path(__file__).parents[1] / "data/page/record.json"
SPEC = """name = "two"
seed = 3
games = 2
balance = false
press_level = 10
last_year = 1901
[bots]
blab = "blabbot"
dumb = "dumbbot"
[[fields]]
players = { blab = 3, dumb = 4 }
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started_browser() as browser:
        yield browser


@pytest.fixture
def window(browser: Browser) -> Iterator[Window]:
    window = Window(browser)
    yield window
    assert window.complaints == []
    window.close()


def test_one_file_holds_the_page_and_the_game(tmp_path: Path, window: Window) -> None:
    record = json.loads(RECORD.read_text().partition("\n")[0])
    record["setup"]["name"] = "<b>a/b</b>"
    source = tmp_path / "game.json"
    source.write_text(json.dumps(record))
    file = tmp_path / "game.html"
    assert main(["export", str(source), "--format", "html", "--out", str(file)]) == 0
    asked: list[str] = []
    window.page.on("request", lambda request: asked.append(request.url))
    window.page.goto(file.as_uri())
    expect(window.page.locator("h1")).to_have_text("<b>a/b</b>")
    expect(window.page.locator(".signs [data-unit]").first).to_be_visible()
    window.page.keyboard.press("Home")
    expect(window.page.locator(".when")).to_contain_text("Spring 1901")
    expect(window.page.locator(".talk").first).to_contain_text("peace between")
    # The address of a turn survives a reload, and everything came from the one file.
    window.page.reload()
    expect(window.page.locator(".when")).to_contain_text("Spring 1901")
    assert {url.partition("#")[0] for url in asked if not url.startswith("data:")} == {
        file.as_uri()
    }
    text = file.read_text()
    assert "unsafe" not in text
    assert text.count("<script") == text.count("</script>") == 2


def test_a_board_of_another_shape_is_in_the_file(tmp_path: Path, window: Window) -> None:
    record = json.loads(RECORD.read_text().partition("\n")[0])
    record["setup"]["variant"] = "lagoon"
    record["start"] = position_to_json(load_map("lagoon").start)
    record |= {"turns": [], "press": [], "players": {}, "stage": "running"}
    source = tmp_path / "game.json"
    source.write_text(json.dumps(record))
    file = tmp_path / "game.html"
    assert main(["export", str(source), "--format", "html", "--out", str(file)]) == 0
    window.page.goto(file.as_uri())
    units = window.page.locator(".signs [data-unit]")
    expect(units).to_have_count(len(load_map("lagoon").start.units))


def test_a_report_is_one_click_from_the_replay_of_each_game(
    tmp_path: Path, window: Window, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = tmp_path / "two.toml"
    spec.write_text(SPEC)
    folder = tmp_path / "out"
    run = ["tournament", "run", str(spec), "--out", str(folder), "--jobs", "1"]
    assert main([*run, "--records"]) == 0
    page = window.page
    page.goto((folder / "report.html").as_uri())
    expect(page.locator("#games tbody tr")).to_have_count(2)
    page.get_by_role("link", name="game 1", exact=True).click()
    expect(page.locator(".signs [data-unit]").first).to_be_visible()
    assert "replays/game-000001.html" in page.url
    page.keyboard.press("Home")
    expect(page.locator(".when")).to_contain_text("Spring 1901")
    expect(page.locator(".talk").first).to_be_visible()
    # And back to the report.
    page.locator("a.brand").click()
    expect(page.locator("#games")).to_be_visible()
    # What is there is not made again; a record that is damaged has no link, and the report goes on.
    first, second = sorted((folder / "replays").glob("game-*.html"))
    made = first.stat().st_mtime_ns
    (folder / "records" / "game-000001.json.gz").write_bytes(b"torn")
    second.unlink()
    capsys.readouterr()
    assert main(["tournament", "report", str(folder)]) == 0
    assert first.stat().st_mtime_ns == made
    assert "game-000001.json.gz, line 1: is no record" in capsys.readouterr().err
    text = (folder / "report.html").read_text()
    assert "replays/game-000000.html" in text
    assert "replays/game-000001.html" not in text


def test_games_that_were_not_kept_have_no_list(tmp_path: Path) -> None:
    spec = tmp_path / "two.toml"
    spec.write_text(SPEC)
    run = ["tournament", "run", str(spec), "--out", str(tmp_path / "out"), "--jobs", "1"]
    assert main(run) == 0
    assert "id=games" not in (tmp_path / "out" / "report.html").read_text()
    assert not (tmp_path / "out" / "replays").exists()


def test_the_script_holds_every_module_once_and_nothing_that_ends_it() -> None:
    script = shared_script()
    modules = re.findall(r"^modules\.(\w+) = ", script, re.MULTILINE)
    files = {path.stem for path in PAGE.glob("*.js")} - {"early"}  # nothing is fetched early here
    assert sorted(modules) == sorted(files)
    assert modules[-1] == "app"
    assert "</script" not in script.lower()
    assert not re.search(r"^(?:import|export) ", script, re.MULTILINE)

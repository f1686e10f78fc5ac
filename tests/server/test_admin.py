"""Commands to the server in ADM texts: what they do, and who may give them."""

from collections.abc import Iterable, Sequence

import pytest
from structlog.testing import capture_logs

from daide.frames import tokens_to_bytes
from grammar.text import from_text
from rules.maps import load_map
from server.admin import is_command, secret_tried
from server.settings import GameSettings
from tests.server.table import DROPPED, Table, heard_by, words

SECRET, EYES = "open sesame", "all-seeing"
SETTINGS = GameSettings(level=8000, movement_limit=300, admin_secret=SECRET, observer_secret=EYES)
MASTERS = [
    "games", "list", "start bots", "pause", "resume", "eject AMB", "end", "MTL 5", "RTL 5", "BTL 5"
]  # fmt: skip


def seated(settings: GameSettings = SETTINGS) -> Table:
    table = Table(settings, board=load_map("lagoon"))
    table.observe()
    return table.fill()


def command(table: Table, name: str, text: str) -> list[str]:
    """Give a command, and return the texts of the answer, which nobody else may hear."""
    heard = table.say(name, f"ADM ( 'me' ) ( 'Server: {text}' )")
    texts = [each for each in heard if each[1].startswith("ADM")]
    assert {to for to, _ in texts} <= {name}
    prefix = "ADM ( 'Server' ) ( '"
    assert all(each.startswith(prefix) for _, each in texts)
    return [each[len(prefix) : -3] for _, each in texts]


def mastered() -> Table:
    table = seated()
    assert command(table, "watcher", f"become master {SECRET}") == ["you are master of this game"]
    return table


@pytest.mark.parametrize("text", ["Server: help", "server:help", "  SERVER:  HELP "])
def test_a_text_that_starts_with_server_is_a_command_in_any_case(text: str) -> None:
    assert is_command(text)
    table = seated()
    heard = table.say("AMB", f"ADM ( 'me' ) ( '{text}' )")
    assert {to for to, _ in heard} == {"AMB"}
    assert "ADM ( 'Server' ) ( 'who: say who is here' )" in heard_by("AMB", heard)


def test_other_texts_are_passed_on_to_everybody() -> None:
    table = seated()
    heard = table.say("AMB", "ADM ( 'me' ) ( 'The server: a poem' )")
    assert {to for to, _ in heard} == {"AMB", "COR", "PEA", "watcher"}


@pytest.mark.parametrize("name", ["Server", "SERVER", " server "])
def test_nobody_may_speak_in_the_name_of_the_server(name: str) -> None:
    table = seated()
    text = f"ADM ( '{name}' ) ( 'game over: aborted after SPR 1901' )"
    assert table.say("AMB", text) == [("AMB", f"REJ ( {text} )")]


def test_whoever_asks_is_told_why_the_game_ends() -> None:
    table = seated()
    assert command(table, "COR", "tell ending") == ["you will be told why the game ends"]
    heard = table._told(table.game.obey("end", table.now))
    note = "ADM ( 'Server' ) ( 'game over: ended-by-host after SPR 1901 (AMB COR PEA)' )"
    assert heard_by("COR", heard)[0] == note
    assert words(heard_by("AMB", heard)) == ["DRW", "SMR"]


def test_a_master_may_end_a_game_without_a_result() -> None:
    table = seated()
    command(table, "watcher", f"become master {SECRET}")
    heard = table.say("watcher", "ADM ( 'me' ) ( 'Server: abort' )")
    assert heard == [("watcher", "ADM ( 'Server' ) ( 'ended without a result' )")]
    assert table.ask("AMB", "SMR") == ["REJ ( SMR )"]
    assert command(table, "watcher", "abort") == ["the game is over"]


def test_commands_work_where_admin_texts_are_not_relayed() -> None:
    table = seated(GameSettings(relays_admin=False))
    assert command(table, "AMB", "status") == ["test: running, map lagoon, level 0, turn SPR 1901"]


def test_help_lists_what_the_asker_may_do() -> None:
    table = seated()
    listed = [line.split(":")[0] for line in command(table, "watcher", "help")]
    assert listed == [
        *("help", "who", "status", "become master SECRET", "observe all SECRET", "tell ending")
    ]
    command(table, "watcher", f"become master {SECRET}")
    assert len(command(table, "watcher", "help")) == 17


def test_who_tells_the_state_of_each_power_and_no_names() -> None:
    table = seated()
    table.leave("COR")
    assert command(table, "PEA", "who") == ["AMB: here", "COR: absent", "PEA: here", "observers: 1"]
    assert command(mastered(), "watcher", "who")[0] == "AMB AMB (1): here"


def test_who_counts_players_before_the_start() -> None:
    table = Table(SETTINGS)
    table.join("ENG")
    assert command(table, "ENG", "who") == ["players: 1 of 7", "observers: 0"]


def test_status_tells_how_the_game_stands() -> None:
    table = mastered()
    table.wait(100)
    status = "test: running, map lagoon, level 8000, turn SPR 1901"
    assert command(table, "AMB", "status") == [f"{status}, 200 seconds left"]
    command(table, "watcher", "pause")
    assert command(table, "AMB", "status") == [f"{status}, paused, 200 seconds left"]


def test_an_unknown_command_is_answered_and_not_passed_on() -> None:
    table = seated()
    for text in ("dance", "become", "", "become mistress x"):
        assert command(table, "AMB", text) == ["no such command; ''Server: help'' lists them"]


@pytest.mark.parametrize("text", MASTERS)
def test_nobody_but_the_master_may_change_anything(text: str) -> None:
    table = seated()
    for name in ("AMB", "watcher"):
        assert command(table, name, text) == ["only the master of the game may do that"]
    assert table.game.settings.options == SETTINGS.options
    assert table.game.stage.value == "running"
    assert not table.game.is_paused


def test_without_a_secret_nobody_becomes_master_or_sees_all_press() -> None:
    table = seated(GameSettings(level=10))
    for secret in ("", "None", "x"):
        assert command(table, "watcher", f"become master {secret}") == ["refused"]
        assert command(table, "watcher", f"observe all {secret}") == ["refused"]


def test_after_three_wrong_secrets_a_connection_is_not_listened_to() -> None:
    table = seated()
    for _ in range(3):
        assert command(table, "watcher", "become master wrong") == ["refused"]
    assert command(table, "watcher", f"become master {SECRET}") == ["refused"]
    assert command(table, "watcher", f"observe all {EYES}") == ["refused"]
    assert command(table, "AMB", f"become master {SECRET}") == ["you are master of this game"]


def test_secrets_are_neither_logged_nor_shown() -> None:
    with capture_logs() as logs:
        table = seated()
        for text in (f"become master {SECRET}", "become master guess", f"observe all {EYES}"):
            command(table, "watcher", text)
        command(table, "watcher", "pause")
    for text in (repr(logs), repr(SETTINGS)):
        assert SECRET not in text
        assert EYES not in text
        assert "guess" not in text


def test_texts_that_may_hold_a_secret_can_be_told_apart() -> None:
    assert secret_tried("server:  Become  Master x")
    assert secret_tried("Server: observe all x")
    assert not secret_tried("Server: status")
    assert not secret_tried("become master x")


def test_the_master_pauses_and_resumes() -> None:
    table = mastered()
    heard = table.say("watcher", "ADM ( 'me' ) ( 'Server: pause' )")
    assert heard_by("AMB", heard) == ["NOT ( TME ( 300 ) )"]
    table.hold()
    assert table.game.position.turn.season.value == "SPR"
    heard = table.say("watcher", "ADM ( 'me' ) ( 'Server: resume' )")
    assert words(heard_by("AMB", heard)) == ["TME"] + ["ORD"] * 6 + ["NOW", "TME"]


def test_the_master_ejects_a_power() -> None:
    table = mastered()
    heard = table.say("watcher", "ADM ( 'me' ) ( 'Server: eject amb' )")
    assert heard_by("AMB", heard) == ["OFF", DROPPED]
    assert heard_by("COR", heard) == ["CCD ( AMB )"]
    assert command(table, "watcher", "eject AMB") == ["AMB has no client"]
    assert command(table, "watcher", "eject XYZ") == ["eject which power?"]
    assert command(table, "watcher", "eject") == ["eject which power?"]


def test_the_master_ends_the_game() -> None:
    table = mastered()
    heard = table.say("watcher", "ADM ( 'me' ) ( 'Server: end' )")
    assert words(heard_by("AMB", heard)) == ["DRW", "SMR"]
    assert command(table, "watcher", "end") == ["the game is not running"]


def test_the_master_changes_the_limits_of_coming_turns() -> None:
    table = mastered()
    assert command(table, "watcher", "mtl 60") == ["MTL is 60 from the next movement turn on"]
    assert heard_by("AMB", table.hold())[-1] == "TME ( 60 )"
    assert command(table, "watcher", "MTL off") == ["MTL is off from the next movement turn on"]
    assert words(heard_by("AMB", table.hold()))[-1] == "NOW"
    command(table, "watcher", "RTL 7")
    command(table, "watcher", "BTL 8")
    assert table.ask("AMB", "HLO")[0].endswith("( ( LVL 8000 ) ( RTL 7 ) ( BTL 8 ) )")


@pytest.mark.parametrize(
    "text", ["MTL", "MTL 0", "MTL -1", "MTL 8192", "MTL 1 2", "MTL ten", "MTL 5٣"]
)
def test_a_limit_that_is_none_changes_nothing(text: str) -> None:
    table = mastered()
    [answer] = command(table, "watcher", text)
    assert answer.startswith("a limit is a number of seconds")
    assert table.game.settings.movement_limit == 300


class Host:
    """Remembers what it was asked for."""

    def __init__(self) -> None:
        self.started: list[tuple[str, list[str]]] = []

    def games(self) -> Iterable[str]:
        return ["one: running", "two: forming"]

    def start_bots(self, game: str, words: Sequence[str]) -> str:
        self.started.append((game, list(words)))
        return "2 bots are coming"


def test_the_host_lists_its_games_and_starts_bots() -> None:
    table = mastered()
    assert command(table, "watcher", "games") == ["this game stands alone"]
    assert command(table, "watcher", "start bots 2") == ["no bots can be started here"]
    host = Host()
    table.game.host = host
    assert command(table, "watcher", "list") == ["one: running", "two: forming"]
    assert command(table, "watcher", "start bots 2 random") == ["2 bots are coming"]
    assert host.started == [("test", ["2", "random"])]


def test_an_observer_with_the_secret_sees_all_press_and_its_meaning() -> None:
    table = seated()
    assert command(table, "watcher", f"observe all {EYES}") == ["you see all press from now on"]
    heard = table.say("AMB", "SND ( COR ) ( PRP ( PCE ( AMB COR ) ) )")
    press, meaning = heard_by("watcher", heard)
    assert press == "FRM ( AMB ) ( COR ) ( PRP ( PCE ( AMB COR ) ) )"
    assert meaning.startswith("ADM ( 'Server' ) ( '")
    assert "peace" in meaning
    assert heard_by("COR", heard) == [press]


def test_press_whose_meaning_is_longer_than_a_message_is_told_in_part() -> None:
    table = seated()
    command(table, "watcher", f"observe all {EYES}")
    zone = f"PRP ( DMZ ( AMB COR ) ( {'REE ' * 4000}) )"
    press, meaning = heard_by("watcher", table.say("AMB", f"SND ( COR ) ( {zone} )"))
    assert press == f"FRM ( AMB ) ( COR ) ( {zone} )"
    assert meaning.endswith(" ...' )")
    assert len(tokens_to_bytes(from_text(meaning))) < 32_767


def test_a_player_cannot_see_all_press() -> None:
    table = seated()
    assert command(table, "AMB", f"observe all {EYES}") == ["only an observer may see all press"]
    command(table, "watcher", f"observe all {EYES}")
    table.leave("PEA")
    table.say("watcher", f"IAM ( PEA ) ( {table.passcode('PEA')} )")
    assert heard_by("watcher", table.say("AMB", "SND ( COR ) ( 'hello' )")) == []


def test_an_omniscient_observer_sees_rounds_when_they_are_relayed() -> None:
    table = seated(GameSettings(level=8000, press_rounds=2, observer_secret=EYES))
    command(table, "watcher", f"observe all {EYES}")
    assert heard_by("watcher", table.say("AMB", "SND ( COR ) ( 'hello' )")) == []
    assert words(heard_by("watcher", table.hold()))[:3] == ["FRM", "ADM", "ORD"]

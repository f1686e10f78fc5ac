"""Press: who may speak when, what is relayed to whom, and in rounds."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grammar.vocabulary import TRY_LEVELS
from rules.maps import load_map
from server.settings import GameSettings
from tests.server.table import Heard, Table, heard_by, place, words

LAGOON = load_map("lagoon")
PRESS = GameSettings(level=10)
FULL = GameSettings(level=8000, movement_limit=300, retreat_limit=120, build_limit=60)
CENTERS = {"ENG": "LON", "FRA": "PAR", "GER": "BER"}


def three_powers(options: GameSettings, turn: str = "SPR 1901") -> Table:
    """Only England, France and Germany are left; all of them owe orders."""
    dislodged = {"ENG": ("A LVP", "YOR"), "GER": ("F NTH", "HEL"), "FRA": ("A BUR", "GAS")}
    is_retreat = turn.startswith(("SUM", "AUT"))
    start = place(
        turn,
        centers=CENTERS,
        dislodged=dislodged if is_retreat else None,
        ENG="F LON, A YOR",
        FRA="A PAR, A MAR",
        GER="A BER, A MUN",
    )
    return Table(options, start=start).fill()


def peace(*to: str, turn: str = "") -> str:
    given_turn = f" ( {turn} )" if turn else ""
    return f"SND{given_turn} ( {' '.join(to)} ) ( PRP ( PCE ( ENG FRA ) ) )"


def test_press_is_answered_and_then_delivered_to_every_recipient() -> None:
    table = three_powers(PRESS)
    assert table.say("ENG", peace("GER", "FRA")) == [
        ("ENG", f"YES ( {peace('GER', 'FRA')} )"),
        ("FRA", "FRM ( ENG ) ( GER FRA ) ( PRP ( PCE ( ENG FRA ) ) )"),
        ("GER", "FRM ( ENG ) ( GER FRA ) ( PRP ( PCE ( ENG FRA ) ) )"),
    ]


def test_the_turn_of_press_is_checked_and_not_passed_on() -> None:
    table = three_powers(PRESS)
    right = peace("FRA", turn="SPR 1901")
    assert table.say("ENG", right) == [
        ("ENG", f"YES ( {right} )"),
        ("FRA", "FRM ( ENG ) ( FRA ) ( PRP ( PCE ( ENG FRA ) ) )"),
    ]
    wrong = peace("FRA", turn="FAL 1901")
    assert table.say("ENG", wrong) == [("ENG", f"REJ ( {wrong} )")]


@pytest.mark.parametrize(
    ("turn", "option", "answer"),
    [
        ("SUM 1901", GameSettings(level=10, no_press_in_retreats=True), "REJ"),
        ("AUT 1901", GameSettings(level=10, no_press_in_retreats=True), "REJ"),
        ("WIN 1901", GameSettings(level=10, no_press_in_retreats=True), "YES"),
        ("WIN 1901", GameSettings(level=10, no_press_in_builds=True), "REJ"),
        ("SUM 1901", GameSettings(level=10, no_press_in_builds=True), "YES"),
        ("SPR 1901", GameSettings(level=10, no_press_in_retreats=True), "YES"),
        ("SPR 1901", GameSettings(level=10, movement_limit=60, press_limit=60), "REJ"),
        ("SPR 1901", GameSettings(level=10, movement_limit=60, press_limit=59), "YES"),
        ("SPR 1901", GameSettings(level=10, press_limit=60), "YES"),
        ("SUM 1901", GameSettings(level=10, retreat_limit=60, press_limit=60), "YES"),
        ("WIN 1901", GameSettings(level=10, build_limit=60, press_limit=60), "YES"),
    ],
)
def test_press_options_close_the_turns_they_name(
    turn: str, option: GameSettings, answer: str
) -> None:
    table = three_powers(option, turn)
    assert words(table.ask("ENG", peace("FRA"))) == [answer]


def test_the_press_deadline_closes_the_last_seconds_without_a_word() -> None:
    table = three_powers(GameSettings(level=10, movement_limit=300, press_limit=60))
    assert table.wait(239) == []
    assert words(table.ask("ENG", peace("FRA"))) == ["YES"]
    assert table.wait(1) == []
    assert words(table.ask("ENG", peace("FRA"))) == ["REJ"]


def test_the_checks_come_in_the_order_of_the_documents() -> None:
    table = three_powers(GameSettings(level=10, no_press_in_builds=True, press_limit=60))
    table.leave("GER")
    late = "SND ( FAL 1905 ) ( ENG TUR GER ) ( PRP ( PCE ( ENG TUR ) ) )"
    assert words(table.ask("ENG", late)) == ["REJ"]
    to_self = "SND ( GER TUR ENG ) ( PRP ( PCE ( ENG TUR ) ) )"
    assert words(table.ask("ENG", to_self)) == ["REJ"]
    assert table.ask("ENG", "SND ( GER TUR AUS ) ( PRP ( DRW ) )") == ["OUT ( TUR )"]
    assert table.ask("ENG", "SND ( FRA GER ) ( PRP ( PCE ( ENG TUR ) ) )") == ["CCD ( GER )"]
    assert table.ask("ENG", "SND ( FRA ) ( PRP ( PCE ( ENG TUR ) ) )") == ["OUT ( TUR )"]
    assert words(table.ask("ENG", peace("FRA"))) == ["YES"]


def test_nobody_hears_press_that_cannot_reach_all() -> None:
    table = three_powers(PRESS)
    table.leave("GER")
    assert table.say("ENG", peace("FRA", "GER")) == [("ENG", "CCD ( GER )")]
    assert table.say("ENG", peace("FRA", "TUR")) == [("ENG", "OUT ( TUR )")]


def test_press_reaches_a_power_that_missed_a_deadline_but_is_connected() -> None:
    table = three_powers(GameSettings(level=10, movement_limit=300, tells_missed_deadlines=True))
    table.wait(300)
    heard = table.say("FRA", "SND ( ENG ) ( PRP ( DRW ) )")
    assert heard_by("ENG", heard)[-1] == "FRM ( FRA ) ( ENG ) ( PRP ( DRW ) )"


def test_an_eliminated_power_may_be_named_in_a_quotation() -> None:
    table = three_powers(PRESS)
    for press in ("HUH ( ERR PRP ( PCE ( ENG TUR ) ) )", "CCL ( PRP ( PCE ( ENG TUR ) ) )"):
        assert words(table.ask("ENG", f"SND ( FRA ) ( {press} )")) == ["YES"]


@pytest.mark.parametrize("around", ["{}", "YES ( {} )", "REJ ( {} )", "BWX ( {} )", "IDK ( {} )"])
def test_who_asks_for_an_explanation_quotes_what_was_said_before_a_power_was_eliminated(
    around: str,
) -> None:
    table = three_powers(GameSettings(level=80))
    press = around.format("EXP ( SPR 1901 ) ( PRP ( PCE ( ENG TUR ) ) )")
    assert words(table.ask("ENG", f"SND ( FRA ) ( {press} )")) == ["YES"]
    assert table.ask("ENG", "SND ( FRA ) ( REJ ( PRP ( PCE ( ENG TUR ) ) ) )") == ["OUT ( TUR )"]


def test_an_apology_quotes_it_as_well() -> None:
    table = three_powers(GameSettings(level=80))
    press = "SRY ( EXP ( SPR 1901 ) ( PRP ( PCE ( ENG TUR ) ) ) )"
    assert words(table.ask("ENG", f"SND ( FRA ) ( {press} )")) == ["YES"]


@pytest.mark.parametrize(
    ("level", "kept"),
    [
        (10, "PRP PCE FCT"),
        (20, "PRP PCE FCT XDO DMZ"),
        (50, "PRP PCE FCT XDO DMZ CHO"),
        (8000, "PRP PCE FCT XDO DMZ CHO POB"),
    ],
)
def test_words_above_the_level_are_taken_out_of_try(level: int, kept: str) -> None:
    table = three_powers(GameSettings(level=level))
    said = "SND ( FRA ) ( TRY ( PRP PCE FCT XDO DMZ CHO POB ) )"
    assert table.say("ENG", said) == [
        ("ENG", f"YES ( {said} )"),
        ("FRA", f"FRM ( ENG ) ( FRA ) ( TRY ( {kept} ) )"),
    ]


def test_try_may_be_empty() -> None:
    table = three_powers(PRESS)
    assert heard_by("FRA", table.say("ENG", "SND ( FRA ) ( TRY ( ) )")) == [
        "FRM ( ENG ) ( FRA ) ( TRY ( ) )"
    ]
    assert len(TRY_LEVELS) == 41


def test_press_above_the_level_is_a_syntax_error() -> None:
    table = three_powers(PRESS)
    said = "SND ( FRA ) ( PRP ( XDO ( ( ENG FLT LON ) HLD ) ) )"
    assert table.say("ENG", said) == [("ENG", f"HUH ( {said.replace('XDO', 'ERR XDO')} )")]


def test_an_observer_hears_no_press() -> None:
    table = three_powers(PRESS)
    table.observe()
    assert heard_by("watcher", table.say("ENG", peace("FRA"))) == []


def test_all_listeners_hear_press_in_one_order() -> None:
    table = three_powers(PRESS)
    table.say("ENG", peace("FRA", "GER"))
    table.say("FRA", "SND ( GER ENG ) ( PRP ( DRW ) )")
    table.say("ENG", "SND ( GER ) ( FCT ( DRW ) )")
    senders = [text.split()[2] for text in heard_by("GER", table.log) if text.startswith("FRM")]
    assert senders == ["ENG", "FRA", "ENG"]


# --- rounds ---------------------------------------------------------------------------------------

ROUNDS = GameSettings(level=8000, press_rounds=3)


def lagoon(options: GameSettings = ROUNDS) -> Table:
    return Table(options, board=LAGOON).fill()


def test_in_rounds_press_is_kept_until_everybody_who_talks_has_finished() -> None:
    table = lagoon()
    for name in table.powers:
        table.say(name, "NOT ( GOF )")
        table.hold(name)
    assert words(table.ask("PEA", "SND ( AMB ) ( 'from PEA' )")) == ["YES"]
    assert words(table.ask("COR", "SND ( AMB PEA ) ( 'from COR' )")) == ["YES"]
    assert table.say("AMB", "GOF") == [("AMB", "YES ( GOF )")]
    assert table.say("PEA", "GOF") == [("PEA", "YES ( GOF )")]
    heard = table.say("COR", "GOF")
    assert heard_by("AMB", heard) == [
        "FRM ( COR ) ( AMB PEA ) ( 'from COR' )",
        "FRM ( PEA ) ( AMB ) ( 'from PEA' )",
        "ADM ( 'Server' ) ( 'press round 2' )",
    ]
    assert heard_by("PEA", heard)[-1] == "ADM ( 'Server' ) ( 'press round 2' )"
    assert heard_by("COR", heard) == ["YES ( GOF )"]
    table.say("AMB", "GOF")
    assert words(heard_by("COR", table.say("PEA", "GOF"))) == ["ORD"] * 6 + ["NOW"]


def test_in_rounds_a_plain_client_is_waited_for_until_its_orders_and_no_longer() -> None:
    table = lagoon()
    table.say("PEA", "SND ( AMB ) ( 'hello' )")
    table.hold("PEA")
    table.say("AMB", "NOT ( GOF )")
    table.hold("AMB")
    table.say("AMB", "SND ( PEA ) ( 'hello' )")
    table.say("AMB", "GOF")
    heard = table.hold("COR")
    assert words(heard_by("PEA", heard)) == ["FRM"]
    assert words(heard_by("AMB", heard)) == ["FRM", "ADM"]
    assert "NOW" in words(heard_by("PEA", table.say("AMB", "GOF")))


def test_in_rounds_seven_plain_clients_play_as_always() -> None:
    table = Table(GameSettings(level=10, press_rounds=2)).fill()
    table.say("ENG", peace("FRA"))
    texts = heard_by("FRA", table.hold())
    assert words(texts)[-24:] == ["FRM"] + ["ORD"] * 22 + ["NOW"]


def test_in_rounds_nobody_speaks_after_the_last_round() -> None:
    table = lagoon(GameSettings(level=8000, press_rounds=1))
    for name in table.powers:
        table.say(name, "NOT ( GOF )")
        table.hold(name)
        table.say(name, "SND ( PEA ) ( 'hello' )" if name != "PEA" else "SND ( AMB ) ( 'hello' )")
    for name in table.powers:
        heard = table.say(name, "GOF")
    assert words(heard_by("PEA", heard)) == ["YES", "FRM", "FRM"] + ["ORD"] * 6 + ["NOW"]


def test_in_rounds_a_deadline_relays_what_was_said_without_a_marker() -> None:
    table = lagoon(GameSettings(level=8000, press_rounds=3, movement_limit=60))
    table.say("AMB", "NOT ( GOF )")
    table.say("PEA", "NOT ( GOF )")
    table.say("AMB", "SND ( PEA ) ( 'hello' )")
    assert words(heard_by("PEA", table.wait(60))) == ["FRM"] + ["ORD"] * 6 + ["NOW", "TME"]


def test_in_rounds_a_power_with_nothing_to_order_says_nothing() -> None:
    start = place(
        "SUM 1901", LAGOON, AMB="A GUM", COR="A REE", PEA="A OYS", dislodged={"AMB": ("F RES", "")}
    )
    table = Table(ROUNDS, board=LAGOON, start=start).fill()
    assert words(table.ask("PEA", "SND ( AMB ) ( 'hello' )")) == ["REJ"]
    assert words(table.ask("AMB", "SND ( PEA ) ( 'hello' )")) == ["YES"]
    assert table.ask("PEA", "NOT ( GOF )") == ["YES ( NOT ( GOF ) )"]
    table.hold("AMB")
    texts = heard_by("PEA", table.say("PEA", "GOF"))
    assert words(texts) == ["YES", "FRM", "ORD", "NOW"]


def test_in_rounds_a_draw_waits_for_those_who_talk() -> None:
    table = lagoon()
    table.say("PEA", "NOT ( GOF )")
    for name in table.powers:
        assert table.ask(name, "DRW") == ["YES ( DRW )"]
    table.say("PEA", "SND ( AMB ) ( 'thank you' )")
    heard = table.say("PEA", "GOF")
    assert words(heard_by("AMB", heard)) == ["FRM", "DRW", "SMR"]


def test_in_rounds_what_was_said_before_the_host_ended_the_game_is_relayed() -> None:
    table = lagoon()
    table.say("AMB", "SND ( PEA ) ( 'hello' )")
    assert words(heard_by("PEA", table.obey("end"))) == ["FRM", "DRW", "SMR"]


Script = list[list[str]]
"""What a client says in each say that it has in a turn; a say ends with SUB and GOF."""

TEXTS = ("a", "b", "c")


def say(name: str) -> st.SearchStrategy[list[str]]:
    others = [each for each in ("AMB", "COR", "PEA") if each != name]
    snd = st.tuples(st.sampled_from([*others, " ".join(others)]), st.sampled_from(TEXTS)).map(
        lambda chosen: f"SND ( {chosen[0]} ) ( '{chosen[1]}' )"
    )
    vote = st.sampled_from(["DRW", "NOT ( DRW )"])
    return st.lists(st.one_of(snd, snd, vote), max_size=3)


def scripts() -> st.SearchStrategy[dict[str, Script]]:
    return st.fixed_dictionaries(
        {name: st.lists(say(name), min_size=9, max_size=9) for name in ("AMB", "COR", "PEA")}
    )


class Bot:
    """Keeps to the rule of press rounds: answers a NOW and a marker, and is silent otherwise."""

    def __init__(self, table: Table, name: str, script: Script, *, is_plain: bool) -> None:
        self.table, self.name, self.is_plain = table, name, is_plain
        self.script = iter(script)
        self.outbox: list[str] = []
        self.heard: list[str] = []

    def hear(self, text: str) -> None:
        self.heard.append(text)
        if text.startswith("NOW"):
            self.begin()
        elif text.startswith("ADM"):
            self.outbox += [*next(self.script, []), "GOF"]

    def begin(self) -> None:
        if not self.table.game.book.is_due(LAGOON.power(self.name)):
            return
        said = next(self.script, [])
        if self.is_plain:
            self.outbox += [*said, "{orders}"]
        else:
            self.outbox += ["NOT ( GOF )", *said, "{orders}", "GOF"]

    def next_message(self) -> str:
        message = self.outbox.pop(0)
        if message != "{orders}":
            return message
        # They depend on the turn alone.
        chance = Random(f"{self.name} {self.table.game.position.turn}")
        return self.table.random_orders(self.name, chance)


def play_interleaved(
    script: dict[str, Script], plain: set[str], choices: Iterator[int]
) -> tuple[dict[str, list[str]], list[str]]:
    """Play with the clients' messages in the order of the choices; return what each heard."""
    table = Table(GameSettings(level=8000, press_rounds=2, last_year=1904), board=LAGOON)
    bots = {name: Bot(table, name, script[name], is_plain=name in plain) for name in table.powers}

    def spread(heard: Heard) -> None:
        for name, text in heard:
            bots[name].hear(text)

    for name in table.powers:
        spread(table.join(name))
    while ready := [bot for bot in bots.values() if bot.outbox]:
        bot = ready[next(choices) % len(ready)]
        spread(table.say(bot.name, bot.next_message()))
    game = table.game
    assert game.stage.value == "ended"
    results = [str(game.ending), *map(str, game.history.turns)]
    return {name: bot.heard for name, bot in bots.items()}, results


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    script=scripts(),
    plain=st.sampled_from([set(), {"COR"}]),
    orders=st.lists(st.lists(st.integers(0, 2), min_size=20, max_size=200), min_size=2, max_size=3),
)
def test_in_rounds_every_interleaving_of_the_same_decisions_is_the_same_game(
    script: dict[str, Script], plain: set[str], orders: list[list[int]]
) -> None:
    for name in plain:
        # A vote in the hands of a client that nobody waits for is a matter of timing.
        script[name] = [[text for text in said if "DRW" not in text] for said in script[name]]
    games = [
        play_interleaved(script, plain, (choice for _ in range(10**6) for choice in order))
        for order in orders
    ]
    assert all(game == games[0] for game in games)

"""Every message of a client in every state of a game, and the exact answer."""

from collections.abc import Callable

import pytest
from attrs import frozen

from rules.position import Position
from server.settings import GameSettings
from tests.server.table import DROPPED, Table, heard_by, place, words

SETTINGS = GameSettings(
    level=10, movement_limit=300, retreat_limit=120, build_limit=60, partial_draws=True
)
HELLO = "( ( LVL 10 ) ( MTL 300 ) ( RTL 120 ) ( BTL 60 ) ( PDA ) )"
# Everybody has a center; Turkey has nothing left. England and Germany owe orders in every phase.
CENTERS = {
    "AUS": "BUD",
    "ENG": "LON LVP EDI",
    "FRA": "PAR",
    "GER": "BER MUN",
    "ITA": "ROM",
    "RUS": "MOS",
}


def quiet(
    turn: str, *, dislodged: dict[str, tuple[str, str]] | None = None, **units: str
) -> Position:
    """Make a position in which the other powers have a unit each."""
    others = {"AUS": "A BUD", "FRA": "A PAR", "ITA": "A ROM", "RUS": "A MOS"}
    return place(turn, None, others | units, centers=CENTERS, dislodged=dislodged)


POSITIONS = {
    "movement": quiet("SPR 1901", ENG="F LON, A LVP", GER="A BER, A MUN"),
    "retreat": quiet(
        "SUM 1901",
        ENG="F LON",
        GER="A BER, A LVP, A MUN",
        dislodged={"ENG": ("A LVP", "YOR"), "GER": ("F NTH", "HEL")},
    ),
    "adjustment": quiet("WIN 1901", ENG="A LVP", GER="A BER"),
}
ORDERS = {
    "movement": "( ENG AMY LVP ) HLD",
    "retreat": "( ENG AMY LVP ) RTO YOR",
    "adjustment": "( ENG FLT LON ) BLD",
}
MISSING = {
    "movement": "MIS ( ENG FLT LON ) ( ENG AMY LVP )",
    "retreat": "MIS ( ENG AMY LVP MRT ( YOR ) )",
    "adjustment": "MIS ( -2 )",
}
AFTER_ORDER = {"movement": ["MIS ( ENG FLT LON )"], "retreat": [], "adjustment": ["MIS ( -1 )"]}
NOT_THEIRS = {"movement": "NYU", "retreat": "NYU", "adjustment": "NMB"}
TURNS = {"movement": "SPR 1901", "retreat": "SUM 1901", "adjustment": "WIN 1901"}
TIMES = {"movement": 300, "retreat": 120, "adjustment": 60}


@frozen
class State:
    """A stage of the game, what the speaker is in it, and the phase."""

    stage: str
    role: str
    phase: str = "movement"

    @property
    def is_playing(self) -> bool:
        return self.stage == "running" and self.role == "player"

    @property
    def is_seated(self) -> bool:
        return self.stage == "running" and self.role in ("player", "eliminated")

    def __str__(self) -> str:
        phase = f"-{self.phase}" if self.stage == "running" else ""
        return f"{self.stage}{phase}-{self.role}"


STATES = [
    *(State("forming", role) for role in ("unidentified", "candidate", "observer")),
    *(
        State("running", role, phase)
        for phase in POSITIONS
        for role in ("player", "eliminated", "observer", "unidentified")
    ),
    *(State("ended", role) for role in ("player", "eliminated", "observer", "unidentified")),
]


def arrange(state: State) -> tuple[Table, str]:
    """Return a game in that state, and who speaks; France is absent once the game runs."""
    table = Table(SETTINGS, start=POSITIONS[state.phase])
    if state.stage != "forming":
        table.observe()
        table.fill()
        table.leave("FRA")
    if state.stage == "ended":
        table.game.obey("end", table.now)
    match state.role:
        case "player":
            return table, "ENG"
        case "eliminated":
            return table, "TUR"
        case "observer" if state.stage != "forming":
            return table, "watcher"
    table.connect("speaker")
    if state.role == "candidate":
        table.say("speaker", "NME ( 'ENG' ) ( '1' )")
    elif state.role == "observer":
        table.say("speaker", "OBS")
    return table, "speaker"


Answer = Callable[[State, str], list[str]]


def yes(_: State, text: str) -> list[str]:
    return [f"YES ( {text} )"]


def rej(_: State, text: str) -> list[str]:
    return [f"REJ ( {text} )"]


def nothing(_: State, __: str) -> list[str]:
    return []


def always(*answers: str) -> Answer:
    return lambda _, __: list(answers)


def if_playing(answer: Answer) -> Answer:
    """Only a player who is still in a running game gets it, everybody else REJ."""
    return lambda state, text: (answer if state.is_playing else rej)(state, text)


def joined(state: State, text: str) -> list[str]:
    is_possible = state == State("forming", "unidentified")
    return [f"YES ( {text} )", "MAP ( 'standard' )"] if is_possible else rej(state, text)


def observed(state: State, text: str) -> list[str]:
    is_possible = state.role in ("unidentified", "observer")
    return [f"YES ( {text} )", "MAP ( 'standard' )"] if is_possible else rej(state, text)


def took_back(state: State, text: str) -> list[str]:
    is_possible = state.stage == "running" and state.role in ("unidentified", "observer")
    return [f"YES ( {text} )", "NOT ( CCD ( FRA ) )"] if is_possible else rej(state, text)


def refused_map(state: State, _: str) -> list[str]:
    is_waiting = state.stage == "forming" and state.role in ("candidate", "observer")
    return ["OFF", DROPPED] if is_waiting else []


def wrong_map(state: State, text: str) -> list[str]:
    return [f"REJ ( {text} )", *refused_map(state, text)]


def hello(state: State, text: str) -> list[str]:
    if state.stage == "forming":
        return rej(state, text)
    powers = {"player": "ENG", "eliminated": "TUR"}
    power = powers.get(state.role, "UNO")
    return [f"HLO ( {power} ) ( {{{power}}} ) {HELLO}"]


def submitted(state: State, text: str) -> list[str]:
    order = ORDERS[state.phase]
    if state.is_playing:
        return [f"THX ( {order} ) ( MBV )", *AFTER_ORDER[state.phase]]
    if state.is_seated:
        return [f"THX ( {order} ) ( {NOT_THEIRS[state.phase]} )"]
    return rej(state, text)


def missing(state: State, text: str) -> list[str]:
    if state.is_playing:
        return [MISSING[state.phase]]
    return ["MIS"] if state.is_seated else rej(state, text)


def went(state: State, text: str) -> list[str]:
    if state.is_playing:
        return [f"YES ( {text} )", MISSING[state.phase]]
    return yes(state, text) if state.is_seated else rej(state, text)


def time_left(state: State, text: str) -> list[str]:
    if state.stage == "running":
        return [f"TME ( {TIMES[state.phase]} )"]
    return rej(state, text)


def listed(state: State, _: str) -> list[str]:
    forming = "6 NME" if state.role == "candidate" else "7 NME"
    status = {"forming": forming, "running": "1 IAM", "ended": "0 DRW"}[state.stage]
    return [f"LST ( 'test' ) ( {status} ) ( 'standard' ) {HELLO}"]


PEACE = "SND ( GER ) ( PRP ( PCE ( ENG GER ) ) )"
MESSAGES: dict[str, Answer] = {
    "NME ( 'ENG' ) ( '1' )": joined,
    "OBS": observed,
    "OBS ( 'name' ) ( 'version' )": observed,
    "IAM ( FRA ) ( {FRA} )": took_back,
    "IAM ( FRA ) ( 0 )": rej,
    "IAM ( GER ) ( {GER} )": rej,
    "MAP": always("MAP ( 'standard' )"),
    "YES ( MAP ( 'standard' ) )": nothing,
    "YES ( MAP ( 'Wrong' ) )": wrong_map,
    "REJ ( MAP ( 'standard' ) )": refused_map,
    "HLO": hello,
    "ORD": rej,
    "HST ( {turn} )": rej,
    "HST ( SPR 1899 )": rej,
    "SUB ( {order} )": submitted,
    "SUB ( {turn} ) ( {order} )": submitted,
    "SUB ( FAL 1905 ) ( {order} )": rej,
    "NOT ( SUB ( {order} ) )": rej,
    "NOT ( SUB )": if_playing(yes),
    "MIS": missing,
    "GOF": went,
    "NOT ( GOF )": if_playing(yes),
    "TME": time_left,
    "TME ( 18 )": yes,
    "TME ( 0 )": yes,
    "TME ( 300 )": yes,
    "TME ( 301 )": rej,
    "TME ( -1 )": rej,
    "NOT ( TME ( 18 ) )": rej,
    "NOT ( TME )": yes,
    "DRW": if_playing(yes),
    "NOT ( DRW )": if_playing(yes),
    "DRW ( ENG GER )": if_playing(yes),
    "NOT ( DRW ( ENG GER ) )": if_playing(yes),
    "DRW ( ENG TUR )": rej,
    "NOT ( DRW ( ENG TUR ) )": rej,
    PEACE: if_playing(yes),
    "SND ( {turn} ) ( GER ) ( PRP ( DRW ) )": if_playing(yes),
    "SND ( FAL 1905 ) ( GER ) ( PRP ( DRW ) )": rej,
    "SND ( GER ENG ) ( PRP ( DRW ) )": rej,
    "SND ( GER TUR FRA ) ( PRP ( DRW ) )": if_playing(always("OUT ( TUR )")),
    "SND ( GER FRA ) ( PRP ( DRW ) )": if_playing(always("CCD ( FRA )")),
    "SND ( GER ) ( PRP ( PCE ( ENG TUR ) ) )": if_playing(always("OUT ( TUR )")),
    "ADM ( 'me' ) ( 'hello' )": always("ADM ( 'me' ) ( 'hello' )"),
    "SMR": lambda state, text: ["DRW", "SMR"] if state.stage == "ended" else rej(state, text),
    "PNG": yes,
    "SEL": always("SEL ( 'test' )"),
    "SEL ( 'test' )": yes,
    "SEL ( 'other' )": rej,
    "LST ( 'other' )": rej,
    "LST": listed,
    "LST ( 'test' )": listed,
    "YES ( SVE ( 'game' ) )": nothing,
    "REJ ( SVE ( 'game' ) )": nothing,
    "YES ( LOD ( 'game' ) )": nothing,
    "REJ ( LOD ( 'game' ) )": nothing,
    "HUH ( ERR FRM )": nothing,
    "HUH ( ERR": nothing,
    "PRN ( ( ( )": nothing,
    "SUB": always("HUH ( SUB ERR )"),
    "WHT ( YES )": always("HUH ( ERR WHT ( YES ) )"),
    "NME ( 'x' )": always("HUH ( NME ( 'x' ) ERR )"),
    "SND ( ) ( PRP ( DRW ) )": always("HUH ( SND ( ERR ) ( PRP ( DRW ) ) )"),
    "( ENG AMY LVP ) HLD": always("HUH ( ERR ( ENG AMY LVP ) HLD )"),
    "NOW ( (": always("PRN ( NOW ( ( )"),
    "TME ( 0xFFFE )": always("HUH ( TME ( ERR 0xFFFE ) )"),
}


def filled(text: str, table: Table, state: State) -> str:
    """Put passcodes, the turn and an order of the phase into a text."""
    for power in table.powers:
        text = text.replace(f"{{{power}}}", str(table.passcode(power)))
    text = text.replace("{UNO}", "0").replace("{order}", ORDERS[state.phase])
    return text.replace("{turn}", TURNS[state.phase])


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_gets_exactly_its_answer_in_every_state(message: str) -> None:
    answers, expected = {}, {}
    for state in STATES:
        table, speaker = arrange(state)
        text = filled(message, table, state)
        wanted = [filled(each, table, state) for each in MESSAGES[message](state, text)]
        heard = table.ask(speaker, text)
        is_summary = message == "SMR" and state.stage == "ended"
        answers[str(state)] = words(heard) if is_summary else heard
        expected[str(state)] = wanted
    assert answers == expected


@pytest.mark.parametrize("state", STATES, ids=str)
def test_information_is_given_to_anyone_in_every_state(state: State) -> None:
    table, speaker = arrange(state)
    for message, answer in (("MDF", "MDF ( AUS"), ("SCO", "SCO ( AUS BUD )")):
        [text] = table.ask(speaker, message)
        assert text.startswith(answer)
    [now] = table.ask(speaker, "NOW")
    assert now.startswith(f"NOW ( {TURNS[state.phase]} ) (")
    assert table.ask(speaker, "HST") == [*table.ask(speaker, "SCO"), now]


@pytest.mark.parametrize("state", STATES, ids=str)
def test_an_admin_text_reaches_everybody_who_is_identified(state: State) -> None:
    table, speaker = arrange(state)
    table.connect("nobody yet")
    text = "ADM ( 'me' ) ( 'hello' )"
    expected = {speaker} if state.stage == "forming" else {*table.numbers} - {"nobody yet"}
    if state.role == "unidentified":
        expected = {speaker}  # heard by nobody else
    assert {name for name, _ in table.say(speaker, text)} == expected


@pytest.mark.parametrize("state", STATES, ids=str)
def test_nothing_but_an_order_or_a_return_changes_what_others_hear(state: State) -> None:
    for message in MESSAGES:
        if message.startswith(("ADM", "IAM ( FRA ) ( {FRA}", "SND", "DRW")):
            continue
        table, speaker = arrange(state)
        heard = table.say(speaker, filled(message, table, state))
        assert [name for name, _ in heard if name != speaker] == [], message


def test_press_is_delivered_to_the_recipients_only() -> None:
    table, speaker = arrange(State("running", "player"))
    assert table.say(speaker, PEACE) == [
        ("ENG", f"YES ( {PEACE} )"),
        ("GER", "FRM ( ENG ) ( GER ) ( PRP ( PCE ( ENG GER ) ) )"),
    ]


@pytest.mark.parametrize("message", ["DRW ( ENG GER )", "NOT ( DRW ( ENG GER ) )", PEACE])
def test_before_the_start_messages_of_higher_levels_are_known_and_rejected(message: str) -> None:
    table = Table(GameSettings(level=0))
    table.connect("speaker")
    assert table.ask("speaker", message) == [f"REJ ( {message} )"]
    assert table.ask("speaker", "SND ( GER ) ( 'any text' )") == [
        "REJ ( SND ( GER ) ( 'any text' ) )"
    ]


def test_at_level_0_press_and_listed_draws_are_syntax_errors_in_a_running_game() -> None:
    table = Table(GameSettings(level=0)).fill()
    assert table.ask("ENG", "DRW ( ENG GER )") == ["HUH ( DRW ( ERR ENG GER ) )"]
    assert table.ask("ENG", PEACE) == [f"HUH ( ERR {PEACE} )"]


def test_at_level_10_without_partial_draws_a_listed_draw_is_rejected() -> None:
    table = Table(GameSettings(level=10)).fill()
    assert table.ask("ENG", "DRW ( ENG GER )") == ["REJ ( DRW ( ENG GER ) )"]
    assert table.ask("ENG", "NOT ( DRW ( ENG GER ) )") == ["REJ ( NOT ( DRW ( ENG GER ) ) )"]


def test_time_without_any_limits_is_refused_to_everybody() -> None:
    table = Table().fill()
    assert table.ask("ENG", "TME") == ["REJ ( TME )"]
    assert table.ask("ENG", "TME ( 18 )") == ["REJ ( TME ( 18 ) )"]
    assert table.ask("ENG", "NOT ( TME )") == ["YES ( NOT ( TME ) )"]


def test_admin_texts_can_be_switched_off() -> None:
    table = Table(GameSettings(relays_admin=False)).fill()
    text = "ADM ( 'me' ) ( 'hello' )"
    assert table.say("ENG", text) == [("ENG", f"REJ ( {text} )")]


def test_a_client_that_was_sent_away_is_not_listened_to_any_more() -> None:
    table = Table()
    table.connect("speaker")
    table.say("speaker", "NME ( 'ENG' ) ( '1' )")
    assert table.ask("speaker", "REJ ( MAP ( 'standard' ) )") == ["OFF", DROPPED]
    assert table.ask("speaker", "NME ( 'ENG' ) ( '1' )") == []
    assert heard_by("ENG", table.join("ENG"))[0] == "YES ( NME ( 'ENG' ) ( '1' ) )"


def test_a_candidate_that_takes_the_map_back_frees_its_place() -> None:
    table = Table()
    for name in table.powers[:-1]:
        table.join(name)
    table.say("AUS", "REJ ( MAP ( 'standard' ) )")
    assert "HLO" not in words(heard_by("TUR", table.join("TUR")))
    table.leave("AUS")
    assert "HLO" in words(heard_by("AUS", table.join("AUS")))


@pytest.mark.parametrize("state", STATES, ids=str)
def test_an_empty_message_is_a_syntax_error_in_every_state(state: State) -> None:
    table, speaker = arrange(state)
    assert table.ask(speaker, "") == ["HUH ( ERR )"]

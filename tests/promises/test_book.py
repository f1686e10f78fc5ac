"""Who promised what to whom, and who kept it."""

import pytest
from attrs import evolve

from grammar.parse import HIGHEST_LEVEL, Garbled, Unbalanced, reader_for
from grammar.representation import standard_representation
from grammar.text import from_text
from promises.book import PromiseBook
from promises.export import book_to_json
from promises.promise import Answer, Kind, Promise, Tally, Verdict
from rules.maps import load_map
from rules.notation import parse_order
from rules.orders import Order
from rules.places import Power
from rules.turns import Season, Turn

BOARD = load_map()
NAMES = standard_representation()
START = BOARD.start
XDO = "XDO ( ( FRA AMY PAR ) MTO BUR )"
PEACE = "PCE ( FRA ENG )"
ZONE = "DMZ ( FRA ENG ) ( ECH )"


class Story:
    """Press and orders in text, told to a book."""

    def __init__(self) -> None:
        self.book = PromiseBook(BOARD)
        self.position = START

    def say(self, sender: str, to: str, press: str) -> None:
        recipients = [BOARD.power(name) for name in to.split()]
        said = reader_for(HIGHEST_LEVEL).press(from_text(press, NAMES))
        assert not isinstance(said, Garbled | Unbalanced), press
        self.book.hear(self.position.turn, BOARD.power(sender), recipients, said)

    def agree(self, sender: str, to: str, arrangement: str) -> None:
        self.say(sender, to, f"PRP ( {arrangement} )")
        for name in to.split():
            others = [sender, *(each for each in to.split() if each != name)]
            self.say(name, " ".join(others), f"YES ( PRP ( {arrangement} ) )")

    def play(self, *orders: str) -> list[Promise]:
        return self.book.settle(self.position, [self.order(text) for text in orders])

    def order(self, text: str) -> Order:
        name, _, rest = text.partition(" ")
        return parse_order(BOARD, self.position, BOARD.power(name), rest)

    def skip_to(self, season: Season, year: int) -> None:
        self.position = evolve(self.position, turn=Turn(season, year))

    def verdicts(self) -> dict[str, str]:
        return {each.maker.name: each.verdict.value for each in self.book.promises}


def power(name: str) -> Power:
    return BOARD.power(name)


def test_a_proposal_alone_promises_nothing() -> None:
    story = Story()
    story.say("FRA", "ENG", f"PRP ( {PEACE} )")
    assert not story.book.promises
    (offer,) = story.book.offers
    assert (offer.kind, offer.answer) == (Kind.PEACE, Answer.NONE)


def test_peace_binds_both_sides_singly() -> None:
    story = Story()
    story.agree("FRA", "ENG", PEACE)
    assert story.verdicts() == {"FRA": "open", "ENG": "open"}
    assert story.book.at_peace(power("FRA"), power("ENG"))
    assert not story.book.at_peace(power("FRA"), power("GER"))
    assert story.book.offers[0].answer is Answer.YES


def test_what_several_are_asked_is_agreed_when_all_have_said_yes() -> None:
    story = Story()
    proposal = "PRP ( PCE ( FRA ENG GER ) )"
    story.say("FRA", "ENG GER", proposal)
    story.say("ENG", "FRA GER", f"YES ( {proposal} )")
    assert not story.book.promises
    story.say("GER", "FRA ENG", f"YES ( {proposal} )")
    assert len(story.book.promises) == 6


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("REJ ( PRP ( {} ) )", Answer.REJ),
        ("BWX ( PRP ( {} ) )", Answer.BWX),
        ("HUH ( ERR PRP ( {} ) )", Answer.HUH),
    ],
)
def test_a_no_is_noted_and_a_late_yes_agrees_to_nothing(reply: str, answer: Answer) -> None:
    story = Story()
    story.say("FRA", "ENG", f"PRP ( {PEACE} )")
    story.say("ENG", "FRA", reply.format(PEACE))
    story.say("ENG", "FRA", f"YES ( PRP ( {PEACE} ) )")
    assert story.book.offers[0].answer is answer
    assert not story.book.promises


def test_an_offer_that_was_taken_back_cannot_be_accepted() -> None:
    story = Story()
    story.say("FRA", "ENG", f"PRP ( {PEACE} )")
    story.say("FRA", "ENG", f"CCL ( PRP ( {PEACE} ) )")
    story.say("ENG", "FRA", f"YES ( PRP ( {PEACE} ) )")
    assert story.book.offers[0].answer is Answer.CCL
    assert not story.book.promises


def test_a_yes_that_was_taken_back_in_time_does_not_count() -> None:
    story = Story()
    proposal = "PRP ( PCE ( FRA ENG GER ) )"
    story.say("FRA", "ENG GER", proposal)
    story.say("ENG", "FRA GER", f"YES ( {proposal} )")
    story.say("ENG", "FRA GER", f"CCL ( YES ( {proposal} ) )")
    story.say("GER", "FRA ENG", f"YES ( {proposal} )")
    assert not story.book.promises


def test_peace_that_is_agreed_twice_is_one_peace() -> None:
    story = Story()
    story.agree("FRA", "ENG", PEACE)
    story.agree("ENG", "FRA", "PCE ( ENG FRA )")
    assert len(story.book.promises) == 2


@pytest.mark.parametrize(
    "orders",
    [
        ["ENG F LON - ECH", "FRA F BRE - ECH", "FRA A PAR - BUR"],
        # Help for the partner's own unit.
        ["FRA F BRE S F LON - ECH", "ENG F LON - ECH"],
    ],
)
def test_peace_is_kept_by_staying_out_of_what_the_partner_has(orders: list[str]) -> None:
    story = Story()
    story.agree("FRA", "ENG", PEACE)
    assert story.play(*orders) == []
    assert not story.book.stabs


@pytest.mark.parametrize(
    "orders",
    [
        # The fleet in Brest could never be in London; who promised must not even try.
        ["FRA F BRE - LON"],
        ["FRA F BRE S F KIE - LON"],
        ["FRA A PAR - LON VIA ECH"],
        ["FRA F BRE C A BER - LON"],
    ],
)
def test_a_move_or_help_against_the_partner_breaks_the_peace_and_is_a_stab(
    orders: list[str],
) -> None:
    story = Story()
    story.agree("FRA", "ENG", PEACE)
    decided = story.play(*orders)
    assert story.verdicts() == {"FRA": "broken", "ENG": "kept"}
    assert decided[0].breach == story.order(orders[0])
    (stab,) = story.book.stabs
    assert (stab.by, stab.victim, stab.centers) == (power("FRA"), power("ENG"), 3)
    assert not story.book.at_peace(power("FRA"), power("ENG"))


def test_both_may_break_the_same_peace() -> None:
    story = Story()
    story.agree("FRA", "ENG", PEACE)
    story.play("FRA F BRE - LON", "ENG F LON - BRE")
    assert story.verdicts() == {"FRA": "broken", "ENG": "broken"}
    assert len(story.book.stabs) == 2


def test_a_peace_and_an_alliance_broken_by_one_order_are_one_stab() -> None:
    story = Story()
    story.agree("FRA", "ENG", PEACE)
    story.agree("FRA", "ENG", "ALY ( FRA ENG ) VSS ( GER )")
    story.play("FRA F BRE - LON")
    assert [each.verdict for each in story.book.promises if each.maker == power("FRA")] == [
        Verdict.BROKEN,
        Verdict.BROKEN,
    ]
    assert len(story.book.stabs) == 1


def test_what_the_partner_has_asked_for_is_no_breach() -> None:
    story = Story()
    story.agree("FRA", "ENG", PEACE)
    story.agree("ENG", "FRA", "XDO ( ( FRA AMY PAR ) SUP ( GER AMY MUN ) MTO BUR )")
    story.agree("GER", "ENG", "XDO ( ( ENG FLT LON ) MTO ECH )")
    story.agree("ENG", "FRA", "XDO ( ( FRA FLT BRE ) SUP ( GER FLT KIE ) MTO LON )")
    story.play("FRA F BRE S F KIE - LON")
    assert story.book.at_peace(power("FRA"), power("ENG"))


def test_an_announced_end_of_peace_is_no_breach() -> None:
    story = Story()
    story.agree("FRA", "ENG", PEACE)
    story.say("FRA", "ENG", "PRP ( NOT ( PCE ( ENG FRA ) ) )")
    story.play("FRA F BRE - LON")
    assert story.verdicts() == {"FRA": "kept", "ENG": "kept"}
    assert not story.book.stabs


def test_a_zone_is_broken_by_whoever_goes_there() -> None:
    story = Story()
    story.agree("FRA", "ENG", ZONE)
    story.play("ENG F LON - ECH", "FRA F BRE - MAO")
    assert story.verdicts() == {"FRA": "kept", "ENG": "broken"}
    assert not story.book.stabs


def test_a_promised_order_is_kept_by_exactly_that_order() -> None:
    story = Story()
    story.agree("ENG", "FRA", XDO)
    (decided,) = story.play("FRA A PAR - BUR", "ENG A LVP H")
    assert (decided.maker, decided.to, decided.verdict) == (
        power("FRA"),
        (power("ENG"),),
        Verdict.KEPT,
    )


def test_another_order_breaks_the_promise() -> None:
    story = Story()
    story.agree("FRA", "ENG", XDO)
    (decided,) = story.play("FRA A PAR - PIC")
    assert (decided.verdict, decided.breach) == (Verdict.BROKEN, story.order("FRA A PAR - PIC"))


def test_a_promise_not_to_give_an_order_is_broken_by_giving_it() -> None:
    story = Story()
    story.agree("ENG", "FRA", f"NOT ( {XDO} )")
    (decided,) = story.play("FRA A PAR - BUR")
    assert decided.verdict is Verdict.BROKEN


def test_an_order_that_was_not_legal_when_its_turn_came_is_void() -> None:
    story = Story()
    story.agree("ENG", "FRA", "XDO ( ( FRA AMY PAR ) MTO MUN )")
    (decided,) = story.play("FRA A PAR - PIC")
    assert decided.verdict is Verdict.VOID


def test_a_promised_order_waits_for_a_turn_that_takes_it() -> None:
    story = Story()
    story.skip_to(Season.WINTER, 1901)
    story.agree("ENG", "FRA", XDO)
    assert story.play("FRA F BRE REM") == []
    story.skip_to(Season.SPRING, 1902)
    assert [each.verdict for each in story.play("FRA A PAR - BUR")] == [Verdict.KEPT]


@pytest.mark.parametrize(
    ("arrangement", "order", "verdict", "breach"),
    [
        ("XDO ( FRA WVE )", "FRA WVE", Verdict.KEPT, None),
        ("XDO ( FRA WVE )", "FRA A PAR BLD", Verdict.BROKEN, None),
        ("NOT ( XDO ( FRA WVE ) )", "FRA WVE", Verdict.BROKEN, "FRA WVE"),
        ("NOT ( XDO ( FRA WVE ) )", "FRA A PAR BLD", Verdict.KEPT, None),
        ("XDO ( ( FRA AMY PAR ) BLD )", "FRA WVE", Verdict.BROKEN, None),
        ("XDO ( ( FRA AMY PAR ) BLD )", "FRA A PAR BLD", Verdict.KEPT, None),
    ],
)
def test_doing_without_a_build_can_be_promised(
    arrangement: str, order: str, verdict: Verdict, breach: str | None
) -> None:
    story = Story()
    story.skip_to(Season.WINTER, 1901)
    units = [unit for unit in START.units if unit.location.province.name != "PAR"]
    story.position = evolve(story.position, units=tuple(units))
    story.agree("ENG", "FRA", arrangement)
    (decided,) = story.play(order, "ENG A LVP REM")
    assert decided.verdict is verdict
    assert decided.breach == (story.order(breach) if breach else None)


def test_nobody_promises_for_somebody_else() -> None:
    story = Story()
    story.agree("ENG", "GER", XDO)
    assert not story.book.promises


def test_an_order_agreed_to_after_its_turn_is_no_promise() -> None:
    story = Story()
    story.say("ENG", "FRA", f"PRP ( {XDO} )")
    story.play("FRA A PAR - PIC")
    story.say("FRA", "ENG", f"YES ( PRP ( {XDO} ) )")
    assert not story.book.promises


def test_all_parts_of_a_joint_arrangement_are_promised() -> None:
    story = Story()
    story.agree("FRA", "ENG", f"AND ( {PEACE} ) ( {XDO} )")
    assert [each.kind for each in story.book.promises] == [Kind.PEACE, Kind.PEACE, Kind.ORDER]


def test_promises_to_the_dead_are_kept() -> None:
    story = Story()
    story.agree("FRA", "ENG", PEACE)
    story.position = evolve(
        story.position,
        units=tuple(unit for unit in START.units if unit.power != power("ENG")),
        owners={c: owner for c, owner in START.owners.items() if owner != power("ENG")},
    )
    story.play("FRA A PAR H")
    assert story.verdicts() == {"FRA": "kept", "ENG": "kept"}


def test_what_holds_at_the_end_was_kept_and_a_draw_is_kept_by_a_draw() -> None:
    for drawn, verdict in ((True, Verdict.KEPT), (False, Verdict.VOID)):
        story = Story()
        story.agree("FRA", "ENG", PEACE)
        story.agree("FRA", "ENG", "DRW")
        story.book.finish(START.turn, drawn=drawn)
        kinds = {each.kind: each.verdict for each in story.book.promises}
        assert kinds == {Kind.PEACE: Verdict.KEPT, Kind.DRAW: verdict}


def test_a_stab_is_looked_back_on_after_two_years() -> None:
    story = Story()
    story.agree("FRA", "ENG", PEACE)
    story.play("FRA F BRE - LON")
    owners = {**START.owners, BOARD.province("LON"): power("FRA")}
    story.position = evolve(story.position, owners=owners)
    for season, year, later in (
        (Season.FALL, 1902, None),
        (Season.SPRING, 1903, 4),
        (Season.FALL, 1904, 4),
    ):
        story.skip_to(season, year)
        story.play("FRA A PAR H")
        assert story.book.stabs[0].centers_later == later


def test_a_tally_counts_what_was_decided() -> None:
    story = Story()
    story.agree("FRA", "ENG", PEACE)
    story.agree("GER", "FRA", XDO)
    story.play("FRA F BRE - LON", "FRA A PAR - BUR")
    assert story.book.tally(power("FRA")) == Tally(kept=1, broken=1)
    assert story.book.tally(power("FRA"), power("ENG")) == Tally(kept=0, broken=1)
    assert story.book.tally(power("FRA"), power("ENG")).settled == 1


def test_a_book_is_written_as_json() -> None:
    story = Story()
    story.agree("FRA", "ENG", PEACE)
    story.play("FRA F BRE - LON")
    written = book_to_json(story.book, NAMES)
    assert written["promises"][0] == {
        "kind": "peace",
        "maker": "FRA",
        "to": ["ENG"],
        "text": "PCE ( FRA ENG )",
        "made": ["SPR", 1901],
        "ended": ["SPR", 1901],
        "verdict": "broken",
        "breach": "F BRE - LON",
    }
    assert written["offers"] == [
        {"turn": ["SPR", 1901], "sender": "FRA", "to": "ENG", "kind": "peace", "answer": "yes"}
    ]
    assert written["stabs"] == [
        {
            "turn": ["SPR", 1901],
            "by": "FRA",
            "victim": "ENG",
            "order": "F BRE - LON",
            "centers": [3, None],
        }
    ]


def test_the_same_may_be_proposed_to_several_one_by_one() -> None:
    story = Story()
    for name in ("ENG", "GER"):
        story.say("FRA", name, "PRP ( DRW )")
    for name in ("ENG", "GER"):
        story.say(name, "FRA", "YES ( PRP ( DRW ) )")
    assert len(story.book.promises) == 4


def test_who_was_promised_an_order_may_do_without_it_but_not_who_promised_it() -> None:
    for sender, to, verdict in (("ENG", "FRA", Verdict.VOID), ("FRA", "ENG", Verdict.BROKEN)):
        story = Story()
        story.agree("ENG", "FRA", XDO)
        story.say(sender, to, f"PRP ( NOT ( {XDO} ) )")
        story.play("FRA A PAR - PIC")
        assert [each.verdict for each in story.book.promises] == [verdict]

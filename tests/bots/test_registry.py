import re
import sys
from contextlib import suppress
from inspect import Parameter, signature
from pathlib import Path
from pkgutil import resolve_name
from typing import get_args

import pytest

from bots.blabbot import BlabTalk
from bots.bot_text import read_bot_text
from bots.dumbbot.tactic import DumbBot
from bots.registry import ENTRIES, check_bot, make_bot, title_of
from bots.strategy import Bot, Negotiator
from rules.errors import BadInputError

OWN_BOT = """
from bots.strategy import Bot, Negotiator, Tactic

class MyBot(Tactic):
    def choose_orders(self, view):
        return []

class Talker(Tactic, Negotiator):
    def choose_orders(self, view):
        return []

class Tuned(Tactic):
    def __init__(self, *, depth: int = 1, brave: bool = False, share: float | None = None,
                 friends: set[str] = frozenset()):
        self.traits = depth, brave, share
    def choose_orders(self, view):
        return []

class Choosy(Tactic):
    def __init__(self, variant="mild"):
        self.version = variant
    def choose_orders(self, view):
        return []

class Listener(Negotiator):
    words = ("PRP",)

def both():
    return Bot(MyBot(), Listener())

NO_BOT = 3
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "their_bots.py").write_text(OWN_BOT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    monkeypatch.delitem(sys.modules, "their_bots", raising=False)
    return "their_bots"


@pytest.mark.parametrize("name", ENTRIES)
def test_every_bot_on_the_list_can_be_made(name: str) -> None:
    assert isinstance(make_bot(name), Bot)
    for variant in ENTRIES[name].variants:
        assert make_bot(name, variant=variant).tactic.version == variant


def test_the_first_variant_is_the_default() -> None:
    assert ENTRIES["dumbbot"].variants[0] == DumbBot().version


def test_a_bot_in_the_present_folder_is_found(own: str) -> None:
    assert make_bot(f"{own}:MyBot").negotiator.words == ()
    assert title_of(f"{own}:MyBot") == "MyBot"


def test_one_class_may_play_both_parts(own: str) -> None:
    bot = make_bot(f"{own}:Talker")
    assert isinstance(bot.tactic, Negotiator)
    assert bot.negotiator is bot.tactic


def test_a_function_may_combine_the_parts(own: str) -> None:
    assert make_bot(f"{own}:both").negotiator.words == ("PRP",)


def test_a_bot_of_ones_own_may_have_variants(own: str) -> None:
    assert make_bot(f"{own}:Choosy", variant="wild").tactic.version == "wild"


def test_a_text_names_variant_and_parameters(own: str) -> None:
    assert make_bot("dumbbot/wide").tactic.version == "wide"
    assert make_bot("diplominator/0.2/stabs_at=12").tactic.version == "0.2"
    tuned = make_bot(f"{own}:Tuned/depth=3/brave=yes/share=0.5").tactic
    assert vars(tuned)["traits"] == (3, True, 0.5)
    assert title_of("dumbbot/wide+blabbot") == "DumbBot"


def test_the_value_of_a_parameter_may_be_a_path() -> None:
    asked = read_bot_text("patternweights/paper/database=/here/weights.json/candidates=5")
    assert asked.variant == "paper"
    assert asked.parameters == {"database": "/here/weights.json", "candidates": "5"}


def test_a_plus_puts_the_talk_of_one_on_the_orders_of_another() -> None:
    bot = make_bot("dumbbot/wide+blabbot/joe")
    assert bot.tactic.version == "wide"
    assert isinstance(bot.negotiator, BlabTalk)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("their_bots:Tuned/dept=3", "no such parameter: 'dept'; its parameters are depth, brave,"),
        ("their_bots:Tuned/friends=x", "no such parameter: 'friends'"),
        ("their_bots:Tuned/depth=x", "their_bots:Tuned: depth must be a whole number, not 'x'"),
        ("their_bots:Tuned/brave=x", "brave must be true or false, not 'x'"),
        ("holdbot/depth=3", "holdbot: no such parameter: 'depth'; its parameters are convoys"),
        ("dumbbot/wide/classic", "cannot read the bot 'dumbbot/wide/classic'"),
        ("dumbbot+dumbo", "no such bot: 'dumbo'"),
        ("dumbbot+", "cannot read the bot ''"),
        ("dumbbot/", "cannot read the bot 'dumbbot/'"),
        ("dumbbot/=3", "cannot read the bot 'dumbbot/=3'"),
    ],
)
@pytest.mark.usefixtures("own")
def test_a_text_that_names_no_bot_is_explained(text: str, sentence: str) -> None:
    with pytest.raises(BadInputError, match=re.escape(sentence)):
        make_bot(text)


def test_bots_of_ones_own_are_made_to_check_them() -> None:
    check_bot("bots.holdbot:HoldBot+blabbot/joe")
    with pytest.raises(BadInputError, match="no such module: 'their_bots'"):
        check_bot("their_bots:MyBot/depth=3+blabbot/joe")
    with pytest.raises(BadInputError, match="no such variant of blabbot: 'jo'"):
        check_bot("dumbbot+blabbot/jo")


@pytest.mark.parametrize(
    ("name", "variant", "sentence"),
    [
        ("dumbo", None, "no such bot: 'dumbo' (did you mean dumbbot?); the bots are "),
        ("dumbbot", "clasic", "no such variant of dumbbot: 'clasic'; choose one of classic"),
        ("holdbot", "x", "holdbot has no variants"),
        ("nowhere.at_all:MyBot", None, "no such module: 'nowhere.at_all'"),
        ("their_bots:YourBot", None, "the module 'their_bots' has no class 'YourBot'"),
        ("their_bots:NO_BOT", None, "the module 'their_bots' has no class 'NO_BOT'"),
        ("their_bots:MyBot", "x", "their_bots:MyBot has no variants"),
        ("pathlib:Path", None, "pathlib:Path makes no bot"),
    ],
)
@pytest.mark.usefixtures("own")
def test_what_cannot_be_made_is_explained(name: str, variant: str | None, sentence: str) -> None:
    with pytest.raises(BadInputError) as caught:
        make_bot(name, variant=variant)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["os:system", "json:loads", "builtins:print", "math:sqrt"])
def test_what_makes_no_bot_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(BadInputError, match="makes no bot"):
        make_bot(text)


@pytest.mark.parametrize("text", ["collections:OrderedDict", "collections:OrderedDict/x"])
def test_what_has_no_signature_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(BadInputError, match="cannot be made: ValueError"):
        make_bot(text)


def test_a_module_that_raises_what_is_no_exception_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "their_end.py").write_text("raise GeneratorExit('the end')")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(BadInputError, match="cannot be made: GeneratorExit: the end"):
        make_bot("their_end:MyBot")


def numbers_of(bot: str) -> list[str]:
    """Return the parameters of a bot that are numbers."""
    parameters = signature(resolve_name(ENTRIES[bot].source), eval_str=True).parameters.values()
    return [
        each.name
        for each in parameters
        if each.kind is Parameter.KEYWORD_ONLY
        and {int, float} & {each.annotation, *get_args(each.annotation)}
    ]


NUMBERS = [(bot, name) for bot in ENTRIES for name in numbers_of(bot)]


@pytest.mark.parametrize(("bot", "name"), NUMBERS)
def test_a_bot_is_made_or_refused_in_a_sentence_whatever_the_number(bot: str, name: str) -> None:
    # Who wants to leave friends at any price says so by a gain below nothing.
    least = [] if name in ("stab_gain", "partner_gain") else ["-1"]
    for number in (*least, "nan", "inf", "-inf", str(10**20)):
        with pytest.raises(BadInputError, match=name):
            make_bot(f"{bot}/{name}={number}")
    for number in ("0", "0.5", "3"):
        with suppress(BadInputError):
            make_bot(f"{bot}/{name}={number}")

"""SearchBot and BRBot: legal, repeatable, faithful to promises, and in time."""

import gzip
import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import evolve

from bots.diplomat.tactic import Diplomat
from bots.kernel import Network, Playouts
from bots.kernel.habits import BY_NETWORK, BY_PROJECTION
from bots.probable.tactic import Probable
from bots.registry import make_bot
from bots.search.budget import Budget, Patience
from bots.search.proposals import OrderSet
from bots.searchbot.candidates import DRAWS, PLAN_WEIGHT, Width, is_coordinated
from bots.searchbot.tactic import EquilibriumSearcher, brbot, searchbot
from bots.searchbot.value import HABITUAL, SHIPPED, Layout, LearnedValue, judge_for, read_weights
from bots.strategy import Tactic
from bots.tactician.tactic import Tactician
from bots.view import Beliefs
from matches import play
from rules.errors import BadInputError
from rules.kernel.codes import HOLD, MOVE, SUPPORT_HOLD, SUPPORT_MOVE, mover_of, pack
from rules.kernel.encode import codec_of
from rules.legality import judge_order
from rules.maps import load_map
from rules.orders import (
    Build,
    Disband,
    Hold,
    Move,
    MoveByConvoy,
    OrderNote,
    Remove,
    Retreat,
    Waive,
)
from rules.places import Location, Power
from rules.position import DislodgedUnit, Position
from rules.turns import Season, Turn
from tests.bots.positions import BOARD, placed, units_of, view

CODEC = codec_of(BOARD)


@pytest.mark.parametrize("make", [searchbot, brbot])
def test_every_unit_gets_one_legal_order(make: Callable[..., Tactic]) -> None:
    for power in BOARD.powers:
        seen = view(power.name)
        orders = make(iterations=12).choose_orders(seen)
        units = [order.unit for order in orders if hasattr(order, "unit")]
        assert sorted(map(str, units)) == sorted(map(str, seen.units))
        for order in orders:
            assert judge_order(BOARD, BOARD.start, order, power) is OrderNote.MIGHT_BE_VALID


@pytest.mark.parametrize(
    "text",
    ["searchbot/iterations=24", "searchbot/iterations=24/models=several", "brbot/iterations=24"],
)
def test_with_iterations_and_a_seed_it_plays_alike(text: str) -> None:
    first = list(make_bot(text).tactic.choose_orders(view("RUS", seed=4)))
    again = make_bot(text).tactic
    again.choose_orders(view("ENG", seed=9))
    assert list(again.choose_orders(view("RUS", seed=4))) == first


@pytest.mark.parametrize("text", ["searchbot/iterations=24", "mcts/best/iterations=200"])
def test_a_deadline_that_is_far_away_changes_nothing(text: str) -> None:
    hurried = evolve(view("RUS", seed=4), seconds=1000.0)
    orders = list(make_bot(text).tactic.choose_orders(view("RUS", seed=4)))
    assert list(make_bot(text).tactic.choose_orders(hurried)) == orders


@pytest.mark.parametrize(
    "setting",
    [
        "value=centers",
        "value=projection",
        "value=learned",
        "value=habitual",
        "rollout=2",
        "candidates=1",
        "blueprint=narrow",
        "blueprint=learned",
        "blueprint=mixed",
        "play=final",
        "play=average",
        "learning=1",
        "models=dbrane",
        "models=several",
    ],
)
def test_every_part_can_be_exchanged(setting: str) -> None:
    tactic = make_bot(f"searchbot/iterations=12/{setting}").tactic
    assert len(list(tactic.choose_orders(view("TUR")))) == 3


def test_it_takes_the_center_that_wins() -> None:
    centers = sorted(province.name for province in BOARD.provinces if province.is_center)
    others = [name for name in centers if name not in {"WAR", "LON"}]
    position = placed(
        {"FRA": ["A SIL"], "ENG": ["F NTH"]},
        {"FRA": others[:17], "ENG": ["WAR", "LON", *others[17:]]},
        Season.FALL,
    )
    (order,) = searchbot(iterations=20).choose_orders(view("FRA", position))
    assert isinstance(order, Move)
    assert order.destination.province.name == "WAR"


def test_promises_are_kept_and_closed_provinces_are_avoided() -> None:
    hold = Hold(next(unit for unit in BOARD.start.units if str(unit.location) == "PAR"))
    beliefs = Beliefs(
        promised=(hold,), closed=frozenset({BOARD.province("BUR"), BOARD.province("ECH")})
    )
    for seed in range(3):
        orders = searchbot(iterations=20).choose_orders(view(seed=seed, beliefs=beliefs))
        assert hold in orders
        goals = {o.destination.province.name for o in orders if isinstance(o, Move)}
        assert not goals & {"BUR", "ECH"}
        assert not any(isinstance(order, MoveByConvoy) for order in orders)


def test_retreats_builds_and_removals_are_legal() -> None:
    tactic = searchbot(iterations=8)
    french = units_of({"FRA": ["A MUN"]})[0]
    retreat = Position(
        Turn(Season.AUTUMN, 1905),
        units_of({"GER": ["A BUR"], "FRA": ["A PAR"]}),
        (DislodgedUnit(french, tuple(_places("BOH", "TYR"))),),
        {BOARD.province("PAR"): BOARD.power("FRA"), BOARD.province("BER"): BOARD.power("GER")},
    )
    (order,) = tactic.choose_orders(view("FRA", retreat))
    assert isinstance(order, Retreat | Disband)
    winter = placed({"FRA": ["A SPA"]}, {"FRA": ["PAR", "MAR", "SPA"]}, Season.WINTER)
    builds = tactic.choose_orders(view("FRA", winter))
    assert len(builds) == 2
    assert all(isinstance(order, Build) for order in builds)
    full = placed({"FRA": ["A PAR"]}, {"FRA": ["PAR", "SPA"]}, Season.WINTER)
    assert tactic.choose_orders(view("FRA", full)) == [Waive(BOARD.power("FRA"))]
    many = placed({"FRA": ["A PAR", "A RUH", "F NTH"]}, {"FRA": ["PAR"]}, Season.WINTER)
    removals = tactic.choose_orders(view("FRA", many))
    assert len(removals) == 2
    assert all(isinstance(order, Remove) for order in removals)


def _places(*names: str) -> list[Location]:
    return [Location(BOARD.province(name)) for name in names]


def test_it_votes_for_a_draw_when_it_can_hope_for_less() -> None:
    strong = placed(
        {"FRA": ["A PAR"], "GER": ["A BER", "A MUN", "A KIE", "A HOL", "A BEL"]},
        {"FRA": ["PAR"], "GER": ["BER", "MUN", "KIE", "HOL", "BEL", "DEN"]},
        Season.SPRING,
    )
    for power, wanted in (("FRA", True), ("GER", False)):
        player = searchbot(iterations=8)
        assert not player.votes_for_draw(view(power))  # the first year of the game
        assert player.votes_for_draw(view(power, strong)) is wanted


def test_whole_games_on_a_map_without_learned_value() -> None:
    game = play(
        ["searchbot/iterations=4", "brbot/iterations=4", "dumbbot"],
        variant="lagoon",
        last_year=1903,
        press_level=0,
    )
    assert not game.faults


def test_candidates_are_as_many_as_asked_for() -> None:
    assert Width(each=3.5).of(4) == 14
    assert Width(each=5).of(17) == 24
    assert Width(each=1).of(3) == 3
    with pytest.raises(BadInputError, match="candidates"):
        Width(each=0)


def _usual_of(searcher: EquilibriumSearcher, budget: Budget) -> list[dict[OrderSet, float]]:
    """Return how usual each candidate of each power is, before anybody has searched."""
    _, found = searcher.explore(view("FRA"), budget)
    subgame = found.subgame
    return [
        {
            tuple(subgame.candidate(power, number)): subgame.priors[power * subgame.room + number]
            for number in range(subgame.regrets.counts[power])
        }
        for power in range(subgame.powers)
    ]


def _plan_of(tactic: Tactic, power: Power) -> OrderSet:
    codes = map(CODEC.code, tactic.choose_orders(view(power.name)))
    return tuple(sorted(codes, key=lambda code: CODEC.tables.mover_province[mover_of(code)]))


@pytest.mark.parametrize(
    ("setting", "is_asked"),
    [
        ({"seconds": 5.0}, True),
        ({"iterations": 12, "models": "several"}, True),
        ({"iterations": 5_000}, False),
        ({"seconds": 5.0, "models": "none"}, False),
        ({"seconds": 0.2}, False),
    ],
)
def test_where_there_is_time_several_programs_say_what_is_usual(
    setting: dict[str, Any], is_asked: bool
) -> None:
    patience = {name: value for name, value in setting.items() if name != "models"}
    moments = count(0.0, 0.001)
    budget = Patience(**patience).start(None, clock=lambda: next(moments))
    usual = _usual_of(searchbot(**setting), budget)
    for tactic in (Tactician(), Probable(), Diplomat()):
        plans = [_plan_of(tactic, power) for power in CODEC.powers]
        weights = [known.get(plan, 0) for known, plan in zip(usual, plans, strict=True)]
        assert (min(weights) >= PLAN_WEIGHT) is is_asked


def test_a_deadline_ends_the_questions_to_programs() -> None:
    moments = count()
    budget = Budget(lambda: float(next(moments)), 20.0, None)
    usual = _usual_of(searchbot(seconds=20), budget)
    asked = sum(sum(known.values()) > DRAWS for known in usual)
    assert 0 < asked < len(CODEC.powers)


def test_supports_that_fit_nothing_are_seen() -> None:
    par, bur = (
        CODEC.province_index[BOARD.province("PAR")],
        CODEC.province_index[BOARD.province("BUR")],
    )
    pic = CODEC.province_index[BOARD.province("PIC")]
    move = pack(MOVE, par, pic)
    tables = CODEC.tables
    assert is_coordinated((move, pack(SUPPORT_MOVE, bur, pic, par)), tables)
    assert not is_coordinated((move, pack(SUPPORT_HOLD, bur, 0, par)), tables)
    assert not is_coordinated((pack(HOLD, par), pack(SUPPORT_MOVE, bur, pic, par)), tables)


# --- the file -------------------------------------------------------------------------------------


def test_the_shipped_values_are_small_and_fit_the_map() -> None:
    other = load_map("lagoon")
    for path in (SHIPPED, HABITUAL):
        assert path.stat().st_size < 200_000
        game = Playouts(CODEC.new_simulator())
        assert judge_for(game, BOARD, BY_NETWORK, path)[0] == BY_NETWORK
        there = Playouts(codec_of(other).new_simulator())
        assert judge_for(there, other, BY_NETWORK, path)[0] == BY_PROJECTION


def test_a_server_that_numbers_the_map_otherwise_is_judged_alike() -> None:
    random = Random(1)
    provinces, powers = list(BOARD.provinces), list(BOARD.powers)
    random.shuffle(provinces)
    random.shuffle(powers)
    other = evolve(BOARD, provinces=tuple(provinces), powers=tuple(powers))
    found = []
    for board in (BOARD, other):
        codec = codec_of(board)
        game = Playouts(codec.new_simulator())
        codec.load(board.start, game.state)
        _, network = judge_for(game, board, BY_NETWORK, SHIPPED)
        found.append(dict(zip((p.name for p in board.powers), network.judged(), strict=True)))
    assert found[0] == pytest.approx(found[1])


def test_weights_are_the_same_when_saved_and_read(tmp_path: Path) -> None:
    layout = Layout.of(CODEC)
    numbers = [number % 60_000 - 30_000 for number in range(layout.weight_count(2))]
    weights = LearnedValue(layout=layout, hidden=2, numbers=numbers, recipe={"seed": 1})
    path = tmp_path / "some.value.gz"
    weights.save(path)
    found = read_weights(path)
    assert list(found.numbers) == numbers
    assert found.layout == weights.layout
    assert found.recipe == {"seed": 1}
    before = path.read_bytes()
    weights.save(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [b"no gzip", gzip.compress(b"no json\n"), gzip.compress(b"{}\n"), gzip.compress(b"[]\n12")],
    ids=["no gzip", "no JSON", "no fields", "no object"],
)
def test_a_broken_file_is_refused_with_its_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken"
    path.write_bytes(content)
    with pytest.raises(BadInputError, match="broken"):
        searchbot(value=str(path))


def changed(**head: object) -> bytes:
    """Return the shipped file with some of its first line changed, not yet compressed."""
    line, _, body = gzip.decompress(SHIPPED.read_bytes()).partition(b"\n")
    return json.dumps(json.loads(line) | head).encode() + b"\n" + body


def names(name: object) -> dict[str, object]:
    return {"powers": name, "movers": name, "centers": name}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (changed(hidden=0), "hidden: 0"),
        (changed(hidden=-1), "hidden: -1"),
        (changed(hidden=10**9), "hidden: 1000000000"),
        (changed(hidden=float("inf")), "infinity"),
        (changed(hidden=31), "weights, not"),
        (changed(layout=names(None)), "None are no names"),
        (changed(layout=names([1, "a"])), "are no names"),
        (changed(layout=names("abc")), "'abc' are no names"),
        (changed(recipe=3), "is no learned value"),
        (changed()[:-2], "weights, not"),
        (changed() + bytes(2), "weights, not"),
        (changed() + b"x", "is no learned value"),
        (b"[" * 100_000, "is no learned value"),
    ],
    ids=lambda value: value if isinstance(value, str) else "file",
)
def test_weights_that_fit_no_map_are_refused_before_a_game(
    tmp_path: Path, content: bytes, why: str
) -> None:
    path = tmp_path / "odd.value.gz"
    path.write_bytes(gzip.compress(content))
    with pytest.raises(BadInputError, match=why):
        read_weights(path)


def test_whichever_byte_of_a_file_is_lost_it_is_refused(tmp_path: Path) -> None:
    whole, path = SHIPPED.read_bytes(), tmp_path / "torn.value.gz"
    random = Random(3)
    # The ten bytes of the head hold a time and a system, which say nothing of the content.
    for at in (10, 11, *(random.randrange(10, len(whole)) for _ in range(20))):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        with pytest.raises(BadInputError, match="torn"):
            read_weights(path)
        path.write_bytes(whole[:at])
        with pytest.raises(BadInputError, match="torn"):
            read_weights(path)


@pytest.mark.parametrize("variant", ["standard", "lagoon", "fourwinds"])
@pytest.mark.parametrize("hidden", [1, 5])
def test_a_file_counts_its_weights_as_the_network_does(variant: str, hidden: int) -> None:
    codec = codec_of(load_map(variant))
    network = Network(Playouts(codec.new_simulator()), hidden)
    assert Layout.of(codec).weight_count(hidden) == network.weight_count


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("searchbot/value=nothing", "value: 'nothing' is neither"),
        ("searchbot/blueprint=x", "blueprint: 'x' is neither"),
        ("searchbot/rollout=9", "rollout: 9"),
        ("searchbot/learning=1/play=final/usual=0.5", "usual: with learning=1 and play=final"),
        (
            "searchbot/learning=1/play=average/guesses=9",
            "guesses: with learning=1 and play=average",
        ),
        ("searchbot/usual=2", "usual: must be from 0 to 1, not 2"),
        ("searchbot/play=x", "play: 'x'"),
        ("searchbot/candidates=0", "candidates: 0"),
        ("searchbot/learning=1/rounds=5", "rounds: with learning=1 nothing is varied"),
        ("searchbot/learning=1/others=0", "others: with learning=1 nothing is varied"),
        ("searchbot/rounds=1/others=0", "others: with rounds=1 nothing is varied for the others"),
        ("searchbot/rounds=1/play=final/usual=0", "usual: with rounds=1 and play=final nobody"),
        ("searchbot/play=final/guesses=9", "guesses: with play=final nothing is compared"),
        ("searchbot/models=x", "models: 'x' is not one of none, dbrane, several"),
        ("searchbot/iterations=0", "iterations: must be at least 1, not 0"),
        ("brbot/seconds=0", "seconds: must be more than 0"),
    ],
)
def test_bad_settings_are_named(text: str, message: str) -> None:
    with pytest.raises(BadInputError, match=message):
        make_bot(text)

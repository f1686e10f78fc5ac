"""A movement turn as a game: joint choices are judged as the rules say, and regrets fall."""

from array import array
from itertools import product

import pytest

from bots.kernel import Lessons, Playouts, SelfPlay, Subgame
from bots.kernel.habits import BY_CENTERS, BY_NETWORK, BY_PROJECTION, DUMBBOT
from bots.kernel.network import Network as PlainNetwork
from bots.kernel.playouts import Playouts as PlainPlayouts
from bots.kernel.subgame import Subgame as PlainSubgame
from bots.searchbot.value import SHIPPED, judge_for, read_weights
from rules.kernel.encode import codec_of
from rules.kernel.simulator import Simulator as PlainSimulator
from rules.maps import load_map

BOARD = load_map()
CODEC = codec_of(BOARD)


def a_subgame(candidates: int, judgement: int = BY_NETWORK, movements: int = 3) -> Subgame:
    """Return a subgame some turns after the opening, with drawn candidates."""
    game = Playouts(CODEC.new_simulator())
    _, network = judge_for(game, BOARD, BY_NETWORK, SHIPPED)
    subgame = Subgame(game, network, 16)
    CODEC.load(BOARD.start, game.state)
    game.state.seed(5)
    game.run(movements)
    game.settle_turn()
    subgame.enter(game.save(), judgement, 0, 9)
    game.value(DUMBBOT)
    for power in range(7):
        game.set_chance(power, 700, 400)
        for _ in range(candidates if subgame.unit_counts[power] else 0):
            subgame.add(power, game.sample(power), 1.0)
    subgame.open()
    return subgame


def exploitability(subgame: Subgame, policies: list[list[float]]) -> float:
    """Return the sum of what each power gains by a best response to all others' policies."""
    counts = [max(1, len(policy)) for policy in policies]
    chances = [policy or [1.0] for policy in policies]
    best = [[0.0] * count for count in counts]
    means = [0.0] * 7
    for choice in product(*map(range, counts)):
        worths = subgame.worth_of(list(choice))
        joint = 1.0
        for power, number in enumerate(choice):
            joint *= chances[power][number]
        for power, number in enumerate(choice):
            means[power] += joint * worths[power]
            others = 1.0
            for other, theirs in enumerate(choice):
                if other != power:
                    others *= chances[other][theirs]
            best[power][number] += others * worths[power]
    return sum(max(row) - mean for row, mean in zip(best, means, strict=True))


def test_exploitability_in_the_subgame_falls_with_iterations() -> None:
    subgame = a_subgame(3)
    found = []
    for iterations in (1, 15, 240):
        subgame.run(iterations)
        found.append(exploitability(subgame, [subgame.regrets.average(each) for each in range(7)]))
    assert found[0] > found[1] > found[2]
    assert found[2] < found[0] / 5


@pytest.mark.parametrize("judgement", [BY_CENTERS, BY_PROJECTION, BY_NETWORK])
def test_a_joint_choice_is_worth_shares(judgement: int) -> None:
    subgame = a_subgame(2, judgement)
    assert sum(subgame.worth_of([0] * 7)) == pytest.approx(1)
    assert subgame.worth_of([1] * 7) == subgame.worth_of([1] * 7)


def test_the_same_seed_learns_the_same() -> None:
    found = []
    for _ in range(2):
        subgame = a_subgame(4)
        subgame.run(30)
        found.append([subgame.regrets.policy(power) for power in range(7)])
    assert found[0] == found[1]


def test_plain_and_compiled_learn_the_same() -> None:
    subgame = a_subgame(3)
    game = PlainPlayouts(PlainSimulator(CODEC.tables))
    network = PlainNetwork(game, subgame.network.hidden)
    plain = PlainSubgame(game, network, 16)
    network.load(read_weights(SHIPPED).numbers)
    origin = Playouts(CODEC.new_simulator())
    CODEC.load(BOARD.start, origin.state)
    origin.state.seed(5)
    origin.run(3)
    origin.settle_turn()
    plain.enter(list(origin.save()), BY_NETWORK, 0, 9)
    for power in range(7):
        for number in range(subgame.regrets.counts[power]):
            plain.add(power, subgame.candidate(power, number), 1.0)
    plain.open()
    for each in (subgame, plain):
        each.run(2)
    for power in range(7):
        assert subgame.regrets.policy(power) == plain.regrets.policy(power)


def test_an_answer_is_tried_against_what_was_guessed() -> None:
    subgame = a_subgame(3)
    subgame.run(20)
    guesses = array("i", bytes(4 * 7 * 5))
    subgame.guess(0.5, guesses, 5)
    scores = array("d", bytes(8 * 5))
    subgame.let_answer(2)
    subgame.answer(array("q", subgame.candidate(2, 1)), guesses, 0, 5, scores)
    for number in range(5):
        choice = list(guesses[number * 7 : number * 7 + 7])
        choice[2] = 1
        assert scores[number] == subgame.worth_of(choice)[2]


def test_self_play_gives_lessons_and_can_be_repeated() -> None:
    found = []
    for _ in range(2):
        subgame = a_subgame(1)
        CODEC.load(BOARD.start, subgame.state)
        lessons = Lessons(subgame.game, 200, 0.8)
        games = SelfPlay(subgame, lessons)
        games.set_up(3, 4, 20)
        games.play(7, 1903)
        found.append((lessons.count, list(lessons.positions), list(lessons.targets)))
    assert found[0] == found[1]
    assert found[0][0] >= 6


def test_what_is_remembered_of_joint_choices_changes_nothing() -> None:
    found = []
    for forgets in (False, True):
        subgame = a_subgame(4)
        for _ in range(30):
            if forgets:
                subgame.forget()
            subgame.run(1)
        found.append([subgame.regrets.average(power) for power in range(7)])
        if not forgets:
            judged = subgame.judged
        else:
            assert judged < 0.9 * subgame.judged
    assert found[0] == found[1]


def test_a_candidate_answers_as_its_orders_do() -> None:
    subgame = a_subgame(4)
    subgame.run(20)
    guesses = array("i", bytes(4 * 7 * 16))
    subgame.guess(0.3, guesses, 16)
    power = next(each for each in range(7) if subgame.unit_counts[each])
    subgame.let_answer(power)
    for number in range(4):
        by_codes, by_number = array("d", bytes(8 * 16)), array("d", bytes(8 * 16))
        subgame.answer(array("q", subgame.candidate(power, number)), guesses, 0, 16, by_codes)
        subgame.answer_by(number, guesses, 0, 16, by_number)
        assert by_codes == by_number
    with pytest.raises(ValueError, match="no candidate 4"):
        subgame.answer_by(4, guesses, 0, 16, by_number)

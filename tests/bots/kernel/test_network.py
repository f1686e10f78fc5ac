"""The network, its lessons and its learner: plain and compiled agree, and it learns."""

from array import array
from random import Random

import pytest

from bots.kernel import Learner, Lessons, Network, Playouts
from bots.kernel.learning import Learner as PlainLearner
from bots.kernel.lessons import Lessons as PlainLessons
from bots.kernel.network import Network as PlainNetwork
from bots.kernel.playouts import Playouts as PlainPlayouts
from rules.kernel.encode import Codec, codec_of
from rules.kernel.simulator import Simulator as PlainSimulator
from rules.maps import load_map


@pytest.fixture(scope="module", params=["standard", "lagoon"])
def codec(request: pytest.FixtureRequest) -> Codec:
    return codec_of(load_map(request.param))


def opened(codec: Codec) -> Playouts:
    game = Playouts(codec.new_simulator())
    codec.load(codec.board.start, game.state)
    return game


def plainly_opened(codec: Codec) -> PlainPlayouts:
    game = PlainPlayouts(PlainSimulator(codec.tables))
    codec.load(codec.board.start, game.state)
    return game


def weights(count: int) -> list[int]:
    random = Random(1)
    return [random.randrange(-300, 300) for _ in range(count)]


def test_shares_add_up_to_one_and_the_dead_have_none(codec: Codec) -> None:
    game = opened(codec)
    network = Network(game, 4)
    network.load(weights(network.weight_count))
    lessons = Lessons(game, 400, 0.8)
    for seed in range(5):
        lessons.play(seed, 1908)
    for number in range(lessons.count):
        lessons.show(number)
        shares = network.judged()
        assert sum(shares) == pytest.approx(1)
        for power, share in enumerate(shares):
            is_alive = any(
                game.state.owner[place] == power
                or (game.state.unit[place] >= 0 and game.state.power[place] == power)
                for place in range(game.provinces)
            )
            assert (share > 0) is is_alive


def test_plain_and_compiled_judge_alike(codec: Codec) -> None:
    games = opened(codec), plainly_opened(codec)
    networks = Network(games[0], 4), PlainNetwork(games[1], 4)
    lessons = Lessons(games[0], 60, 0.8), PlainLessons(games[1], 60, 0.8)
    for network in networks:
        network.load(weights(network.weight_count))
    for each in lessons:
        each.play(3, 1903)
    assert lessons[0].count == lessons[1].count > 5
    assert list(lessons[0].targets) == list(lessons[1].targets)
    for number in range(lessons[0].count):
        for each in lessons:
            each.show(number)
        assert networks[0].judged() == networks[1].judged()


@pytest.mark.parametrize("hidden", [4, 7])
def test_a_judgement_does_not_depend_on_what_was_judged_before(codec: Codec, hidden: int) -> None:
    game = opened(codec)
    used, lessons = Network(game, hidden), Lessons(game, 60, 0.8)
    used.load([1] * used.weight_count)
    lessons.play(3, 1904)
    lessons.show(7)
    used.judged()
    used.load(weights(used.weight_count))
    for number in (0, lessons.count - 1, 3, 3, 0):
        lessons.show(number)
        fresh = Network(game, hidden)
        fresh.load(weights(fresh.weight_count))
        assert used.judged() == fresh.judged()


def test_targets_are_shares_of_the_squares(codec: Codec) -> None:
    lessons = Lessons(opened(codec), 300, 0.8)
    lessons.play(1, 1905)
    powers = lessons.powers
    for number in range(lessons.count):
        row = lessons.targets[number * powers : (number + 1) * powers]
        assert sum(row) == pytest.approx(1)


def test_without_patience_a_position_is_worth_what_its_year_brings(codec: Codec) -> None:
    game = opened(codec)
    lessons = Lessons(game, 300, 0.0)
    lessons.play(2, 1904)
    last = lessons.count - 1
    lessons.show(last)
    if game.state.season == 4:  # before adjustments nothing can change any more
        counts = [0] * lessons.powers
        for place in range(game.provinces):
            if game.state.owner[place] >= 0:
                counts[game.state.owner[place]] += 1
        squares = [count**2 for count in counts]
        row = lessons.targets[last * lessons.powers :]
        assert list(row[: lessons.powers]) == pytest.approx(
            [each / sum(squares) for each in squares]
        )


def test_a_learner_learns_and_hands_over_what_it_has_learned() -> None:
    codec = codec_of(load_map())
    game = opened(codec)
    network, lessons = Network(game, 8), Lessons(game, 4000, 0.8)
    for seed in range(60):
        lessons.play(seed, 1908)
    learner = Learner(network, 1)
    order = array("i", Random(1).sample(range(lessons.count), lessons.count))
    losses = []
    for _ in range(3):
        learner.forget_loss()
        learner.go_through(lessons, order, 0, len(order), 1)
        losses.append(learner.loss / learner.studied)
    assert losses[0] > losses[1] > losses[2]
    network.load(learner.rounded())
    error = guess = 0.0
    for number in range(lessons.count):
        lessons.show(number)
        row = lessons.targets[number * 7 : number * 7 + 7]
        error += sum((a - b) ** 2 for a, b in zip(network.judged(), row, strict=True))
        guess += sum((1 / 7 - each) ** 2 for each in row)
    assert error < 0.5 * guess


def test_plain_and_compiled_learn_alike() -> None:
    codec = codec_of(load_map("lagoon"))
    games = opened(codec), plainly_opened(codec)
    lessons = Lessons(games[0], 60, 0.8), PlainLessons(games[1], 60, 0.8)
    learners = (
        Learner(Network(games[0], 4), 1),
        PlainLearner(PlainNetwork(games[1], 4), 1),
    )
    for each, learner in zip(lessons, learners, strict=True):
        each.play(1, 1903)
        learner.go_through(each, array("i", range(each.count)), 0, each.count, 1)
    assert learners[0].rounded() == pytest.approx(learners[1].rounded(), abs=1)

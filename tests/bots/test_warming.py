"""What a bot of a game needs is there before it is forked off."""

from bots import game_so_far, unit_places
from bots.warming import warm_up
from grammar import parse
from grammar.boards import map_definition
from grammar.representation import standard_representation
from rules.kernel import encode
from rules.maps import load_map


def test_a_bot_finds_the_board_that_was_kept() -> None:
    board = load_map()
    warm_up(board)
    made = [game_so_far.board_for, unit_places.unit_places_of, parse._reader]
    before = [each.cache_info().misses for each in made]
    known = game_so_far.board_for(map_definition(board), standard_representation())
    unit_places.unit_places_of(known)
    parse.reader_for(parse.HIGHEST_LEVEL, standard_representation())
    assert [each.cache_info().misses for each in made] == before
    assert encode.codec_of(known) is encode.codec_of(known)


def test_any_board_can_be_warmed_up() -> None:
    warm_up(load_map("lagoon"))

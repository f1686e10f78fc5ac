"""Sentences that follow from the level files themselves, and Lark's own judgement of any sentence.

Nothing here knows a message: what the files allow is derived from them, rule by rule.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from lark import Lark, UnexpectedEOF, UnexpectedToken
from lark import Token as LarkToken
from lark.grammar import NonTerminal, Rule, Symbol
from lark.lexer import Lexer

from grammar.parse import reader_for
from grammar.parse_table import END
from grammar.representation import standard_representation
from grammar.tables import grammar_text, table_for
from grammar.tokens import Tokens, Word
from tests.grammar.strategies import balanced_tokens, texts_as_tokens

UNKNOWN = "UNKNOWN"
_NAMES = standard_representation()
_CHOICES: dict[str, Sequence[int]] = {
    "_BRA": (Word.BRA,),
    "_KET": (Word.KET,),
    "POWER": tuple(_NAMES.powers),
    "PLAIN_PROVINCE": tuple(token for token in _NAMES.provinces if not token & 0x100),
    "CENTER": tuple(token for token in _NAMES.provinces if token & 0x100),
    "SEASON": range(0x4700, 0x4705),
    "COAST": range(0x4600, 0x4610, 2),
    "NOTE": (*(set(range(0x4400, 0x4414)) - {Word.BPR, Word.NST}),),
    "RESULT": range(0x4500, 0x4506),
    "INTEGER": (0, 1, 1901, 0x1FFF, 0x2000, 0x3FFF),
    "OTHER_PRESS": (Word.IOU, Word.PPT, Word.UOM, 0x4A27, 0x4AFF),
}


class _KindsLexer(Lexer):
    """Hands Lark the symbols that it is given."""

    def __init__(self, _configuration: object) -> None:
        pass

    def lex(self, kinds: Sequence[str]) -> Iterator[LarkToken]:  # type: ignore[override]  # kinds, not text
        return (LarkToken(kind, kind, start_pos=place) for place, kind in enumerate(kinds))


@cache
def lark_for(level: int, *, partial_draws: bool = True, parser: str = "lalr") -> Lark:
    """Return Lark's own parser of a press level."""
    return Lark(
        grammar_text(level, partial_draws=partial_draws),
        parser=parser,
        lexer=_KindsLexer,
        start=starts(level),
        maybe_placeholders=False,
    )


def starts(level: int) -> list[str]:
    """Return what may be read on its own."""
    return ["client_message", "server_message", "order", *(["press"] if level else [])]


def lark_refuses_at(
    tokens: Tokens, level: int, start: str, *, partial_draws: bool = True, parser: str = "lalr"
) -> int | None:
    """Return the place of the first token that Lark does not take, or None if it takes them all."""
    lexicon = reader_for(level, partial_draws=partial_draws)._lexicon
    numbers, _, places = lexicon.look_up(tokens)
    terminals = table_for(level, partial_draws=partial_draws).terminals
    names = {number: name for name, number in terminals.items()}
    kinds = [names.get(number, UNKNOWN) for number in numbers[:-1]]
    try:
        lark_for(level, partial_draws=partial_draws, parser=parser).parse(kinds, start)
    except UnexpectedToken as error:
        # At the end Lark repeats the place of the last token.
        at = len(kinds) if error.token.type == END else error.token.start_pos
    except UnexpectedEOF:
        at = len(kinds)
    else:
        return None
    assert at is not None
    return places[at] if places else at


class Grammar:
    """The rules of one level, and how to derive sentences from them."""

    def __init__(self, level: int) -> None:
        self.level = level
        self.rules = [rule for rule in lark_for(level).rules if not _is_blocked(rule)]
        self.by_origin: dict[str, list[Rule]] = {}
        for rule in self.rules:
            self.by_origin.setdefault(_name(rule.origin), []).append(rule)
        self._heights = self._work_out_heights()
        self._routes = self._work_out_routes()

    def _work_out_heights(self) -> dict[str, int]:
        """Find how many rules the flattest derivation of each symbol has below each other."""
        heights: dict[str, int] = {}
        while len(heights) < len(self.by_origin):
            for origin, rules in self.by_origin.items():
                known = [self._height(rule, heights) for rule in rules]
                if any(height is not None for height in known):
                    heights[origin] = min(height for height in known if height is not None)
        return heights

    def _height(self, rule: Rule, heights: dict[str, int]) -> int | None:
        below = [heights.get(_name(part)) for part in rule.expansion if not part.is_term]
        known = [height for height in below if height is not None]
        return 1 + max(known, default=0) if len(known) == len(below) else None

    def _work_out_routes(self) -> dict[str, tuple[Rule, int] | None]:
        """Find the rule, and the place in it, by which each symbol is first reached."""
        routes: dict[str, tuple[Rule, int] | None] = dict.fromkeys(starts(self.level))
        queue = list(routes)
        for origin in queue:
            for rule in self.by_origin[origin]:
                for place, part in enumerate(rule.expansion):
                    if not part.is_term and _name(part) not in routes:
                        routes[_name(part)] = (rule, place)
                        queue.append(_name(part))
        return routes

    def shortest(self, symbol: Symbol) -> Tokens:
        """Derive some tokens from a symbol by as few steps as possible."""
        if symbol.is_term:
            return _some_tokens(_name(symbol))
        rule = min(self.by_origin[_name(symbol)], key=self._rule_height)
        return tuple(token for part in rule.expansion for token in self.shortest(part))

    def _rule_height(self, rule: Rule) -> int:
        height = self._height(rule, self._heights)
        assert height is not None
        return height

    def sentence_with(self, rule: Rule) -> tuple[str, Tokens]:
        """Derive a sentence in which the rule is used, and say what it starts from."""
        tokens = tuple(token for part in rule.expansion for token in self.shortest(part))
        origin = _name(rule.origin)
        while route := self._routes[origin]:
            around, place = route
            before, after = around.expansion[:place], around.expansion[place + 1 :]
            tokens = (
                *(token for part in before for token in self.shortest(part)),
                *tokens,
                *(token for part in after for token in self.shortest(part)),
            )
            origin = _name(around.origin)
        return origin, tokens

    def draw(self, draw: DrawFn, symbol: Symbol, depth: int) -> Tokens:
        """Derive tokens from a symbol at random, `depth` rules below each other if possible."""
        if symbol.is_term:
            name = _name(symbol)
            return draw(_TERMINALS[name]) if name in _TERMINALS else _some_tokens(name)
        rules = self.by_origin[_name(symbol)]
        shallow = [rule for rule in rules if self._rule_height(rule) <= depth]
        rule = draw(st.sampled_from(shallow or [min(rules, key=self._rule_height)]))
        return tuple(token for part in rule.expansion for token in self.draw(draw, part, depth - 1))


@cache
def grammar_of(level: int) -> Grammar:
    """Return the rules of a level; they are worked out once."""
    return Grammar(level)


@st.composite
def sentences(draw: DrawFn, level: int, start: str, *, deepest: int = 14) -> Tokens:
    """Draw sentences of a level."""
    return grammar_of(level).draw(draw, NonTerminal(start), draw(st.integers(1, deepest)))


def _is_blocked(rule: Rule) -> bool:
    """Whether no sentence can have the rule, because it marks a place for a higher level."""
    return any(_name(part) == "_NOT_YET" for part in rule.expansion)


def _name(symbol: Symbol) -> str:
    return str(symbol.name)


def _some_tokens(terminal: str) -> Tokens:
    if terminal == "TEXT":
        return (0x4B61, 0x4B62)
    if terminal == "QUOTED":
        return (int(Word.ERR), int(Word.BRA), int(Word.KET))
    return (int(_CHOICES[terminal][0] if terminal in _CHOICES else Word[terminal]),)


_TERMINALS: dict[str, SearchStrategy[Tokens]] = {
    name: st.sampled_from([(int(token),) for token in choices])
    for name, choices in _CHOICES.items()
} | {"TEXT": texts_as_tokens(), "QUOTED": balanced_tokens()}

"""LALR tables: Lark reads the level files and works out the parser's states.

The files of a level and of all levels below it are joined into one grammar, to which the option for
partial draws may add its own file. Lark analyses the grammar; `grammar.machine` runs the tables,
because a loop over integers reads a message several times faster than Lark's own.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from attrs import frozen
from lark import Lark, Token
from lark.grammar import Rule
from lark.lexer import Lexer, LexerState
from lark.parsers.lalr_analysis import Shift

FOLDER = Path(__file__).with_name("levels")
LEVELS = (0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 8000)
END = "$END"

# Terminals that carry a value; all others are only there to be in the right place.
VALUE_TERMINALS = frozenset(
    {"POWER", "PLAIN_PROVINCE", "CENTER", "COAST", "SEASON", "INTEGER", "TEXT", "QUOTED"}
    | {"NOTE", "RESULT", "AMY", "FLT", "UNO"}
    | {"LVL", "MTL", "RTL", "BTL", "DSD", "AOA", "PDA", "NPR", "NPB", "PTL"}
)
# The one rule in which words stand for themselves.
WORD_RULE = "try_word"


class UnknownLevelError(ValueError):
    """A number that is no press level."""


@frozen
class Production:
    """One line of the grammar: what it makes of how many symbols, and which of them have values.

    `lists` counts among the values: those are lists, of as many items as the message has.
    """

    action: str
    makes: int
    length: int
    values: tuple[int, ...]
    lists: tuple[int, ...]


@frozen
class Table:
    """A parser: for each state what to do at each terminal, and where a finished rule leads.

    An action of zero or more is the next state, a negative one is the production `~action`.
    """

    terminals: Mapping[str, int]
    productions: tuple[Production, ...]
    actions: tuple[dict[int, int], ...]
    gotos: tuple[dict[int, int], ...]
    starts: Mapping[str, int]
    ends: Mapping[str, int]


@cache
def table_for(level: int, *, partial_draws: bool) -> Table:
    """Return the parser of a press level."""
    grammar = Lark(
        grammar_text(level, partial_draws=partial_draws),
        parser="lalr",
        lexer=_NoLexer,
        start=["client_message", "server_message", "order", *(["press"] if level else [])],
        maybe_placeholders=False,
    )
    return _compile(grammar)


def grammar_text(level: int, *, partial_draws: bool) -> str:
    """Join the files that make up a level."""
    if level not in LEVELS:
        known = ", ".join(map(str, LEVELS))
        raise UnknownLevelError(f"no such press level: {level}; the levels are {known}")
    names = [f"level_{each:03}.lark" for each in LEVELS if each <= level]
    if partial_draws and level:
        names.append("partial_draws.lark")
    return "\n".join((FOLDER / name).read_text() for name in names)


class _NoLexer(Lexer):
    """Lark wants a lexer for its own parser, which we do not use."""

    def __init__(self, _configuration: object) -> None:
        pass

    def lex(self, lexer_state: LexerState, parser_state: object) -> Iterator[Token]:
        raise NotImplementedError


def _compile(grammar: Lark) -> Table:
    # Lark offers no public way to its tables; this attribute has been stable for years, the
    # version is pinned, and a test compares the machine with Lark's own parser.
    table = grammar.parser.parser._parse_table  # noqa: SLF001
    symbols = sorted({symbol for state in table.states.values() for symbol in state} | {END})
    numbers = {symbol: number for number, symbol in enumerate(symbols)}
    rules = sorted(
        {
            argument
            for state in table.states.values()
            for kind, argument in state.values()
            if kind is not Shift
        },
        key=str,
    )
    rule_numbers = {rule: number for number, rule in enumerate(rules)}
    actions: list[dict[int, int]] = [{} for _ in table.states]
    gotos: list[dict[int, int]] = [{} for _ in table.states]
    for state, moves in table.states.items():
        for symbol, (kind, argument) in moves.items():
            if kind is not Shift:
                actions[state][numbers[symbol]] = ~rule_numbers[argument]
            elif _is_terminal(symbol):
                actions[state][numbers[symbol]] = argument
            else:
                gotos[state][numbers[symbol]] = argument
    return Table(
        terminals={symbol: number for symbol, number in numbers.items() if _is_terminal(symbol)},
        productions=tuple(_production(rule, numbers) for rule in rules),
        actions=tuple(actions),
        gotos=tuple(gotos),
        starts=dict(table.start_states),
        ends=dict(table.end_states),
    )


def _is_terminal(symbol: str) -> bool:
    return symbol == END or symbol.lstrip("_").isupper()


def _production(rule: Rule, numbers: Mapping[str, int]) -> Production:
    origin = str(rule.origin.name)
    values = tuple(
        place
        for place, symbol in enumerate(rule.expansion)
        if not symbol.is_term or symbol.name in VALUE_TERMINALS or origin == WORD_RULE
    )
    return Production(
        action=rule.alias or origin,
        makes=numbers[origin],
        length=len(rule.expansion),
        values=values,
        lists=tuple(i for i, place in enumerate(values) if _is_list(rule.expansion[place].name)),
    )


def _is_list(symbol: str) -> bool:
    """Tell by its name a rule that Lark made of `x+` or `x*`, or one of ours that passes it on."""
    return symbol.startswith("__") or symbol in ("_powers", "_centers")

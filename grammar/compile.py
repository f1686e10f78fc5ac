"""Have Lark work out the LALR states of a grammar, and put them into a `ParseTable`."""

from collections.abc import Iterator, Mapping

from lark import Lark, Token
from lark.grammar import Rule
from lark.lexer import Lexer, LexerState
from lark.parsers.lalr_analysis import Shift

from grammar.parse_table import END, ParseTable, Production

# Terminals that carry a value; all others are only there to be in the right place.
VALUE_TERMINALS = frozenset(
    {"POWER", "PLAIN_PROVINCE", "CENTER", "COAST", "SEASON", "INTEGER", "TEXT", "QUOTED"}
    | {"NOTE", "RESULT", "AMY", "FLT", "UNO"}
    | {"LVL", "MTL", "RTL", "BTL", "DSD", "AOA", "PDA", "NPR", "NPB", "PTL"}
)
# The rules in which words stand for themselves.
WORD_RULES = frozenset({"try_word", "game_status"})


def compile_grammar(text: str, starts: list[str]) -> ParseTable:
    """Return the parser of a grammar."""
    lark = Lark(text, parser="lalr", lexer=_NoLexer, start=starts, maybe_placeholders=False)
    return _table_of(lark)


class _NoLexer(Lexer):
    """Lark wants a lexer for its own parser, which we do not use."""

    def __init__(self, _configuration: object) -> None:
        pass

    def lex(self, lexer_state: LexerState, parser_state: object) -> Iterator[Token]:
        raise NotImplementedError


def _table_of(grammar: Lark) -> ParseTable:
    # Lark offers no public way to its tables; this attribute has been stable for years, the
    # version is pinned, and a test compares the machine with Lark's own parser.
    table = grammar.parser.parser._parse_table  # noqa: SLF001 - see above
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
    return ParseTable(
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
        if not symbol.is_term or symbol.name in VALUE_TERMINALS or origin in WORD_RULES
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

"""Run an LALR table over the kinds of a message's tokens and build its value.

This is the inner loop of the parser: plain integers, no recursion, so neither length nor depth of a
message can do harm. An error is found before the bad token is taken, which is where ERR goes.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final, TypeAlias

from attrs import frozen

from grammar.parse_table import ParseTable, Production

Builder: TypeAlias = Callable[..., Any]

# Ways to make the value of a production, told apart in advance because it is done so often.
_PASS_ON: Final = 0  # the only value there is
_EXTEND_LIST: Final = 1
_BUILD_FROM_ONE: Final = 2
_BUILD: Final = 3


@frozen
class WrongAt:
    """The place of the first symbol that cannot be right; the end if something is missing."""

    place: int


class Machine:
    """A table together with the functions that build values."""

    def __init__(self, table: ParseTable, builders: Mapping[str, Builder]) -> None:
        self._starts = table.starts
        self._ends = table.ends
        self._productions = [_prepared(each, builders) for each in table.productions]
        actions, self._gotos = self._without_detours(table)
        # As lists, which are quicker to index; the last place is for tokens of no kind, -1.
        columns = range(max(table.terminals.values()) + 2)
        self._actions = [[moves.get(kind) for kind in columns] for moves in actions]

    def run(self, start: str, kinds: Sequence[int], values: Sequence[Any]) -> Any:  # noqa: ANN401 - the class depends on the message
        """Return the value of the message, or WrongAt; `kinds` ends with the end symbol."""
        actions, gotos, productions = self._actions, self._gotos, self._productions
        end, last = self._ends[start], len(kinds) - 1
        state = self._starts[start]
        states = [state]
        stack: list[Any] = []
        for place, kind in enumerate(kinds):
            action = actions[state][kind]
            while action is not None and action < 0:
                how, length, makes, builder, pick = productions[~action]
                if how == _EXTEND_LIST:
                    # The list stays where it is, and so does the state above which it stands.
                    stack[-2].append(stack.pop())
                    states.pop()
                    state = states[-1]
                else:
                    if how == _BUILD:
                        value = builder(*pick(stack))
                    elif how == _PASS_ON:
                        value = pick(stack)
                    else:
                        value = builder(pick(stack))
                    if length:
                        del stack[-length:], states[-length:]
                    state = gotos[states[-1]][makes]
                    stack.append(value)
                    states.append(state)
                    if state == end and place == last:
                        return value
                action = actions[state][kind]
            if action is None:
                return WrongAt(place)
            stack.append(values[place])
            states.append(action)
            state = action
        raise AssertionError("the end symbol is never taken")

    def _without_detours(
        self, table: ParseTable
    ) -> tuple[list[dict[int, int]], list[dict[int, int]]]:
        """Lead every step past the states that would only give another name to the same value.

        Such a state knows one production, of one symbol, that passes its value on. Going straight
        to where it leads takes the same tokens and finds the same errors at the same places.
        """
        renamed = [self._renames(state, table) for state in range(len(table.actions))]

        def target(state: int, here: int) -> int:
            while (symbol := renamed[here]) is not None:
                here = table.gotos[state][symbol]
            return here

        actions = [
            {kind: target(state, to) if to >= 0 else to for kind, to in moves.items()}
            for state, moves in enumerate(table.actions)
        ]
        gotos = [
            {symbol: target(state, to) for symbol, to in moves.items()}
            for state, moves in enumerate(table.gotos)
        ]
        return actions, gotos

    def _renames(self, state: int, table: ParseTable) -> int | None:
        """Return the symbol that a state only renames its value to, if that is all it does."""
        moves = set(table.actions[state].values())
        if len(moves) != 1 or table.gotos[state]:
            return None
        (move,) = moves
        if move >= 0:
            return None
        how, length, makes, *_ = self._productions[~move]
        return makes if how == _PASS_ON and length == 1 else None


_Prepared: TypeAlias = tuple[int, int, int, Builder, Builder]


def _prepared(production: Production, builders: Mapping[str, Builder]) -> _Prepared:
    """Choose the way to make a production's value."""
    # Counted from the top of the stack, so that the stack need not be cut first.
    picks = [place - production.length for place in production.values]
    builder = builders.get(production.action)
    if builder is None:
        how, builder = _without_builder(production.action, len(picks))
    elif production.lists:
        how, builder = _BUILD, _taking_lists(builder, production.lists)
    else:
        how = _BUILD_FROM_ONE if len(picks) == 1 else _BUILD
    pick = _several(picks) if how == _BUILD else itemgetter(*picks)
    return how, production.length, production.makes, builder, pick


def _without_builder(name: str, parts: int) -> tuple[int, Builder]:
    """Pass a single part on, or gather a list: Lark makes `x+` a rule that begins with `__`."""
    if name.startswith("__"):
        return (_BUILD_FROM_ONE, lambda item: [item]) if parts == 1 else (_EXTEND_LIST, list)
    assert parts == 1, f"no builder for {name!r}"
    return _PASS_ON, tuple


def _taking_lists(builder: Builder, lists: tuple[int, ...]) -> Builder:
    """Turn the lists among a builder's arguments into tuples, which values are made of."""

    def build(*parts: Any) -> Any:  # noqa: ANN401 - whatever a rule makes
        values = list(parts)
        for item in lists:
            values[item] = tuple(values[item])
        return builder(*values)

    return build


def _several(picks: list[int]) -> Builder:
    """Pick parts from the stack as a sequence, however many there are."""
    if len(picks) > 1:
        return itemgetter(*picks)
    return lambda stack: tuple(stack[pick] for pick in picks)

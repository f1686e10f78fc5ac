"""Representation: the token numbers that the powers and provinces of one game have.

A server tells them in its RM. An empty RM means the standard map with its usual numbers; as soon as
the RM lists anything, it lists everything.
"""

from collections.abc import Iterable, Mapping
from functools import cache

from attrs import define, field

from grammar.tokens import Category, Token, Tokens, Word, is_province
from rules.board import Board
from rules.maps import load_map
from rules.numbering import power_numbers, province_numbered, province_numbers
from rules.orders import Unit
from rules.places import Power, Province


class BadRepresentationError(ValueError):
    """An RM that breaks the rules for one; the text says which entry and why."""


@define(frozen=True, eq=False)
class Representation:
    """The powers and provinces of a game, by token and by name."""

    powers: Mapping[Token, Power]
    provinces: Mapping[Token, Province]
    power_tokens: Mapping[str, Token]
    province_tokens: Mapping[str, Token]
    unit_tokens: dict[Unit, Tokens] = field(factory=dict, init=False, repr=False)
    """Units that were written, in brackets: few, and named in most messages."""

    @classmethod
    def of(
        cls, powers: Mapping[Token, Power], provinces: Mapping[Token, Province]
    ) -> "Representation":
        """Make a representation of powers and provinces that have their numbers already."""
        return cls(
            powers,
            provinces,
            {power.name: token for token, power in powers.items()},
            {province.name: token for token, province in provinces.items()},
        )

    @classmethod
    def from_board(cls, board: Board) -> "Representation":
        """Give the powers and provinces of a board numbers in their order there."""
        return cls.of(power_numbers(board), province_numbers(board))

    @classmethod
    def from_entries(cls, entries: Iterable[tuple[Token, str]]) -> "Representation":
        """Take the entries of an RM, none of them for the standard map."""
        entries = tuple(entries)
        standard = standard_representation()
        if not entries or set(entries) == set(standard.all_entries()):
            return standard
        check_entries(entries)
        return cls.of(
            {token: Power(name) for token, name in entries if not is_province(token)},
            {
                token: province_numbered(token, name)
                for token, name in entries
                if is_province(token)
            },
        )

    def entries(self) -> tuple[tuple[Token, str], ...]:
        """Return what the RM has to list: nothing for the standard map."""
        everything = self.all_entries()
        return () if everything == standard_representation().all_entries() else everything

    def all_entries(self) -> tuple[tuple[Token, str], ...]:
        """Return token and name of every power, then of every province, by number."""
        powers = sorted((token, power.name) for token, power in self.powers.items())
        provinces = sorted(
            ((token, province.name) for token, province in self.provinces.items()),
            key=lambda entry: entry[0] & 0xFF,
        )
        return (*powers, *provinces)


@cache
def standard_representation() -> Representation:
    """Return the representation that an empty RM stands for."""
    return Representation.from_board(load_map("standard"))


@cache
def with_unknown_provinces(names: Representation) -> Representation:
    """Return the names with one for each number that a province may have, as text writes it."""
    numbers = range(Category.FIRST_PROVINCE << 8, (Category.LAST_PROVINCE + 1) << 8)
    unknown = {
        token: province_numbered(token, f"0x{token:04X}")
        for token in numbers
        if token not in names.provinces
    }
    return Representation.of(names.powers, {**names.provinces, **unknown})


def check_entries(entries: tuple[tuple[Token, str], ...]) -> None:
    """Raise unless the low bytes number powers and provinces without gaps or repeats."""
    for token, name in entries:
        if token >> 8 != Category.POWER and not is_province(token):
            raise BadRepresentationError(f"{name!r} has the token 0x{token:04X}, no power's number")
        if not (len(name) == 3 and name.isascii() and name.isalnum() and name == name.upper()):
            raise BadRepresentationError(f"{name!r} is not three capital letters or digits")
        if name in Word.__members__:
            raise BadRepresentationError(f"{name!r} is a word of the language")
    if len({name for _, name in entries}) != len(entries):
        raise BadRepresentationError("a name is listed twice")
    for what, wanted in (("powers", False), ("provinces", True)):
        numbers = sorted(token & 0xFF for token, _ in entries if is_province(token) is wanted)
        if numbers != list(range(len(numbers))):
            raise BadRepresentationError(f"the numbers of the {what} do not run from 0 upwards")

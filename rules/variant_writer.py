"""Write a board as the variant files of DAIDE servers, the counterpart of `load_variant`."""

from pathlib import Path

from rules.board import Board
from rules.map_definition import joined, place_text, write_mdf
from rules.numbering import power_numbers, province_numbers
from rules.places import Power, Province


def write_variant(board: Board, folder: Path) -> None:
    """Write all five files of the board into the folder, which is made if there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    writers = {".mdf": write_mdf, ".now": write_now, ".sco": write_sco}
    writers |= {".rem": write_rem, ".nam": write_nam}
    for suffix, write in writers.items():
        (folder / f"{board.name}{suffix}").write_text(write(board), encoding="utf-8")


def write_now(board: Board) -> str:
    """Return the first turn and the starting units as DAIDE text."""
    units = [
        f"( {unit.power} {unit.kind.value} {place_text(unit.location)} )"
        for unit in board.start.units
    ]
    return "\n".join([f"NOW ( {board.start.turn} )", *units, ""])


def write_sco(board: Board) -> str:
    """Return the starting owners as DAIDE text."""
    owners = board.start.owners
    groups = [
        (str(power), [c for c in board.centers if owners.get(c) == power]) for power in board.powers
    ]
    groups.append(("UNO", [center for center in board.centers if center not in owners]))
    lines = [f"( {owner} {joined(centers)} )" for owner, centers in groups if centers]
    return "\n".join(["SCO", *lines, ""])


def write_rem(board: Board) -> str:
    """Return the token number of each power and province, a line each."""
    numbers: dict[int, Power | Province] = {**power_numbers(board), **province_numbers(board)}
    lines = [f"{number:04X}:{each.name}" for number, each in numbers.items()]
    return "\n".join([str(len(lines)), *lines, ""])


def write_nam(board: Board) -> str:
    """Return the full names, a line each."""
    powers = [f"{power}:{power.title}:{power.adjective}" for power in board.powers]
    provinces = [f"{province}:{province.title}" for province in board.provinces]
    return "\n".join([*powers, "", *provinces, ""])

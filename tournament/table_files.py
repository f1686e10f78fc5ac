"""Tables as files, CSV or Parquet: rows go in one after the other, so a table may be of any size.

A table appears under its name when it is complete; until then it is a `.part` beside it.
`BadInputError` leaves this module where a file cannot be written, or a package is missing.
"""

import csv
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, Self, TypeAlias

from rules.errors import BadInputError
from tournament.table_columns import TABLES

Row: TypeAlias = dict[str, Any]
CHUNK = 50_000
"""So many rows of Parquet are gathered before they are written."""


class TableFile(Protocol):
    """One table that is being written."""

    def add(self, row: Row) -> None:
        """Add a row; what it lacks is empty."""

    def close(self) -> None:
        """Write what is left."""


class CsvFile:
    """A table as CSV; what is not known is empty."""

    def __init__(self, path: Path, name: str) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._writer = csv.DictWriter(self._file, tuple(TABLES[name]))
        self._writer.writeheader()

    def add(self, row: Row) -> None:
        """Write a row."""
        self._writer.writerow(row)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class ParquetFile:
    """A table as Parquet, with the kinds of its columns."""

    def __init__(self, path: Path, name: str) -> None:
        try:
            self._arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
        except ImportError:
            raise BadInputError(
                "--format: parquet needs the package pyarrow; install it, or take csv"
            ) from None
        arrow = self._arrow
        kinds: Mapping[type, Any] = {
            int: arrow.int64(),
            float: arrow.float64(),
            str: arrow.string(),
            bool: arrow.bool_(),
        }
        self._schema = arrow.schema([(name, kinds[kind]) for name, kind in TABLES[name].items()])
        self._writer = parquet.ParquetWriter(path, self._schema)
        self._rows: list[Row] = []

    def add(self, row: Row) -> None:
        """Keep a row until there are enough of them."""
        self._rows.append(row)
        if len(self._rows) >= CHUNK:
            self._flush()

    def close(self) -> None:
        """Write what is left."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(self._arrow.Table.from_pylist(self._rows, self._schema))
            self._rows.clear()


FORMATS: Mapping[str, type[CsvFile] | type[ParquetFile]] = {
    "csv": CsvFile,
    "parquet": ParquetFile,
}


class TableFolder:
    """The tables of a tournament in a folder: they are there when its `with` ends."""

    def __init__(self, out: Path, format_: str) -> None:
        self.out = out
        self._format = format_
        self._files: dict[str, TableFile] = {}
        self.rows: dict[str, int] = {}
        """How many rows each table has."""

    def begin(self, name: str) -> None:
        """Have a table, though it may stay empty."""
        if name not in self._files:
            self.out.mkdir(parents=True, exist_ok=True)
            self._files[name] = FORMATS[self._format](self._part(name), name)
            self.rows[name] = 0

    def add(self, name: str, row: Row) -> None:
        """Add a row to a table."""
        self.begin(name)
        self._files[name].add(row)
        self.rows[name] += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Let all tables appear; if anything went wrong, leave none."""
        try:
            for file in self._files.values():
                file.close()
            if kind is None:
                for name in self._files:
                    self._part(name).replace(self.out / f"{name}.{self._format}")
        finally:
            for name in self._files:
                self._part(name).unlink(missing_ok=True)

    def _part(self, name: str) -> Path:
        return self.out / f"{name}.{self._format}.part"

"""Counters, gauges and histograms, written in the text format that Prometheus reads."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

from attrs import Factory, define, field

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
Labels: TypeAlias = tuple[tuple[str, str], ...]


class Metric(Protocol):
    """Something that is measured."""

    name: str
    meaning: str
    kind: str

    def samples(self) -> Iterable[str]:
        """Return the lines of its values."""


@define
class Count:
    """Counts upwards, perhaps apart for different labels."""

    name: str
    meaning: str
    label: str | None = None
    kind: str = field(default="counter", init=False)
    counts: Counter[str] = Factory(Counter)

    def add(self, amount: int = 1, label: str = "") -> None:
        """Count something."""
        self.counts[label] += amount

    def samples(self) -> Iterable[str]:
        """Return a line for each label; one that is always there if there are no labels."""
        if self.label is None:
            yield f"{self.name} {self.counts['']}"
            return
        for value, count in sorted(self.counts.items()):
            yield f"{self.name}{_braces(((self.label, value),))} {count}"


@define
class Reading:
    """Is read off when somebody asks."""

    name: str
    meaning: str
    read: Callable[[], float | Mapping[str, float]]
    label: str | None = None
    kind: str = "gauge"

    def samples(self) -> Iterable[str]:
        """Return the present values."""
        value = self.read()
        if isinstance(value, Mapping):
            for each, number in value.items():
                yield f"{self.name}{_braces(((self.label or 'of', each),))} {_number(number)}"
        else:
            yield f"{self.name} {_number(value)}"


@define
class Histogram:
    """Counts how often values fall below certain bounds."""

    name: str
    meaning: str
    bounds: Sequence[float]
    label: str | None = None
    kind: str = field(default="histogram", init=False)
    _counts: dict[str, list[int]] = Factory(dict)
    _sums: dict[str, float] = Factory(dict)

    def observe(self, value: float, label: str = "") -> None:
        """Count a value."""
        counts = self._counts.setdefault(label, [0] * (len(self.bounds) + 1))
        counts[bisect_left(self.bounds, value)] += 1
        self._sums[label] = self._sums.get(label, 0.0) + value

    def samples(self) -> Iterable[str]:
        """Return the buckets, each with all that is below it, the sum and the count."""
        for label, counts in sorted(self._counts.items()):
            labels: Labels = ((self.label, label),) if self.label else ()
            total = 0
            for bound, count in zip((*map(str, self.bounds), "+Inf"), counts, strict=True):
                total += count
                yield f"{self.name}_bucket{_braces((*labels, ('le', bound)))} {total}"
            yield f"{self.name}_sum{_braces(labels)} {_number(self._sums[label])}"
            yield f"{self.name}_count{_braces(labels)} {total}"


def exposition(metrics: Iterable[Metric]) -> str:
    """Write everything as text."""
    lines: list[str] = []
    for metric in metrics:
        lines.append(f"# HELP {metric.name} {metric.meaning}")
        lines.append(f"# TYPE {metric.name} {metric.kind}")
        lines.extend(metric.samples())
    return "\n".join(lines) + "\n"


def _braces(labels: Labels) -> str:
    if not labels:
        return ""
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels) + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(round(value, 6))

"""Measuring a written file in the plainest way: csv, counters and fractions, nothing of the engine."""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

Row = tuple[str, ...]


def read(path: Path, delimiter: str = ",") -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8-sig") as stream:
        return list(csv.DictReader(stream, delimiter=delimiter))


def classes(rows: list[dict[str, str]], names: list[str]) -> dict[Row, list[dict[str, str]]]:
    """Rows by what their quasi-identifiers say; rows that are all ``*`` left out."""
    found = defaultdict(list)
    for row in rows:
        key = tuple(row[name] for name in names)
        if set(key) != {"*"}:
            found[key].append(row)
    return found


def suppressed(rows: list[dict[str, str]], names: list[str]) -> int:
    return sum(all(row[name] == "*" for name in names) for row in rows)


def equal_distance(values: list[str], whole: list[str]) -> float:
    here, there = Counter(values), Counter(whole)
    return sum(abs(here[v] / len(values) - there[v] / len(whole)) for v in there) / 2


def granularity(
    before: list[dict[str, str]], after: list[dict[str, str]], names: list[str], folder: Path
) -> float:
    """1 - (mean row sum of shares - Σ1/N) / (m - Σ1/N), by hierarchy files; every new value must stand above
    the old one."""
    total = least = 0.0
    for name in names:
        table = [
            line.split(";") for line in (folder / f"adult_hierarchy_{name}.csv").read_text().splitlines()
        ]
        path = {line[0]: line for line in table}
        under = [Counter(line[level] for line in table) for level in range(len(table[0]))]
        least += 1 / len(table)
        for old, new in zip(before, after, strict=True):
            level = path[old[name]].index(new[name])
            total += under[level][new[name]] / len(table)
    m = len(names)
    return 1 - (total / len(before) - least) / (m - least)


def ncp(before: list[dict[str, str]], after: list[dict[str, str]], names: list[str]) -> float:
    """Mean penalty of a cell that is a value, an interval ``[a,b]``, or a set ``{a;b}``; it must cover the old."""
    total = 0.0
    for name in names:
        values = {row[name] for row in before}
        numbers = [float(v) for v in values] if all(re.fullmatch(r"-?[0-9.]+", v) for v in values) else None
        for old, new in zip(before, after, strict=True):
            if new[name] == "*":
                total += 1
            elif numbers is not None and new[name].startswith("["):
                low, high = map(float, new[name][1:-1].split(","))
                assert low <= float(old[name]) <= high
                total += (high - low) / (max(numbers) - min(numbers))
            elif new[name].startswith("{"):
                inside = set(new[name][1:-1].split(";"))
                assert old[name] in inside
                assert inside <= values
                total += len(inside) / len(values)
            else:
                assert new[name] == old[name]
    return total / len(before) / len(names)


def ordered_distance(values: list[str], whole: list[str]) -> float:
    """Steps between neighbouring numbers, a missing value before all of them, the whole range being 1."""
    support = sorted(set(whole), key=lambda value: (value != "", float(value or 0)))
    here, there = Counter(values), Counter(whole)
    moved = total = 0.0
    for value in support[:-1]:
        moved += here[value] / len(values) - there[value] / len(whole)
        total += abs(moved)
    return total / max(len(support) - 1, 1)


def tree_distance(values: list[str], whole: list[str], parent: dict[str, str]) -> float:
    """A tree of two levels: what cannot stay under its parent moves all the way, the rest half of it."""
    here, there = Counter(values), Counter(whole)
    extra: dict[str, list[float]] = defaultdict(list)
    for value in there:
        extra[parent[value]].append(here[value] / len(values) - there[value] / len(whole))
    inside = sum(min(sum(x for x in g if x > 0), -sum(x for x in g if x < 0)) for g in extra.values())
    return inside / 2 + sum(max(sum(g), 0.0) for g in extra.values())


# -- missing sensitive values: the stricter reading, by filling in ---------------------------------

UNKNOWN = (None, "", "*")


def with_the_most_frequent(values: Sequence[str | None]) -> list[int]:
    """How often each value occurs, in falling order, if all missing ones are the most frequent one."""
    counts = sorted(Counter(v for v in values if v not in UNKNOWN).values(), reverse=True) or [0]
    return [counts[0] + sum(v in UNKNOWN for v in values), *counts[1:]]


def as_two_values(values: Sequence[str | None], whole: Sequence[str | None]) -> tuple[list[str], list[str]]:
    """A class and the whole table in which missing values of the class are one value, those elsewhere another."""
    here = ["?here" if v in UNKNOWN else str(v) for v in values]
    rest = (Counter(whole) - Counter(values)).elements()
    return here, [*here, *("?there" if v in UNKNOWN else str(v) for v in rest)]


def worst_ordered_distance(values: Sequence[str | None], whole: Sequence[str | None]) -> float:
    """The greater one at every step of: those of the class lowest and those elsewhere highest, or the other way."""
    here, there = as_two_values(values, whole)
    support = sorted({v for v in there if not v.startswith("?")}, key=float)

    def sums(fill: dict[str, str]) -> list[float]:
        mine, every = Counter(fill.get(v, v) for v in here), Counter(fill.get(v, v) for v in there)
        return list(accumulate(mine[v] / len(here) - every[v] / len(there) for v in support[:-1]))

    if len(support) < 2:
        return 0.0
    ends = {"?here": support[0], "?there": support[-1]}, {"?here": support[-1], "?there": support[0]}
    return sum(max(abs(a), abs(b)) for a, b in zip(*map(sums, ends), strict=True)) / (len(support) - 1)

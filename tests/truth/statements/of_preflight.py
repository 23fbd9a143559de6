"""What ``deid preflight`` prints, worked out by going through the four solutions of two columns that are kept or become ``*``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from math import prod
from typing import Any

from tests.truth.statements import Statement, says
from tests.truth.statements.of_commands import _EACH, _QI, Printed, _alone, _coarse, _printed
from tests.truth.tables import Row, people

_FIVE = ("--k", "5", "--suppression-limits", "0")


def _of(rows: Sequence[Row], *more: str) -> Printed:
    return _printed(
        "preflight",
        [{name: value for name, value in row.items() if name != "病历号"} for row in rows],
        *_QI,
        *_EACH,
        *more,
    )


TABLES: Mapping[str, Callable[[], Printed]] = {
    "all alike": lambda: _of(_coarse(people()), *_FIVE),
    "one alone": lambda: _of(_alone(), *_FIVE),
    "one alone, who may go": lambda: _of(_alone(), "--k", "5", "--suppression-limits", "0.05"),
    "more people": lambda: _of(_coarse(people(80)), *_FIVE),
    "too varied": lambda: _of(_coarse(people()), *_FIVE, "--sa", "诊断", "--l", "9"),
    "too varied, more tried": lambda: _of(
        _coarse(people()), "--k", "2,5", "--suppression-limits", "0,0.05", "--sa", "诊断", "--l", "9"
    ),
}


@cache
def judge(name: str) -> Printed:
    return TABLES[name]()


def _k(p: Printed) -> int:
    return max(map(int, p.given("--k").split(",")))


def _limit(p: Printed) -> float:
    return max(map(float, p.given("--suppression-limits").split(",")))


def _varied(p: Printed) -> bool:
    """Whether more illnesses are wanted in a class than there are."""
    return "--l" in p.options


def _classes(p: Printed, levels: Mapping[str, int]) -> Counter[Any]:
    return Counter(tuple("*" if level else row[name] for name, level in levels.items()) for row in p.rows)


def _lost(p: Printed, levels: Mapping[str, int]) -> tuple[float, dict[str, float]] | None:
    """The share of the rows that is suppressed and of each column's detail that is lost; None where too many are."""
    gone = sum(size for size in _classes(p, levels).values() if size < _k(p)) / len(p.rows)
    if gone > _limit(p) or _varied(p):
        return None
    return gone, {name: 1.0 if level else gone for name, level in levels.items()}


def _loss(lost: Mapping[str, float]) -> float:
    return prod(1 + share for share in lost.values()) ** (1 / len(lost)) - 1


def _best(p: Printed, columns: Sequence[str], lowest: Mapping[str, int]) -> dict[str, int] | None:
    heights = (
        dict(zip(columns, found, strict=True))
        for found in product(*(range(lowest.get(name, 0), 2) for name in columns))
    )
    found = [(round(_loss(lost[1]), 9), levels) for levels in heights if (lost := _lost(p, levels))]
    return min(found, key=lambda one: one[0])[1] if found else None


def _kept(p: Printed, lost: Mapping[str, float]) -> float:
    """Granularity: of the detail that the columns could lose, what is left."""
    room = {name: 1 - 1 / len({row[name] for row in p.rows}) for name in lost}
    return 1 - sum(share * room[name] for name, share in lost.items()) / sum(room.values())


def _point(p: Printed) -> Any:
    levels = _best(p, p.quasi, {})
    if levels is None:
        return []
    gone, lost = _lost(p, levels) or (0.0, {})
    classes = sum(size >= _k(p) for size in _classes(p, levels).values())
    return {
        "a": _k(p), "b": f"{_limit(p):g}", "c": f"{gone:.4f}", "d": classes, "e": f"{_loss(lost):.4f}", "f": "",
        "g": f"{_kept(p, lost):.4f}", "h": ", ".join(f"{name} {level}" for name, level in levels.items()),
    }  # fmt: skip


def _changes(p: Printed) -> Iterator[tuple[dict[str, str], dict[str, int] | None]]:
    """Each change in words, and the best solution after it."""
    now = _best(p, p.quasi, {})
    for name in p.quasi:
        yield {"a": name, "b": "left out"}, _best(p, [one for one in p.quasi if one != name], {})
        if now is not None and not now[name]:
            yield {"a": name, "b": "at least one level coarser"}, _best(p, p.quasi, {name: 1})


def _gains(p: Printed) -> Any:
    now = _best(p, p.quasi, {})
    before = 0.0 if now is None else _kept(p, (_lost(p, now) or (0, {}))[1])
    for said, levels in _changes(p):
        if levels is not None:
            gone, lost = _lost(p, levels) or (0.0, {})
            yield said | {
                "c": f"{_kept(p, lost) - before:+.4f}",
                "d": f"{_loss(lost):.4f}",
                "e": f"{gone:.4f}",
            }


_ALL = " | ".join(TABLES)
STATEMENTS: list[Statement] = [
    says("%(a)s rows, %(b)s solutions", _ALL, lambda p: {"a": len(p.rows), "b": 4}),
    says("with k %(a)s and limit", _ALL, lambda p: {"a": _k(p), "b": f"{_limit(p):g}"}),
    says("k %(a)s, limit %(b)s: suppressed", _ALL, _point),
    says("  %(a)s %(b)s: no solution found", _ALL, lambda p: [said for said, found in _changes(p) if found is None]),
    says("  %(a)s %(b)s: granularity", _ALL, lambda p: list(_gains(p))),
    says("no solution found for any pair", _ALL, lambda p: [
        {"a": len(p.given("--k").split(",")) * len(p.given("--suppression-limits").split(","))}] if _varied(p) else []),
]  # fmt: skip

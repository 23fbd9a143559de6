"""Samples and made-up rows: what is estimated of them, what they cost, and how close they come to real ones."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

from projects.core.numbers import number, percent
from tests.truth.statements import Statement, Tables, says
from tests.truth.statements.of_classes import _visits
from tests.truth.statements.of_runs import _one_alone, _private
from tests.truth.tables import Judged, Row, people, ran, step

_SAMPLING = "statistical.sampling"
_TREES = "synthesis.sequential"


def _drawn(rows: Any, **settings: Any) -> Judged:
    key = ("病历号",) if "病历号" in rows[0] else ()
    column = "诊断" if settings.get("method") else "性别"
    return ran(rows, step(_SAMPLING, column, **settings), key=key)


def _uneven() -> list[Row]:
    """Two of sixty have an illness of which one has to be drawn, and so a greater chance than the others."""
    return [{**row, "诊断": "罕见病"} if n < 2 else dict(row) for n, row in enumerate(people(60))]


def _alone_in_uneven() -> list[Row]:
    return [{**row, "年龄": str(20 + n)} for n, row in enumerate(_uneven())]


def _visits_alone() -> list[Row]:
    return [{**row, "年龄": str(20 + n)} for n, row in enumerate(_visits())]


def _coded() -> list[Row]:
    """Everybody has a code that nobody else has."""
    return [{"性别": row["性别"], "诊断": f"编码甲{n * 7919 % 1000:03}"} for n, row in enumerate(people(200))]


TABLES: Tables = {
    "no sample": lambda: ran(people()),
    "sample": lambda: _drawn(people(), fraction=0.5),
    "sample of one alone": lambda: _drawn(_one_alone(60), fraction=0.9),
    "uneven strata": lambda: _drawn(_uneven(), fraction=0.2, method="stratified"),
    "uneven strata, all different": lambda: _drawn(_alone_in_uneven(), fraction=0.2, method="stratified"),
    "persons": lambda: _drawn(_visits(), fraction=0.5),
    "persons, all different": lambda: _drawn(_visits_alone(), fraction=0.5),
    "persons by group": lambda: _drawn(_visits(), fraction=0.4, method="cluster"),
    "private": lambda: _private(1),
    "private twice": lambda: _private(1, 0.5),
    "trees": lambda: ran(people(200), step(_TREES, "性别", "年龄", leaf_rows=20)),
    "trees of codes": lambda: ran(
        _coded(), step(_TREES, "性别", "诊断", leaf_rows=5, minimum_count=1, held_out=0.5)
    ),
}


@cache
def judge(name: str) -> Judged:
    return TABLES[name]()


def _step(j: Judged, technique: str) -> Any:
    return next((one for one in j.steps if one["technique"] == technique), None)


def _is_sample(j: Judged, *, persons: bool) -> bool:
    return _step(j, _SAMPLING) is not None and (j.whose is not None) is persons


def _chances(j: Judged) -> set[float]:
    """With which chance each record came into the sample: that of its stratum, or the same for all."""
    if _step(j, _SAMPLING)["parameters"].get("method") != "stratified":
        return {len(j.written) / len(j.source)}
    fraction = _step(j, _SAMPLING)["parameters"]["fraction"]
    return {max(fraction, 1 / size) for size in j.counts("诊断").values()}


def _random(j: Judged) -> Any:
    """Where chances differ and nobody was certain, the greatest of them."""
    if not _is_sample(j, persons=False) or len(_chances(j)) == 1 or max(_chances(j)) == 1:
        return []
    return {"share": percent(len(j.written) / len(j.source)), "chance": percent(max(_chances(j)))}


def _uniques(j: Judged) -> int:
    return sum(size == 1 for size in j.sizes)


def _estimated(j: Judged) -> Any:
    """The estimate lies between none and as many as are unique in the sample; by which model the run says."""
    if not _is_sample(j, persons=False) or not _uniques(j) or len(_chances(j)) > 1:
        return []
    assert j.found.report.risk is not None
    said = j.found.report.risk.sample["population_uniqueness"]
    assert 0 <= said["share"] <= _uniques(j) / len(j.written) + 1e-9
    return {"uniques": _uniques(j), "share": percent(said["share"]), "model": said["chosen"]}


def _of_persons(j: Judged) -> Any:
    return {"uniques": _uniques(j)} if _is_sample(j, persons=True) else []


def _by_group(j: Judged) -> Any:
    if not _is_sample(j, persons=True) or _step(j, _SAMPLING)["parameters"].get("method") != "cluster":
        return []
    return {"share": percent(len(set(j.whose or ())) / len({row["病历号"] for row in j.source}))}


_WORDS = {"columns": "single columns", "choices": "choices of pairs", "pairs": "pairs of columns"}


def _ledger(j: Judged) -> Any:
    """What was spent adds up to the ε of the step, where it is counted in ε."""
    for one in j.report["steps"]:
        if "ledger" not in (one.get("result") or {}):
            continue
        entries, unit = one["result"]["ledger"], one["result"]["ledger_unit"]
        if unit == "epsilon":
            assert abs(sum(e["times"] * e["each"] for e in entries) - one["result"]["epsilon"]) < 1e-4
        spent = ", ".join(f"{_WORDS[e['what']]} {e['times']} × {number(e['each'])}" for e in entries)
        yield {"unit": {"epsilon": "ε", "rho": "ρ"}[unit], "spent": spent}


def _made_up(j: Judged) -> bool:
    return any(one["technique"].startswith("synthesis") for one in j.steps)


def _copies(j: Judged) -> bool:
    """Whether made-up rows are those of persons, each of whom has a row that nobody else has."""
    names = [*j.written[0]]
    before = Counter(tuple(row[name] for name in names) for row in j.source)
    after = [before[tuple(row[name] for name in names)] for row in j.written]
    return _made_up(j) and max(before.values()) == 1 and sum(after) > 0.5 * len(after)


def _distance(j: Judged) -> Any:
    """Of the pair of columns, held to what the rows of source and result give: a tenth of the former was not learned from."""
    for one in j.report["steps"]:
        said = (one.get("result") or {}).get("comparison", {}).get("pairs_mean")
        if said is None:
            continue
        pairs = [
            Counter(tuple(row[name] for name in one["columns"]) for row in of) for of in (j.source, j.written)
        ]
        shares = [{pair: n / found.total() for pair, n in found.items()} for found in pairs]
        real = sum(abs(shares[0].get(p, 0) - shares[1].get(p, 0)) for p in {*shares[0], *shares[1]}) / 2
        if len(pairs[0]) < 16:
            assert abs(said - real) < 0.06
        yield {"distance": percent(said)}


_SAMPLES = "no sample | sample | sample of one alone | uneven strata | uneven strata, all different | persons"
_MADE = "no sample | private | private twice | trees | trees of codes"
STATEMENTS: list[Statement] = [
    says("into which nobody came with a chance above", _SAMPLES, _random),
    says("%(uniques)d classes of the sample", "sample | persons | persons, all different", _of_persons),
    says("how many are in the source is not estimated, because", _SAMPLES, lambda j: [
        {"uniques": _uniques(j)} for one in [_is_sample(j, persons=False)] if one and _uniques(j) and len(_chances(j)) > 1]),
    says("about %(share)s of all records are unique in the source", _SAMPLES, _estimated),
    says("%(share)s of the persons have rows in the groups", "sample | persons | persons by group", _by_group),
    says("Spent of the budget", _MADE, lambda j: list(_ledger(j))),
    says("They are too close to real rows", _MADE, _copies),
    says("Two columns together differ", _MADE, lambda j: list(_distance(j))),
]  # fmt: skip

"""What the steps of a run did and found, what of it is to be weighed, and what lies between two tables."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from functools import cache
from statistics import median, pstdev
from typing import Any

from projects.core.numbers import count, number, percent
from tests.truth.statements import Statement, Tables, says
from tests.truth.statements.of_classes import _visits
from tests.truth.tables import ROLES, Judged, judged, kept, people, ran, step


def _priced(rows: int = 60, rich: int = 0) -> list[dict[str, str]]:
    """People with a fee; the first ``rich`` of them pay a thousand times as much as others."""
    return [
        {**row, "费用": str((100 + number * 7) * (1000 if number < rich else 1))}
        for number, row in enumerate(people(rows))
    ]


def _aggregated(statistic: str, rows: Any, least: int = 5, **more: Any) -> Judged:
    gone = step("suppression.remove_column", *({"姓名", "手机", "病历号", "诊断"} & {*rows[0]}))
    by = step(
        "statistical.aggregation",
        "性别",
        "年龄",
        "费用",
        statistics={"费用": statistic},
        minimum_count=least,
        maximum_share=0.5,
    )
    return ran(rows, by, gone, suppression_limit=0.5, **more)


def _visits_priced(rich: bool) -> list[dict[str, str]]:
    """Visits with a fee; the three visits of one patient cost as much as all others together if she is ``rich``."""
    return [
        {**row, "费用": str(100 + n * 7 + 9000 * (rich and row["病历号"] == _visits()[1]["病历号"]))}
        for n, row in enumerate(_visits())
    ]


_DOMAINS = {"性别": "男|女", "年龄": "20-39|40-59"}


def _private(*epsilons: float, **targets: Any) -> Judged:
    """Columns made up from noisy counts, each step by a budget of its own."""
    columns = [["性别", "年龄"]] if len(epsilons) == 1 else [["性别"], ["年龄"]]
    steps = [
        step("synthesis.private", *names, epsilon=epsilon, domains={name: _DOMAINS[name] for name in names})
        for names, epsilon in zip(columns, epsilons, strict=True)
    ]
    return ran(people(200), *steps, **targets)


def _trees(*columns: str, **targets: Any) -> Judged:
    return ran(people(200), step("synthesis.sequential", *columns, leaf_rows=20), **targets)


def _one_alone(rows: int) -> list[dict[str, str]]:
    return [{**row, "年龄": "80-99"} if number == 7 else dict(row) for number, row in enumerate(people(rows))]


def _rarely_ill() -> list[dict[str, str]]:
    """One person alone has an illness."""
    return [{**row, "诊断": "罕见病"} if number == 7 else dict(row) for number, row in enumerate(people())]


def _private_visits(**targets: Any) -> Judged:
    rows = [{**row, "病历号": f"M{n % 150:07}"} for n, row in enumerate(_unnamed(people(200)))]
    return ran(
        rows,
        step("synthesis.private", "性别", "年龄", epsilon=1, domains=_DOMAINS),
        key=("病历号",),
        **targets,
    )


def _in_wards() -> list[dict[str, str]]:
    """Visits, each patient's all for one illness."""
    return _visits()


def _four_together() -> list[dict[str, str]]:
    return [{**row, "年龄": str(20 + number % 3)} for number, row in enumerate(people())]


def _pseudonyms(**settings: Any) -> Judged:
    return ran(people(), step("pseudonymization.keyed_hash", "手机", **settings))


def _private_of_rows() -> Judged:
    """Made up by a run that knew of no persons, and judged where persons are known."""
    made = _private(1)
    source = [{**row, "病历号": f"M{n % 150:07}"} for n, row in enumerate(made.source)]
    whose = [row["病历号"] for row in source]
    return judged(
        source,
        made.written,
        whose=whose,
        key=("病历号",),
        roles=ROLES,
        case={"steps": made.report["steps"]},
        epsilon=2,
    )


def _untested() -> Judged:
    made = _trees("性别", "年龄", "诊断")
    steps = [
        {**one, "result": {"rows": 1}} if one["technique"] == "synthesis.sequential" else one
        for one in made.report["steps"]
    ]
    return judged(made.source, made.written, case={"steps": steps})


def _copied(*, nearer: bool) -> Judged:
    """What a test of made-up rows may find: more of them equal real rows, or they lie close to these too."""
    made = _trees("性别", "年龄", "诊断")
    steps = [dict(one) for one in made.report["steps"]]
    for one in steps:
        if "closeness" in (one.get("result") or {}):
            close = one["result"]["closeness"] | {"exact_match_share": 0.5, "too_close": True}
            close |= {"nearer_than_held_out": 0.99, "judged": 0.99} if nearer else {}
            one["result"] = one["result"] | {"closeness": close}
    return judged(made.source, made.written, case={"steps": steps})


def _by_copies(j: Judged) -> bool:
    found = [(one.get("result") or {}).get("closeness") for one in j.case.steps]
    return any(one["too_close"] and one["judged"] <= one["limit"] for one in found if one)


def _unnamed(rows: Any) -> list[dict[str, str]]:
    return [{name: row[name] for name in ("性别", "年龄", "诊断")} for row in rows]


_SAMPLE = step("statistical.sampling", "性别", fraction=0.5)
_HIERARCHIES = {
    "性别": {"kind": "star"},
    "年龄": {"kind": "table", "rows": [["20-39", "<60"], ["40-59", "<60"], ["80-99", "≥60"]]},
}


def _model(rows: Any = (), *, key: tuple[str, ...] = (), **settings: Any) -> Judged:
    settings = {"k": 5, "hierarchies": _HIERARCHIES, "suppression_limit": 0.1} | settings
    return ran(rows, step("model.k_anonymity", "性别", "年龄", **settings), key=key)


TABLES: Tables = {
    "safe": judged,
    "mean": lambda: _aggregated("mean", _priced()),
    "mean, one rich": lambda: _aggregated("mean", _priced(rich=1)),
    "count": lambda: _aggregated("count", _priced()),
    "median": lambda: _aggregated("median", _priced()),
    "median of four": lambda: _aggregated("median", _priced(18), least=3),
    "median of persons": lambda: _aggregated("median", _visits_priced(False)[:16], least=2, key=("病历号",)),
    "maximum": lambda: _aggregated("maximum", _priced()),
    "mean of persons": lambda: _aggregated("mean", _visits_priced(False), key=("病历号",)),
    "mean of persons, one rich": lambda: _aggregated("mean", _visits_priced(True), key=("病历号",)),
    "maximum of persons": lambda: _aggregated("maximum", _visits_priced(False), key=("病历号",)),
    "larger groups of persons": lambda: _aggregated(
        "mean",
        [
            {**row, "年龄": "40-59" if n == 0 else "20-39" if n < 4 else row["年龄"]}
            for n, row in enumerate(_visits_priced(False))
        ],
        least=6,
        key=("病历号",),
    ),
    "mean, one group small": lambda: _aggregated(
        "mean", [{**row, "年龄": "80-99"} if n < 3 else row for n, row in enumerate(_priced())]
    ),
    "private": lambda: _private(1),
    "private, budget kept": lambda: _private(1, epsilon=2),
    "private twice, budget kept": lambda: _private(1, 0.5, epsilon=2),
    "private, generous": lambda: _private(50),
    "trees, budget asked": lambda: _trees("性别", "年龄", epsilon=2),
    "trees": lambda: _trees("性别", "年龄", "诊断"),
    "trees beside real ones": lambda: _trees("性别", "年龄"),
    "sample": lambda: ran(people(), _SAMPLE),
    "sample of one alone": lambda: ran(_one_alone(60), step("statistical.sampling", "性别", fraction=0.9)),
    "smaller sample": lambda: ran(people(80), step("statistical.sampling", "性别", fraction=0.25)),
    "sample of persons": lambda: ran(
        _visits(), step("statistical.sampling", "性别", fraction=0.5), key=("病历号",)
    ),
    "smaller sample of persons": lambda: ran(
        _visits(), step("statistical.sampling", "性别", fraction=0.25), key=("病历号",)
    ),
    "sample by illness": lambda: ran(
        _rarely_ill(),
        step("statistical.sampling", "诊断", fraction=0.5, method="stratified"),
    ),
    "private by person": lambda: _private_visits(),
    "private by person, budget kept": lambda: _private_visits(epsilon=2),
    "sample of persons by group": lambda: ran(
        _in_wards(), step("statistical.sampling", "诊断", fraction=0.4, method="cluster"), key=("病历号",)
    ),
    "pseudonyms of the project": lambda: _pseudonyms(joinable="project"),
    "pseudonyms of a purpose": lambda: _pseudonyms(joinable="purpose", purpose="study"),
    "pseudonyms for once": lambda: _pseudonyms(joinable="never"),
    "all at the top": lambda: _model(
        _four_together(), k=20, hierarchies={"性别": {"kind": "star"}, "年龄": {"kind": "star"}}
    ),
    "all at the top, by steps": lambda: _model(
        _four_together(),
        k=20,
        hierarchies={"性别": {"kind": "star"}, "年龄": {"kind": "intervals", "widths": [2]}},
    ),
    "private, budget for persons": lambda: _private_of_rows(),
    "no test of the made-up": lambda: _untested(),
    "copies among the made-up": lambda: _copied(nearer=False),
    "made-up rows close to real ones": lambda: _copied(nearer=True),
    "cells emptied": lambda: ran(
        _one_alone(60), step("suppression.rare_combinations", "性别", "年龄", minimum_count=5)
    ),
    "k": lambda: _model(),
    "k of one alone": lambda: _model(_one_alone(60)),
    "k by local recoding": lambda: _model(_one_alone(60), recoding="local"),
    "k of persons": lambda: _model(_visits(), key=("病历号",)),
    "k by another loss": lambda: _model(_one_alone(60), loss="discernibility"),
    "names shared": lambda: ran(
        people(), step("pseudonymization.name_dictionary", "姓名", names=["阿大", "阿二", "阿三"])
    ),
    "names of their own": lambda: ran(
        people(), step("pseudonymization.name_dictionary", "姓名", mode="one_to_one", size=500)
    ),
    "capped": lambda: ran(
        _priced(),
        step("generalization.top_bottom_coding", "费用", top_rows=10, bottom_rows=5, result="threshold"),
    ),
    "capped above": lambda: ran(
        _priced(), step("generalization.top_bottom_coding", "费用", top_rows=20, result="threshold")
    ),
    "noise": lambda: ran(_priced(), step("randomization.noise", "费用", spread=0.2, unit="deviation")),
    "more noise": lambda: ran(_priced(), step("randomization.noise", "费用", spread=0.5, unit="deviation")),
    "rare values": lambda: ran(
        [{**row, "诊断": "罕见病"} if n < 2 else dict(row) for n, row in enumerate(people())],
        step("suppression.rare_values", "诊断", minimum_count=5),
    ),
    "illnesses by a key": lambda: ran(people(), step("encryption.deterministic", "诊断")),
    "phones by a key": lambda: ran(people(), step("encryption.deterministic", "手机")),
    "two techniques by a key": lambda: ran(
        people(), step("encryption.deterministic", "手机"), step("pseudonymization.keyed_hash", "姓名")
    ),
    "tokens that came": lambda: judged(_tokens()),
    "spellings of their own": lambda: _normalised(0),
    "spellings": lambda: _normalised(3),
    "more spellings": lambda: _normalised(6),
}


def _normalised(otherwise: int) -> Judged:
    """Illnesses in one form, of which so many were written otherwise: with a blank before, in wide letters or in small ones."""
    ways = ["  flu ", "ＦＬＵ", "Flu"]
    return ran(
        [
            {**row, "诊断": ways[n % 3] if n < otherwise else "FLU" if n < 9 else row["诊断"]}
            for n, row in enumerate(people())
        ],
        step("preparation.normalise", "诊断", case="upper", blanks="single", width=True),
        kept("诊断"),
    )


def _merged(j: Judged) -> int:
    """Values of the source that only case, width or blanks set apart from another one."""
    before = {row["诊断"] for row in j.source}
    return len(before) - len({"FLU" if one.strip().upper() in ("FLU", "ＦＬＵ") else one for one in before})


def _tokens() -> list[dict[str, str]]:
    draw = random.Random(5)
    return [{**row, "备注": f"{draw.randrange(16**32):032x}"} for row in people()]


@cache
def judge(name: str) -> Judged:
    return TABLES[name]()


def _steps(j: Judged, technique: str) -> list[dict[str, Any]]:
    return [one for one in j.steps if one["technique"] == technique]


def _statistic(j: Judged) -> str:
    return next((one["parameters"]["statistics"]["费用"] for one in _steps(j, "statistical.aggregation")), "")


def _groups(j: Judged) -> dict[tuple[str, ...], dict[Any, list[float]]]:
    """Group → contributor → what it contributes."""
    found: dict[tuple[str, ...], dict[Any, list[float]]] = defaultdict(lambda: defaultdict(list))
    for place, row in enumerate(j.source):
        found[row["性别"], row["年龄"]][row.get("病历号", place)].append(float(row["费用"]))
    return found


def _published(j: Judged) -> list[dict[Any, list[float]]]:
    least = _steps(j, "statistical.aggregation")[0]["parameters"]["minimum_count"]
    return [group for group in _groups(j).values() if len(group) >= least]


def _by_persons(j: Judged) -> bool:
    return "病历号" in j.source[0]


def _dominated(j: Judged, *, persons: bool) -> Any:
    """Figures with two contributors above 85 %, or whose first the second estimates within 10 %."""
    if _statistic(j) != "mean" or _by_persons(j) is not persons:
        return []
    bad, share = 0, 0.0
    for group in _published(j):
        sizes = sorted((sum(values) for values in group.values()), reverse=True)
        whole, (first, second) = sum(sizes), sizes[:2]
        share = max(share, first / whole)
        bad += whole - first - second < 0.1 * first or first + second > 0.85 * whole
    return {"cells": len(_published(j)), "column": "费用", "bad": bad, "share": percent(round(share, 6))}


def _held_by_few(j: Judged, *, persons: bool) -> Any:
    if _statistic(j) != "maximum" or _by_persons(j) is not persons:
        return []
    bad = 0
    for group in _published(j):
        greatest = max(max(values) for values in group.values())
        bad += sum(greatest in values for values in group.values()) < 5
    return {"cells": len(_published(j)), "column": "费用", "bad": bad}


def _one_sided(j: Judged, *, persons: bool) -> Any:
    """Medians with fewer than three contributors at or on one side of them."""
    if _statistic(j) != "median" or _by_persons(j) is not persons:
        return []
    bad = 0
    for group in _published(j):
        middle = median([value for values in group.values() for value in values])
        below = sum(min(values) <= middle for values in group.values())
        above = sum(max(values) >= middle for values in group.values())
        bad += min(below, above) < 3
    return {"cells": len(_published(j)), "column": "费用", "bad": bad} if bad else []


def _counted(j: Judged, *, persons: bool) -> Any:
    if not _statistic(j) or _by_persons(j) is not persons:
        return []
    least = _steps(j, "statistical.aggregation")[0]["parameters"]["minimum_count"]
    return {
        "groups": count(len(_published(j))),
        "small": count(len(_groups(j)) - len(_published(j))),
        "least": least,
    }


def _made_up(j: Judged) -> list[str]:
    return [name for one in j.steps if one["technique"].startswith("synthesis") for name in one["columns"]]


def _epsilons(j: Judged) -> list[float]:
    return [one["parameters"]["epsilon"] for one in _steps(j, "synthesis.private")]


def _closeness(j: Judged) -> list[dict[str, Any]]:
    return [
        one["result"]["closeness"]
        for one in j.report.get("steps", ())
        if "closeness" in (one.get("result") or {})
    ]


def _delta(j: Judged) -> float:
    return next(one["result"]["delta"] for one in j.report["steps"] if "delta" in (one.get("result") or {}))


def _is_model(j: Judged) -> bool:
    return bool(_steps(j, "model.k_anonymity"))


def _same_class(j: Judged, *, persons: bool) -> Any:
    if not _is_model(j) or (j.whose is not None) is not persons:
        return []
    return {"classes": count(len(j.classes)), "smallest": count(j.k), "k": 5}


def _local(j: Judged) -> bool:
    return _is_model(j) and _steps(j, "model.k_anonymity")[0]["parameters"]["recoding"] == "local"


def _gone(j: Judged) -> Any:
    found = _steps(j, "statistical.sampling")
    return {"share": percent(len(j.written) / len(j.source))} if found else []


def _persons_in(j: Judged) -> Any:
    """The share of the persons of the source who are in the result."""
    if not _steps(j, "statistical.sampling") or j.whose is None:
        return []
    return {"share": percent(len(set(j.whose)) / len({row["病历号"] for row in j.source}))}


def _one_of_each(j: Judged) -> int:
    """Records that are alone in their stratum, and so drawn for certain."""
    drawn = [one for one in _steps(j, "statistical.sampling") if one["parameters"]["method"] == "stratified"]
    return sum(n for n in j.counts("诊断").values() if n == 1) if drawn else 0


def _private_said(j: Judged, *, by_person: bool) -> Any:
    if not _epsilons(j) or (j.whose is not None) is not by_person:
        return []
    most = max(Counter(row.get("病历号", place) for place, row in enumerate(j.source)).values())
    return [{"epsilon": number(one), "delta": number(_delta(j)), "rows": count(most)} for one in _epsilons(j)]


def _spent(j: Judged, *, by_person: bool) -> Any:
    if not _epsilons(j) or j.risk.epsilon is None or (j.whose is not None) is not by_person:
        return []
    return {"steps": len(_epsilons(j)), "spent": number(sum(_epsilons(j))), "bound": number(j.risk.epsilon)}


def _tested(j: Judged) -> Any:
    for one in _closeness(j):
        yield {
            "nearer": percent(one["nearer_than_held_out"]), "member": percent(one["membership"]),
            "exact": percent(one["exact_match_share"]), "expected": percent(one["exact_match_share_held_out"]),
        }  # fmt: skip


def _uniques(j: Judged) -> int:
    return sum(size == 1 for size in j.sizes)


def _noise(j: Judged) -> Any:
    deviation = pstdev(float(row["费用"]) for row in j.source) if "费用" in j.source[0] else 0.0
    return [
        {"column": "费用", "value": number(round(one["parameters"]["spread"] * deviation, 6))}
        for one in _steps(j, "randomization.noise")
    ]


def _caps(j: Judged, side: str) -> Any:
    """The threshold is the value of all that lay beyond it."""
    of = max if side == "top" else min
    values = [float(row["费用"]) for row in j.written] if "费用" in j.written[0] else []
    before = [float(row["费用"]) for row in j.source] if "费用" in j.source[0] else []
    if not values or of(values) == of(before):
        return []
    return {"column": "费用", "value": f"{of(values):g}"}


def _names(j: Judged) -> Any:
    if not _steps(j, "pseudonymization.name_dictionary"):
        return []
    before, after = ({row["姓名"] for row in rows} for rows in (j.source, j.written))
    shared = len(before) - len(after)
    return (
        {"column": "姓名", "values": count(len(before)), "names": count(len(after)), "shared": count(shared)}
        if shared
        else []
    )


def _keyed(j: Judged) -> list[str]:
    named = [
        column
        for one in j.steps
        if one["technique"].startswith(("encryption", "pseudonymization.keyed"))
        for column in one["columns"]
    ]
    return [name for name in named if name in j.written[0]]


def _frequent(j: Judged) -> Any:
    for name in _keyed(j):
        counts = Counter(j.column(name))
        if (most := max(counts.values())) >= 0.05 * len(j.written):
            yield {"column": name, "values": len(counts), "share": percent(most / len(j.written))}


_GROUPED = "safe | mean | mean, one rich | mean of persons | mean of persons, one rich | count | median | median of four | maximum"
_JOINED = "pseudonyms of the project | pseudonyms of a purpose | pseudonyms for once | phones by a key"


def _joinable(j: Judged, how: str) -> Any:
    return [
        {"column": "手机", "purpose": one["parameters"].get("purpose", "")}
        for one in _steps(j, "pseudonymization.keyed_hash") if one["parameters"].get("joinable") == how
    ]  # fmt: skip


STATEMENTS: list[Statement] = [
    says("The %(cells)d figures of %(column)s are counts", _GROUPED,
         lambda j: {"cells": len(_published(j)), "column": "费用"} if _statistic(j) == "count" else []),
    says("The %(cells)d figures of %(column)s are medians", _GROUPED,
         lambda j: {"cells": len(_published(j)), "column": "费用"} if _statistic(j) == "median" and not (_one_sided(j, persons=False) or _one_sided(j, persons=True)) else []),
    says("%(bad)d are medians with fewer than three records on one side", "median | median of four | median of persons | mean",
         lambda j: _one_sided(j, persons=False)),
    says("%(bad)d are medians with fewer than three persons on one side", "median | median of four | median of persons | mean",
         lambda j: _one_sided(j, persons=True)),
    says("Form larger groups, or publish the mean", "median | median of four | median of persons | mean, one rich | maximum", lambda j: [
        {"column": "费用"}] if _one_sided(j, persons=False) or _one_sided(j, persons=True) else []),
    says("Of %(cells)d figures of %(column)s %(bad)d are dominated by one or two records", _GROUPED, lambda j: _dominated(j, persons=False)),
    says("Of %(cells)d figures of %(column)s %(bad)d are dominated by one or two persons", _GROUPED, lambda j: _dominated(j, persons=True)),
    says("Of %(cells)d figures of %(column)s %(bad)d are the exact value of a few records", "maximum | mean | maximum of persons",
         lambda j: _held_by_few(j, persons=False)),
    says("Of %(cells)d figures of %(column)s %(bad)d are the exact value of a few persons", "maximum | mean | maximum of persons",
         lambda j: _held_by_few(j, persons=True)),
    says("%(groups)s groups have figures; %(small)s of fewer than %(least)s rows", "mean | mean, one group small | mean of persons",
         lambda j: _counted(j, persons=False)),
    says("%(groups)s groups have figures; %(small)s of fewer than %(least)s persons", "mean | mean of persons | larger groups of persons",
         lambda j: _counted(j, persons=True)),
    says("%(column)s: %(bad)s of its figures are dominated by one or two records", "mean | mean, one rich | mean of persons, one rich", lambda j: [
        {"column": "费用", "bad": one["bad"]} for one in [_dominated(j, persons=False)] if one and one["bad"]]),
    says("%(column)s: %(bad)s of its figures are dominated by one or two persons", "mean of persons | mean, one rich | mean of persons, one rich", lambda j: [
        {"column": "费用", "bad": one["bad"]} for one in [_dominated(j, persons=True)] if one and one["bad"]]),
    says("%(columns)s were made up from row to row and no", "safe | trees | trees beside real ones", lambda j: [
        {"columns": ", ".join(name for name in j.written[0] if name in _made_up(j) and name != "诊断")}] if _made_up(j) else []),
    says("%(columns)s beside them are those of real", "safe | trees | trees beside real ones", lambda j: [
        {"columns": ", ".join(left)} for left in [[name for name in j.written[0] if name not in _made_up(j)]] if left and _made_up(j)]),
    says("No guarantee stands behind them", "safe | trees | private", lambda j: bool(_made_up(j)) and not _epsilons(j)),
    says("Differentially private: ε = %(epsilon)s, δ = %(delta)s, for the exchange of one row.", "trees | private | private, generous", lambda j: [
        {"epsilon": number(one), "delta": number(_delta(j))} for one in _epsilons(j)]),
    says("Rows were made up without a privacy budget", "trees | trees, budget asked | private, budget kept",
         lambda j: bool(_made_up(j)) and j.risk.epsilon is not None and not _epsilons(j)),
    says("%(steps)d steps spent ε = %(spent)s together, for the exchange of one row", "private | private, budget kept | private twice, budget kept",
         lambda j: _spent(j, by_person=False)),
    says("%(share)s of the rows were drawn.", "safe | sample | smaller sample", _gone),
    says("The result is a random sample of %(share)s of the source; nobody", "safe | sample | smaller sample", _gone),
    says("No record is unique in the sample", "safe | sample | sample of one alone",
         lambda j: bool(_steps(j, "statistical.sampling")) and not _uniques(j)),
    says("%(column)s: %(cells)s cells were emptied", "safe | cells emptied", lambda j: [
        {"column": name, "cells": count(n)} for name in ("性别", "年龄") for n in [j.column(name).count("")] if n]),
    says("%(column)s: %(values)s values became", "safe | names shared | names of their own", _names),
    says("%(column)s: capped above", "safe | capped | capped above", lambda j: _caps(j, "top")),
    says("%(column)s: capped below", "safe | capped | capped above", lambda j: _caps(j, "bottom")),
    says("%(column)s: %(values)s values were too rare", "safe | rare values", lambda j: [
        {"column": "诊断", "values": n} for n in [sum(n < 5 for n in j.counts("诊断").values())] if n]),
    says("%(column)s: the noise has", "safe | noise | more noise", _noise),
    says("%(classes)s groups of rows that look alike; the smallest has %(smallest)s rows", "safe | k | k of one alone | k of persons",
         lambda j: _same_class(j, persons=False)),
    says("%(classes)s groups of rows that look alike; the smallest has rows of", "k | k of persons", lambda j: _same_class(j, persons=True)),
    says("Each group is generalised by itself", "k | k by local recoding", _local),
    says("No allowed solution keeps more", "k | k by local recoding | k by another loss",
         lambda j: not _local(j) and j is not judge("k by another loss")),
    says("No allowed solution is better", "k | k by another loss", lambda j: j is judge("k by another loss")),
    says("“%(column)s” has %(values)d different ciphertexts", "phones by a key | illnesses by a key", lambda j: list(_frequent(j))),
    says("Steps %(numbers)s use different", "phones by a key | two techniques by a key",
         lambda j: {"numbers": "1, 2"} if len(_keyed(j)) > 1 else []),
    says("Differentially private: ε = %(epsilon)s, δ = %(delta)s, for the exchange of all rows", "private | private by person",
         lambda j: _private_said(j, by_person=True)),
    says("%(steps)d steps spent ε = %(spent)s together, for the exchange of all rows", "private, budget kept | private by person, budget kept",
         lambda j: _spent(j, by_person=True)),
    says("The test itself looks at real rows", "trees | private", lambda j: bool(_epsilons(j))),
    says("%(share)s of the persons were drawn", "sample | sample of persons | smaller sample of persons", _persons_in),
    says("The result is a random sample of %(share)s of the persons", "sample | sample of persons | smaller sample of persons", _persons_in),
    says("The result is a sample of %(share)s of the source. %(certain)d", "sample | sample by illness", lambda j: [
        {"share": percent(len(j.written) / len(j.source)), "certain": n} for n in [_one_of_each(j)] if n]),
    says("“%(column)s” holds values of the form of hashes", "safe | tokens that came | phones by a key", lambda j: [
        {"column": "备注"} for one in [1] if "备注" in j.written[0] and all(len(cell) == 32 for cell in j.column("备注"))]),
    says("A made-up row is closer to one learned from than", "safe | trees | private", _tested),
    says("Points to be weighed", "phones by a key | two techniques by a key | tokens that came",
         lambda j: [{"points": n} for n in [len(_keyed(j)) > 1 or "备注" in j.written[0]] if n]),
    says("spellings became another", "safe | spellings of their own | spellings | more spellings", lambda j: [
        {"column": "诊断", "values": n, "after": n - _merged(j), "merged": _merged(j)} for n in [len(j.counts("诊断"))] if _merged(j)]),
    says("%(column)s: no two values became one", "safe | spellings of their own | spellings", lambda j: [
        {"column": "诊断"}] if _steps(j, "preparation.normalise") and not _merged(j) else []),
    says("%(column)s: equal values have equal pseudonyms in every run", _JOINED, lambda j: _joinable(j, "project")),
    says("%(column)s: equal values have equal pseudonyms in every project", _JOINED, lambda j: _joinable(j, "purpose")),
    says("%(column)s: equal values have equal pseudonyms in this run", _JOINED, lambda j: _joinable(j, "never")),
    says("The hierarchy has no step between the values and its top", "k | all at the top | all at the top, by steps", lambda j: [
        {"columns": ", ".join(bare)} for bare in [[
            name for name in j.quasi
            if {*j.column(name)} == {"*"} and not (j is judge("all at the top, by steps") and name == "年龄")]] if bare]),
    says("Nothing is left of", "k | all at the top | all at the top, by steps", lambda j: [
        {"columns": ", ".join(gone)} for gone in [[name for name in j.quasi if {*j.column(name)} == {"*"}]] if gone]),
    says("ε was kept for the exchange of one row, but", "private, budget kept | private, budget for persons",
         lambda j: (bool(_epsilons(j)) and j.whose is not None) or j is judge("private, budget for persons")),
    says("The run measured no membership test", "trees | no test of the made-up", lambda j: j is judge("no test of the made-up")),
    says("More of the made-up rows equal a row learned from", "safe | trees | copies among the made-up | made-up rows close to real ones", _by_copies),
    says("%(exact)s of the made-up rows equal one", "safe | trees | private", _tested),
    says("%(removed)d of the %(rows)d records that the sample drew are not in the result, and", "sample | sample of persons", lambda j: {
        "removed": 0, "rows": len(j.written), "gone": 0, "persons": len(set(j.whose)), "left": len(j.source) - len(j.written),
    } if j.whose else []),
]  # fmt: skip

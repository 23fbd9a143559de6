"""What a model kept, and whether its search came to an end."""

from __future__ import annotations

from functools import cache
from typing import Any

from projects.core.numbers import percent
from tests.truth.statements import Statement, Tables, says
from tests.truth.statements.of_runs import _four_together, _model, _one_alone, _priced
from tests.truth.tables import Judged, Q, Row, S, ran, step


def _star() -> dict[str, str]:
    return {"kind": "star"}


def _many() -> list[Row]:
    """Columns with many levels, so that there are more combinations than ten to look at."""
    return [
        {
            "年龄": str(20 + number * 7 % 60),
            "费用": row["费用"],
            "地区": str(number * 11 % 97),
            "诊断": row["诊断"],
        }
        for number, row in enumerate(_priced(200))
    ]


_BANDS = {"kind": "intervals", "widths": [2, 4, 8, 16, 32, 64, 128, 256, 512]}


def _searched(effort: int, **settings: Any) -> Judged:
    hierarchies = dict.fromkeys(("年龄", "费用", "地区"), _BANDS)
    roles = {"年龄": Q, "费用": Q, "地区": Q, "诊断": S}
    settings = {"k": 5, "hierarchies": hierarchies, "suppression_limit": 0.1, "effort": effort} | settings
    return ran(_many(), step("model.k_anonymity", "年龄", "费用", "地区", **settings), roles=roles)


TABLES: Tables = {
    "k": lambda: _model(),
    "k of one alone": lambda: _model(_one_alone(60)),
    "all at the top": lambda: _model(_four_together(), k=20, hierarchies={"性别": _star(), "年龄": _star()}),
    "local": lambda: _model(_one_alone(60), recoding="local"),
    "local, nothing to do": lambda: _model(recoding="local"),
    "searched to the end": lambda: _searched(100_000),
    "ended early": lambda: _searched(10),
    "ended early, by cells": lambda: _searched(10, loss="entropy"),
}


@cache
def judge(name: str) -> Judged:
    return TABLES[name]()


def _result(j: Judged) -> dict[str, Any]:
    return next(one["result"] for one in j.report["steps"] if one["technique"] == "model.k_anonymity")


def _columns(j: Judged) -> list[str]:
    return next(one["columns"] for one in j.steps if one["technique"] == "model.k_anonymity")


def _unchanged(j: Judged, name: str) -> bool:
    """Whether each value of the column in the result is one of the source's."""
    return {*j.column(name)} <= {*j.counts(name)}


def _local(j: Judged) -> bool:
    return (
        next(one["parameters"]["recoding"] for one in j.steps if "recoding" in one["parameters"]) == "local"
    )


def _detail(j: Judged) -> Any:
    """All of it where no value was changed, none where all are ``*``, and something in between."""
    share = _result(j)["granularity"]
    whole = all(_unchanged(j, name) for name in _columns(j)) and len(j.written) == len(j.source)
    none = all({*j.column(name)} == {"*"} for name in _columns(j))
    assert (share > 1 - 1e-9, share < 1e-9) == (whole, none)
    return {"share": percent(share)}


def _detail_of_each(j: Judged) -> Any:
    if not _local(j):
        return
    for name, lost in _result(j)["loss_by_column"].items():
        assert (lost == 0) == (_unchanged(j, name) and len(j.written) == len(j.source))
        yield {"column": name, "share": percent(1 - lost)}


def _early(j: Judged) -> bool:
    return j in (judge("ended early"), judge("ended early, by cells"))


_BOTH = "k | all at the top | local | searched to the end | ended early | ended early, by cells"
STATEMENTS: list[Statement] = [
    says("%(share)s of the detail of these columns is kept", "k | k of one alone | all at the top", _detail),
    says("%(column)s: %(share)s of the detail is kept", "k | local | local, nothing to do", lambda j: list(_detail_of_each(j))),
    says("The search ended early", _BOTH, _early),
    says("Its loss is", _BOTH, lambda j: [
        {"loss": percent(one["loss"]), "bound": percent(one["lower_bound"])} for one in [_result(j)]
        if _early(j) and one["lower_bound"] <= _result(judge("searched to the end"))["loss"]]),
]  # fmt: skip

"""The numbers of the pictures by column are those of the measurement, and the picture carries every one of them."""

from __future__ import annotations

from types import SimpleNamespace

from django.utils.translation import override

from deid_portal.ui.charts import target_bars
from deid_portal.ui.sides import side_by_side
from projects.verification.presentation import columns_lost
from projects.verification.reports.gate import Report
from projects.verification.reports.pictures import by_column, distributions


def column(name: str, moved: float | None, suppressed: tuple[float, float] = (0.0, 0.0)) -> SimpleNamespace:
    return SimpleNamespace(column=name, total_variation=moved, suppressed=suppressed)


def report(risk: SimpleNamespace | None, *columns: SimpleNamespace) -> SimpleNamespace:
    return SimpleNamespace(risk=risk, columns=columns)


def test_the_column_without_which_fewest_classes_are_left_comes_first() -> None:
    without = {
        "age": SimpleNamespace(classes=4),
        "sex": SimpleNamespace(classes=90),
        "place": SimpleNamespace(classes=12),
    }
    found = by_column(report(SimpleNamespace(drop_one=without)), [])  # type: ignore[arg-type]
    assert found["causes"] == [("age", 4), ("place", 12), ("sex", 90)]
    chart = target_bars(found["causes"], "T", value_label="Classes")
    assert [(row[0], row[1]) for row in chart.rows] == [("age", "4"), ("place", "12"), ("sex", "90")]


def test_what_is_lost_or_was_not_measured_is_not_drawn_as_moved() -> None:
    columns = [
        column("age", 0.25),
        column("job", 1.0, (0.0, 1.0)),
        column("old", None),
        column("empty", 0.0, (1.0, 1.0)),
    ]
    measured = report(None, *columns)
    found = by_column(measured, columns_lost(measured))  # type: ignore[arg-type]
    assert found == {"causes": [], "moved": [("age", 0.25), ("empty", 0.0)]}


def test_a_distribution_names_ranges_and_ranks_and_never_a_value() -> None:
    bars = [
        {"part": "line", "low": None, "high": 20_000_000, "source": 40, "result": 30},
        {"part": "line", "low": 20_000_000, "high": None, "source": 60, "result": 60},
        {"part": "suppressed", "source": 0, "result": 10},
    ]
    ranks = [
        {"part": "rank", "rank": 1, "source": 90, "result": 88},
        {"part": "others", "source": 10, "result": 12},
    ]
    shape = {"missing": [0, 0], "suppressed": [0, 0], "distinct": [2, 2], "mean": [None, None]}
    columns = [
        {
            "column": "age",
            "total_variation": 0.1,
            "distribution": {"sort": "number", "minimum": 10, "bars": bars},
        },
        {
            "column": "job",
            "total_variation": 0.2,
            "distribution": {"sort": "text", "minimum": 10, "bars": ranks},
        },
        {"column": "old"},
    ]
    assert distributions(Report.model_validate({"columns": [shape | columns[2]]})) is None
    with override("en"):
        found = distributions(Report.model_validate({"columns": [shape | one for one in columns]}))
    assert found is not None
    assert [one.title for one in found.drawn] == ["age", "job"]
    chart = side_by_side(found.drawn[0].data, "age", "Source", "Result")
    assert chart.rows == (
        ("below 20", "40 · 40 %", "30 · 30 %"),
        ("20 or more", "60 · 60 %", "60 · 60 %"),
        ("*", "0 · 0 %", "10 · 10 %"),
    )
    assert [one[:2] for one in found.drawn[1].data] == [("1", "Value 1"), ("Others", "Others")]


def test_of_many_columns_those_that_moved_most_are_drawn_and_the_others_named() -> None:
    bars = [{"part": "rank", "rank": n, "source": 50, "result": 50} for n in (1, 2)]
    columns = [
        {
            "column": f"c{n}",
            "missing": [0, 0], "suppressed": [0, 0], "distinct": [2, 2], "mean": [None, None],
            "total_variation": n / 100,
            "distribution": {"sort": "text", "minimum": 10, "bars": bars},
        }
        for n in range(15)
    ]  # fmt: skip
    for language, named in (("en", "c0, c1, c2"), ("zh-hans", "c0、c1、c2")):
        with override(language):
            found = distributions(Report.model_validate({"columns": columns}))
        assert found is not None
        assert [one.title for one in found.drawn] == [f"c{n}" for n in range(3, 15)]
        assert found.others == named

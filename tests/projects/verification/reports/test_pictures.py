"""The numbers of the pictures by column are those of the measurement, and the picture carries every one of them."""

from __future__ import annotations

from types import SimpleNamespace

from deid_portal.ui.charts import target_bars
from projects.verification.presentation import columns_lost
from projects.verification.reports.pictures import by_column


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

"""Charts stay whole with nothing, one, many, huge and broken numbers, and say in words what they show."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from django.utils.translation import override

from deid_portal.ui import balances, charts, course, curves, likelihood, scatter, sides
from deid_portal.ui.drawing import ACCENT, FAIL_FILL, SUMMED, WIDTH, Chart

HUGE = 10**18
DRAW: dict[str, Callable[[list[tuple[str, float]]], Chart]] = {
    "bars": lambda data: charts.bar_chart(data, "T", alarm=["0"], alarm_label="A", x_label="X", y_label="Y"),
    "wide": lambda data: charts.bar_chart(data, "T", wide=True),
    "targets": lambda data: charts.target_bars(data, "T", target=3),
    "minima": lambda data: charts.target_bars(data, "T", target=0.5, lower_is_better=False, share=True),
    "curve": lambda data: curves.cumulative_curve(
        [(v, (i + 1) / len(data)) for i, (_l, v) in enumerate(data)], "T", 0.05
    ),
    "candidates": lambda data: scatter.risk_utility(
        [(label, v, 1 / (1 + abs(v)), v > 1, v == 2) for label, v in data], "T", 0.05, marked_label="M"
    ),
    "likelihood": lambda data: likelihood.likelihood_impact(
        [(label, v, 1 / (1 + abs(v)), v > 1) for label, v in data], "T"
    ),
    "growth": lambda data: likelihood.growth([(label, v / 2, v) for label, v in data], "T"),
    "balances": lambda data: balances.balances([(label, v, v / 2) for label, v in data], "T"),
    "sides": lambda data: sides.side_by_side(
        [(label, label, round(v) if v == v and abs(v) < 1e9 else 0, 7) for label, v in data], "T", "B", "A"
    ),
    "course": lambda data: course.course(
        [
            (label, ("done", "current", "next", "blocked")[n % 4], f"W {n}", label)
            for n, (label, _value) in enumerate(data[:20])
        ],
        "T",
    ),
    "before": lambda data: curves.before_after([(label, v, v / 2) for label, v in data], "T"),
}
DATA = {
    "none": [],
    "one": [("0", 1.0)],
    "zeros": [("0", 0.0), ("1", 0.0)],
    "huge": [("0", HUGE), ("1", 1.0)],
    "tiny": [("0", 1e-12), ("1", 1e-9)],
    "many": [(str(i), float(i % 17)) for i in range(5_000)],
    "broken": [("0", math.nan), ("1", math.inf), ("2", -5.0), ("3", 2.0)],
    "long": [("非常非常非常非常长的类别名称，超出了图的宽度" * 4, 2.0)],
}


def numbers_in(svg: str) -> list[float]:
    """Every coordinate and size of a drawing."""
    out = []
    for element in ElementTree.fromstring(svg).iter():
        for name, value in element.attrib.items():
            if name in {"x", "y", "width", "height", "x1", "x2", "y1", "y2", "cx", "cy"}:
                out.append(float(value))
    return out


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("kind", DRAW)
def test_drawn_whole(kind: str, data: str) -> None:
    drawing = DRAW[kind](DATA[data])
    svg = str(drawing.svg)
    values = numbers_in(svg)
    assert all(math.isfinite(value) for value in values)
    assert max(values) <= 2_000, "something is drawn outside the canvas"
    assert min(values) >= -1
    assert len(svg) < 60_000, "too heavy for a page"
    assert 'role="img"' in svg
    root = ElementTree.fromstring(svg)
    kinds = {child.tag.rpartition("}")[2] for child in root}
    assert {"title", "desc"} <= kinds
    assert "nan" not in re.sub(r"<[^>]*font-family[^>]*>", "", svg).lower()


def test_table_carries_all_that_is_not_drawn() -> None:
    drawing = charts.bar_chart(DATA["many"], "T")
    assert len(drawing.rows) == 5_000
    assert str(drawing.svg).count("<rect") <= charts.MAX_BARS + 1
    assert SUMMED in str(drawing.svg)


def test_same_input_same_bytes() -> None:
    assert str(DRAW["bars"](DATA["one"]).svg) == str(DRAW["bars"](DATA["one"]).svg)


def test_lying_bars_carry_their_scale_and_cut_no_label() -> None:
    stages = [
        ("Determine the objectives of de-identification", 2),
        ("识别标识", 1),
        ("Monitor and assess again", 0),
    ]
    drawing = charts.target_bars(stages, "T", value_label="Projects")
    texts = [one.text for one in ElementTree.fromstring(str(drawing.svg)).iter() if one.tag.endswith("text")]
    assert {label for label, _count in stages} <= set(texts), "no label is cut"
    assert texts[-3:] == ["0", "1", "2"], "the scale is shown below the bars"
    assert drawing.columns[1] == "Projects"
    shares = charts.target_bars([("2026-0001", 0.065)], "T", share=True)
    texts = [one.text for one in ElementTree.fromstring(str(shares.svg)).iter() if one.tag.endswith("text")]
    assert texts[-3:] == ["0 %", "4 %", "8 %"]
    assert "8 %" in str(shares.svg).split("<desc", 1)[1].split("</desc>")[0], (
        "the scale is read aloud as well"
    )


def test_breach_is_said_in_words() -> None:
    for language, words in (("en", "over the line"), ("zh-hans", "高于界线")):
        with override(language):
            svg = str(charts.target_bars([("a", 0.2), ("b", 0.01)], "T", target=0.05, share=True).svg)
        assert svg.count(words) == 1
    assert "stroke-dasharray" in svg


@pytest.mark.parametrize(
    ("measured", "threshold", "breach"),
    [
        (0.2, 0.05, True),
        (0.05, 0.05, False),
        (0, 0.05, False),
        (1, 1, False),
        (0.5, 0, True),
        (None, 0.05, False),
    ],
)
def test_gauge(measured: float | None, threshold: float, breach: bool) -> None:
    svg = str(curves.risk_gauge(measured, threshold, "T").svg)
    assert (FAIL_FILL in svg) is breach
    assert max(numbers_in(svg)) <= WIDTH
    if measured is None:
        assert ACCENT not in svg


def test_curve_states_the_share_beyond_the_threshold() -> None:
    points = [(0.01, 0.5), (0.05, 0.88), (0.2, 1.0)]
    assert "12 %" in str(curves.cumulative_curve(points, "T", threshold=0.05).svg)
    assert "0 %" in str(curves.cumulative_curve(points, "T", threshold=0.2).svg)


def boxes_of(root: ElementTree.Element) -> list[tuple[float, ...]]:
    """Where the names stand: x, y, width, height; none on another."""
    boxes = [
        tuple(float(one.attrib[name]) for name in ("x", "y", "width", "height"))
        for one in root.iter()
        if one.tag.endswith("rect") and one.attrib.get("height") == "17"
    ]
    for number, (x, y, width, height) in enumerate(boxes):
        for left, top, wide, high in boxes[:number]:
            apart = x + width <= left or left + wide <= x or y + height <= top or top + high <= y
            assert apart, "two names lie on each other"
    return boxes


def test_names_of_candidates_lie_on_no_other_name_and_not_on_the_line() -> None:
    near = [(f"Run {n}", 0.04 + n / 400, 0.55 + n / 300, n < 3, n == 1) for n in range(6)]
    drawing = scatter.risk_utility(near, "T", 0.05, marked_label="chosen")
    root = ElementTree.fromstring(str(drawing.svg))
    boxes = boxes_of(root)
    assert len(boxes) == len(near)
    line = next(float(one.attrib["x1"]) for one in root.iter() if "stroke-dasharray" in one.attrib)
    assert all(x + width <= line or x >= line for x, _y, width, _height in boxes)
    assert "chosen" in str(drawing.svg), "the ring is explained"


def test_names_of_steps_that_hardly_move_the_risk_lie_on_no_other() -> None:
    steps = [("Source", 0.62, 0.55, False), *((f"Step {n}", 0.6 - n / 300, 0.5, n == 6) for n in range(1, 7))]
    root = ElementTree.fromstring(str(likelihood.likelihood_impact(steps, "T").svg))
    assert len(boxes_of(root)) == len(steps)


def test_the_name_of_the_one_that_is_talked_about_covers_no_point() -> None:
    """Of many points one is named; the others are no less there."""
    many = [(f"Solution {n}", 0.02 + n % 9 / 100, 0.3 + n // 9 / 40, True, n == 20) for n in range(36)]
    root = ElementTree.fromstring(str(scatter.risk_utility(many, "T").svg))
    (box,) = (
        one.attrib for one in root.iter() if one.tag.endswith("rect") and one.attrib.get("height") == "17"
    )
    x, y, width = (float(box[name]) for name in ("x", "y", "width"))
    points = [(float(one.attrib["cx"]), float(one.attrib["cy"])) for one in root.iter() if "cx" in one.attrib]
    assert len(points) > len(many)
    assert not [(a, b) for a, b in points if x <= a <= x + width and y <= b <= y + 17]

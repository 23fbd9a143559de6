"""A line chart, measured on paper: 720 by 440, the axes from (84, 388) to (696, 96)."""

from __future__ import annotations

import re

import pytest

from techniques.models.personalized.figures import Curve, _step, line_chart

TWO = [Curve("loss & <gain>", {2: 0.0, 6: 10.0, 4: 5.0}), Curve("other", {2: 10.0, 6: 2.0})]


@pytest.mark.parametrize(
    ("highest", "step"),
    [(10, 2), (10.1, 2.5), (12.5, 2.5), (12.6, 5), (25, 5), (25.1, 10), (50, 10), (5, 1), (5.1, 2), (1, 0.2), (0.3, 0.1), (0, 2e-10)],
)  # fmt: skip
def test_ticks_stand_at_round_numbers(highest: float, step: float) -> None:
    """The least of 1, 2, 2.5, 5 times a power of ten of which five reach the top."""
    assert _step(highest) == pytest.approx(step)


def test_points_stand_where_their_numbers_say() -> None:
    """From 2 to 6 over 612, from 0 to 10 over 292."""
    drawn = line_chart("k & l", "k", TWO)
    assert re.findall(r'<polyline points="([^"]*)"', drawn) == [
        "84.0,388.0 390.0,242.0 696.0,96.0",
        "84.0,96.0 696.0,329.6",
    ]
    marks = re.findall(r'<circle cx="([^"]*)" cy="([^"]*)" r="4"', drawn)
    assert marks == [("84.0", "388.0"), ("390.0", "242.0"), ("696.0", "96.0"), ("102.0", "42.0")]
    squares = re.findall(r'<rect x="([^"]*)" y="([^"]*)" width="8" height="8"', drawn)
    assert squares == [("80.0", "92.0"), ("692.0", "325.6"), ("98.0", "56.0")]
    third = line_chart("t", "k", [*TWO, Curve("third", {2: 10.0})])
    assert re.findall(r'<path d="M(\S+) (\S+)l5 9h-10z"', third) == [("84.0", "91.0"), ("102.0", "73.0")]
    fourth = line_chart("t", "k", [*TWO, Curve("third", {2: 10.0}), Curve("fourth", {4: 10.0})])
    colours = re.findall(r'<polyline points="[^"]*" fill="none" stroke="(\S+)"', fourth)
    assert colours == ["#1f5fa8", "#c2571a", "#2b8a57", "#1f5fa8"]
    dashes = re.findall(r'<polyline [^>]*stroke-dasharray="([^"]*)"', fourth)
    assert dashes == ["none", "8 4", "2 4", "none"]


def test_axes_and_names_stand_beside_them() -> None:
    drawn = line_chart("k & l", "size <k>", TWO)
    assert re.findall(r'x1="84" x2="696" y1="([^"]*)"', drawn) == [
        "388.0",
        "329.6",
        "271.2",
        "212.8",
        "154.4",
        "96.0",
    ]
    ticks = re.findall(r'<text x="76" y="([^"]*)" text-anchor="end">([^<]*)<', drawn)
    assert ticks == [
        ("392.0", "0"),
        ("333.6", "2"),
        ("275.2", "4"),
        ("216.8", "6"),
        ("158.4", "8"),
        ("100.0", "10"),
    ]
    across = re.findall(r'<text x="([^"]*)" y="408" text-anchor="middle">([^<]*)<', drawn)
    assert across == [("84.0", "2"), ("390.0", "4"), ("696.0", "6")]
    assert '<text x="390.0" y="430" text-anchor="middle">size &lt;k&gt;</text>' in drawn
    assert '<text x="84" y="22" font-size="15">k &amp; l</text>' in drawn
    assert re.findall(r'<text x="128" y="(\d+)">([^<]*)<', drawn) == [
        ("46", "loss &amp; &lt;gain&gt;"),
        ("64", "other"),
    ]
    assert re.findall(r'<line x1="84" x2="120" y1="(\d+)" y2="(\d+)"', drawn) == [("42", "42"), ("60", "60")]
    assert drawn.endswith("</svg>\n")
    assert drawn.startswith(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 440" width="720" height="440"'
    )


def test_one_point_and_none_are_drawn_too() -> None:
    assert re.findall(r'<polyline points="([^"]*)"', line_chart("t", "k", [Curve("a", {3: 1.0})])) == [
        "84.0,96.0"
    ]
    empty = line_chart("t", "k", [])
    assert "polyline" not in empty
    assert re.findall(r'text-anchor="end">([^<]*)<', empty) == ["0", "0.2", "0.4", "0.6", "0.8", "1"]

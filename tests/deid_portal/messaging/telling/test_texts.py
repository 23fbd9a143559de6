"""Texts that fit where they go."""

from __future__ import annotations

from datetime import date

import pytest
from django.utils import translation

from deid_portal.messaging.telling.texts import Letter, Line, Part
from projects.core.deadlines import Deadline

DUE = Deadline(date(2031, 3, 3), date(2031, 3, 1))


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


def letter(n):
    lines = [Line(f"Review number {i}", f"/p/{i}/", "2031-0001 门诊数据", DUE) for i in range(n)]
    return Letter("Qian", [Part("Newly waits for you", lines)])


def test_all_of_it_where_there_is_room(settings):
    settings.DEID_PORTAL_URL = "https://deid.example/"
    assert letter(1).chat(2_000).splitlines() == [
        "Qian: De-identification portal: Review number 0",
        "Newly waits for you",
        "- Review number 0 · 2031-0001 门诊数据 · 2031-03-03 (due in 2 days) https://deid.example/p/0/",
    ]


@pytest.mark.parametrize("most", [300, 1_000, 2_000])
def test_no_longer_than_a_robot_takes(most):
    said = letter(40).chat(most)
    assert most - 160 < len(said.encode()) <= most
    assert said.startswith("Qian: De-identification portal: 40 things to see to")
    assert said.splitlines()[-1].startswith("There is more: ")
    assert said.splitlines()[-2].endswith("/"), "no line is cut in two"

"""What the page says of a column's values is what was measured of them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.utils import translation

from projects.identification.reports import columns_of
from projects.identification.wording import finding, reasons, suggested_sentences

from .conftest import Table

ROWS = 600
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("ready_project")]


def csv() -> bytes:
    """甲: different in each row; 乙: in two of three rows a value of its own; 丙: each of three values in 200 rows."""
    lines = ["甲,乙,丙"]
    for row in range(ROWS):
        mostly = f"{row * 7919 % 9973}.5" if row % 3 else "0.5"
        lines.append(f"{row * 6271 % 8887}.25,{mostly},{row % 3}.5")
    return "\n".join(lines).encode()


@pytest.fixture
def said(upload, scan):
    """Column → the sentences about its values."""
    upload(Table(csv(), ["甲", "乙", "丙"], [], []))
    with translation.override("en"):
        return {
            name: [line for one in report.findings for line in finding(report, one, {})]
            for name, report in columns_of(scan()).items()
        }


def test_nearly_every_row_is_said_where_it_is_so_and_the_share_is_what_was_measured(said):
    assert said["甲"] == ["Nearly every row has a unique value: 600 different ones in 600 (100 %)."]
    assert said["乙"] == [
        "At least half of the rows with a value have one that few others share: 401 different values in 600 (66.83 %)."
    ]
    assert said["丙"] == []


def test_a_kept_sentence_has_its_numbers_separated_and_is_known_as_once_written():
    """What a scan of an earlier version kept, and a verdict took over, is still the portal's own sentence."""
    old = "%(hits)d values have the form, %(checked)d of them proven."
    why = [(old, {"hits": 12345, "inside": 0, "checked": 0})]
    report = SimpleNamespace(suggestion=SimpleNamespace(why=why))
    with translation.override("en"):
        (written,) = reasons(report)
    assert written.startswith("12,345 values have the form")
    known = suggested_sentences(report)
    assert {
        "12345 values have the form, 0 of them proven.",
        "12345个值符合该形式，其中0个已得到证实。",
        written,
    } <= set(known)

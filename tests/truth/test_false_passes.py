"""Leaky results that the gate has to stop, each by the check that names what leaks."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.truth.leaks import D, O, Put, released, stopped_by

LEAKS: Mapping[str, tuple[str, Mapping[str, Put]]] = {
    # what leaks: the check that stops it, and the columns that leak
    "names as they are": ("residual", {"姓名": Put(D)}),
    "telephone numbers called something else": ("residual", {"编码": Put(O, lambda row: row["phone"])}),
    "ID numbers called something else": ("residual", {"编码": Put(O, lambda row: row["id"])}),
    "a number of every row": ("residual", {"编码": Put(O, lambda row: str(row["number"]))}),
    "an ID number within a text": ("residual", {"备注": Put(O, lambda row: f"家属身份证{row['id']}已登记")}),
}


def test_the_result_without_a_leak_passes():
    found = released()
    assert stopped_by(found) == set(), found.checks


@pytest.mark.parametrize("leak", LEAKS, ids=str)
def test_case(leak):
    check, put = LEAKS[leak]
    assert check in stopped_by(released(put))

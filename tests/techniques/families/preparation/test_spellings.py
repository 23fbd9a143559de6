"""Which columns are to be brought into one form: found where two forms mean the same, and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.catalogue.preparation import NormaliseSettings
from techniques.families.preparation.normalise import normalised
from techniques.families.preparation.spellings import Spellings


def settings(cells: Sequence[str | None], size: int = 1 << 16) -> dict[str, Any]:
    seen = Spellings(["c"])
    batches = [
        pa.record_batch({"c": pa.array(cells[at : at + size], pa.string())})
        for at in range(0, len(cells), size)
    ]
    assert [one.num_rows for one in seen.watched(batches)] == [one.num_rows for one in batches]
    return seen.of("c")


PLAIN = {"width": False, "blanks": "keep"}
READ = {"width": True, "blanks": "keep"}


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["A１", "A2"], {**PLAIN, "width": True}),
        (["Ａ１", "Ａ２"], {}),
        (["张三，李四", "王五"], {}),
        (["住院１次", "复诊"], {}),
        (["x ", "x", "y"], {**PLAIN, "blanks": "outer"}),
        ([" x", " y"], {}),
        (["J45", "J45", "j45", "J46"], {**PLAIN, "case": "upper"}),
        (["flu", "flu", "Flu"], {**PLAIN, "case": "lower"}),
        (["Flu", "asthma"], {}),
        (["2024-03-01", "2024/3/2"], {**READ, "dates": True}),
        (["2024-03-01", "20240302"], {**READ, "dates": True}),
        (["2024-3-1", "2024-03-02"], {**READ, "dates": True}),
        (["2024-3-1", "2024-11-12"], {}),
        (["2024年3月1日", "2024-03-02"], {**READ, "dates": True}),
        (["2024-03-01", "2024-12-31", None], {}),
        (["2024-03-01 08:00", "2024/3/2 09:00"], {}),
        (["20240301", "20241231"], {}),
        (["175cm", "1.8m"], {**READ, "unit": "centimetre"}),
        (["175cm", "180"], {**READ, "unit": "centimetre"}),
        (["1.75m", "180"], {}),
        (["70kg", "140斤"], {**READ, "unit": "kilogram"}),
        (["95分", "80"], {}),
        (["3万元", "20000元"], {**READ, "unit": "yuan"}),
        (["¥300", "200元"], {**READ, "unit": "yuan"}),
        (["$300", "200元"], {}),
        (["70kg", "175cm"], {}),
        (["1,200", "3400"], {**READ, "unit": "number"}),
        (["120", "3400"], {}),
        (["40岁", "41"], {}),
    ],
)  # fmt: skip
def test_each_mix_is_found_and_what_is_in_one_form_is_left(
    cells: list[str | None], expected: dict[str, Any]
) -> None:
    assert settings(cells) == expected
    assert settings([*cells, *cells], size=len(cells)) == expected


@given(
    st.lists(
        st.sampled_from(["a", "A", " a", "１", "1", "2024-03-01", "2024/3/1", "1m", "100cm", "x,y"]),
        min_size=1,
    )
)
def test_what_is_suggested_leaves_nothing_to_suggest(cells: list[str]) -> None:
    found = settings(cells)
    made = (
        normalised(pa.array(cells, pa.string()), NormaliseSettings(**found))
        if found
        else pa.array(cells, pa.string())
    )
    again = settings(made.to_pylist())
    assert again == {}

"""No set of columns smaller than the one found keeps the conditions: every combination of levels is looked at by itself."""

from __future__ import annotations

from itertools import product

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.anonymization.release import anonymize
from techniques.anonymization.settings import changed
from techniques.anonymization.sparing import sparing
from techniques.catalogue.models import KAnonymitySettings
from techniques.core.messages import EngineError
from techniques.tables.dictionary import encode_columns

NAMES = ["a", "b", "c"]


def table(rows: list[tuple[int, int, int]]):
    columns = {name: [str(row[place]) for row in rows] for place, name in enumerate(NAMES)}
    return encode_columns([pa.record_batch(columns)], NAMES)


def asked(k: int, limit: float, **more) -> KAnonymitySettings:
    hierarchies = {"a": {"kind": "intervals", "widths": [2]}, "b": {"kind": "star"}, "c": {"kind": "star"}}
    return KAnonymitySettings.model_validate(
        {"k": k, "suppression_limit": limit, "hierarchies": hierarchies, **more}
    )


def fewest(quasi, wanted: KAnonymitySettings, tops: dict[str, int]) -> int | None:
    """By fixing every combination of levels in turn."""
    found = []
    for levels in product(*(range(tops[name] + 1) for name in NAMES)):
        fixed = dict(zip(NAMES, levels, strict=True))
        try:
            anonymize(quasi, {}, changed(wanted, minimum_levels=fixed, maximum_levels=fixed))
        except EngineError:
            continue
        found.append(sum(fixed[name] == tops[name] for name in NAMES))
    return min(found, default=None)


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2), st.integers(0, 2)), min_size=6, max_size=40),
    st.integers(2, 4),
    st.sampled_from([0.0, 0.1, 0.3]),
)
def test_no_smaller_set_of_columns_reaches_the_conditions(rows, k, limit) -> None:
    quasi, wanted = table(rows), asked(k, limit)
    found = sparing(quasi, {}, wanted)
    least = fewest(quasi, wanted, {"a": 2, "b": 1, "c": 1})
    if found is None:
        assert least is None
        return
    assert found.proved
    assert len(found.emptied) == least <= len(found.best)
    fixed = dict(found.levels)
    again = anonymize(quasi, {}, changed(wanted, minimum_levels=fixed, maximum_levels=fixed)).report
    assert again["suppressed"] == found.suppressed <= limit * len(rows)


def test_the_least_loss_may_empty_more_than_is_needed() -> None:
    """Many values of one column cost more than two small columns together."""
    rows = [(place % 6, place % 3, place // 3 % 3) for place in range(54)]
    found = sparing(table(rows), {}, asked(4, 0.0))
    assert found is not None
    assert len(found.emptied) < len(found.best) or found.emptied == found.best
    kept = sparing(table(rows), {}, asked(4, 0.0, maximum_levels={"a": 0, "b": 0, "c": 0}))
    assert kept is None

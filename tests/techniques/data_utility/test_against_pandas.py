"""Moments, quantiles and associations on the Adult data against pandas."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from techniques.data_utility.measure import assess
from techniques.data_utility.targets import AssociationChange


@pytest.fixture(scope="module")
def adult(real_data_dir) -> pd.DataFrame:
    return pd.read_csv(real_data_dir / "adult_full.csv", dtype=str)


def batches(frame: pd.DataFrame) -> list[pa.RecordBatch]:
    return pa.Table.from_pandas(frame, preserve_index=False).to_batches(max_chunksize=4000)


def test_columns(adult: pd.DataFrame) -> None:
    part = adult.sample(frac=0.7, random_state=1)
    found = {c.column: c for c in assess((), batches(adult), batches(part))[1]}
    for column in ("age", "fnlwgt", "hours-per-week"):
        numbers = adult[column].astype(float), part[column].astype(float)
        assert found[column].mean == pytest.approx(tuple(n.mean() for n in numbers))
        assert found[column].standard_deviation == pytest.approx(tuple(n.std() for n in numbers))
        for side in (0, 1):
            expected = numbers[side].quantile([0.05, 0.25, 0.5, 0.75, 0.95], interpolation="lower")
            got = list(found[column].quantiles[side].values())
            assert got == pytest.approx(expected.tolist(), rel=0.01)
    for column in ("education", "occupation"):
        shares = [f[column].value_counts(normalize=True) for f in (adult, part)]
        distance = shares[0].sub(shares[1], fill_value=0).abs().sum() / 2
        assert found[column].total_variation == pytest.approx(distance)


def test_associations(adult: pd.DataFrame) -> None:
    targets = [
        AssociationChange(columns=("age", "hours-per-week"), bound=1),
        AssociationChange(columns=("sex", "occupation"), bound=1),
    ]
    found = assess(targets, batches(adult), batches(adult.head(5000)))[0]
    assert found[0].source == pytest.approx(
        np.corrcoef(adult["age"].astype(float), adult["hours-per-week"].astype(float))[0, 1]
    )
    observed = pd.crosstab(adult["sex"], adult["occupation"]).to_numpy()
    expected = observed.sum(1, keepdims=True) * observed.sum(0, keepdims=True) / observed.sum()
    v = np.sqrt(((observed - expected) ** 2 / expected).sum() / observed.sum())
    assert found[1].source == pytest.approx(v)

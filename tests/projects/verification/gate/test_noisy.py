"""Columns with noise are held two by two against the source (A.6.2)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from django.template.loader import render_to_string
from django.utils import translation

from projects.verification.presentation import noisy_left_out, noisy_rows
from techniques.data_utility import covariances
from techniques.recipe.recipe import Recipe

from .checks.test_checks import clinic, measured

NAMES = ["a", "b", "c"]


def noisy(columns, extra=()):
    """``columns`` of the source with noise added to those of NAMES; ``extra`` steps come after."""
    chance = np.random.default_rng(5)
    before = chance.normal(50, 10, 200).round(2)
    source = np.array(
        [before, before * 2 + chance.normal(size=200).round(2), chance.normal(size=200).round(2)]
    )
    result = (source + chance.normal(0, 5, source.shape)).round(2)

    def text(values):
        rows = (",".join(["1", *map(str, row)]) for row in values.T)
        return "q,a,b,c\n" + "\n".join(rows) + "\n"

    steps = [
        {
            "technique": "randomization.noise",
            "columns": columns,
            "parameters": {"spread": 5, "unit": "value"},
        },
        *extra,
    ]
    case = clinic(text(source), text(result))
    return replace(case, recipe=Recipe.from_data({"recipe": 1, "steps": steps})), source, result


def test_pairs_with_noise_are_measured_before_and_after():
    case, source, result = noisy(["a", "b"])
    report = measured(case).report
    assert report.noisy is not None
    (pair,) = report.noisy.pairs
    assert pair.columns == ["a", "b"]
    for found, expected in (
        (pair.correlation, (np.corrcoef(source)[0, 1], np.corrcoef(result)[0, 1])),
        (pair.covariance, (np.cov(source)[0, 1], np.cov(result)[0, 1])),
    ):
        assert found == pytest.approx(list(expected))
    assert pair.correlation[1] < pair.correlation[0]


def test_one_column_with_noise_has_no_pair_and_nothing_is_written():
    case, _source, _result = noisy(["a"])
    measurement = measured(case)
    assert measurement.report.noisy is None
    assert "noisy" not in measurement.report.as_json()
    assert noisy_rows(measurement.report) == []


def test_columns_beyond_the_most_are_named(monkeypatch):
    monkeypatch.setattr(covariances, "MOST_COLUMNS", 2)
    case, _source, _result = noisy(NAMES)
    report = measured(case).report
    assert [pair.columns for pair in report.noisy.pairs] == [["a", "b"]]
    assert report.noisy.left_out == ["c"]
    with translation.override("en"):
        assert noisy_left_out(report).endswith("too many columns with noise: c.")


def test_page_and_rows_say_the_same():
    case, _source, _result = noisy(["a", "b"])
    report = measured(case).report
    with translation.override("en"):
        (row,) = noisy_rows(report)
        page = render_to_string("verification/_noisy.html", {"noisy": [row], "noisy_left_out": ""})
    assert row["columns"] == "a, b"
    assert " → " in row["correlation"]
    for text in row.values():
        assert text in page


def test_no_other_column_is_read_for_the_pairs(monkeypatch):
    read, real = [], covariances.together

    def together(batches, columns):
        kept = [*batches]
        read.extend({*batch.schema.names} for batch in kept)
        return real(kept, columns)

    monkeypatch.setattr(covariances, "together", together)
    measured(noisy(["a", "b"])[0])
    assert read
    assert all(names == {"a", "b"} for names in read)

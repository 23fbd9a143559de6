"""Risk by entropy beside the three scales: the same figures as the engine's, per table, without a verdict."""

from __future__ import annotations

import json

import pytest
from django.utils import translation

from projects.verification.gate.measurement import measure
from projects.verification.gate.scales.entropy import entropy_rows, entropy_shown, entropy_statements
from projects.verification.gate.scales.presentation import scale_rows
from projects.verification.reports.gate import Entropy, EntropyFigures, Report
from techniques.cli.main import main
from tests.truth.statements.of_classes import _by_person, _visits
from tests.truth.tables import Judged, file_of, judged, people, written_of


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


def _without_age() -> Judged:
    return judged(written=written_of(people(), "性别", "诊断"))


def test_it_stands_beside_the_scales_without_a_verdict():
    report = _without_age().found.report
    *three, row = scale_rows(report)
    assert [one.has_threshold for one in three] == [True] * 3
    assert (row.has_threshold, row.passed) == (False, None)
    assert row.value in row.plain
    assert report.entropy is not None
    assert report.entropy.result.risk < report.entropy.source.risk


def test_the_command_says_the_same_figures(tmp_path, capsys):
    found = _without_age()
    for name, rows in (("before", found.source), ("after", found.written)):
        (tmp_path / f"{name}.csv").write_bytes(file_of(rows).open().read())
    arguments = [tmp_path / "after.csv", "--qi", "性别", "--sensitive", "诊断", "--subject", "rows", "--json"]
    main(["evaluate", *map(str, arguments), "--original", str(tmp_path / "before.csv")])
    said = json.loads(capsys.readouterr().out)["entropy"]["result"]
    by_portal = found.found.report.entropy
    assert by_portal is not None
    assert said["likelihood"] == by_portal.result.likelihood
    # The portal knows that the age was a quasi-identifier of the source, of which nothing is left: it weighs nothing.
    assert said["risk"] == by_portal.result.risk


def test_the_formula_has_the_values_of_the_path():
    (row,) = entropy_rows(_by_person(_visits()).found.report)
    assert row.formula is not None
    assert row.formula.substituted.endswith(f"= {row.value}")
    assert "persons" in {sign: meaning for sign, meaning, _value in row.formula.terms}["ΔE_i"]


def test_each_table_has_its_own():
    one, other = judged(), _without_age()
    report = measure({"a": one.case, "b": other.case}, [], lambda share: None).report
    assert [row.label for row in entropy_rows(report)] == [
        "a: Risk by information entropy",
        "b: Risk by information entropy",
    ]
    assert [shown["table"] for shown in entropy_shown(report)] == ["a", "b"]
    assert [len(shown["path"]) for shown in entropy_shown(report)] == [2, 1]


@pytest.mark.parametrize(
    ("before", "after", "lowered"), [(0.5, 0.5, False), (0.5, 0.4, True), (0.5, 0.6, False), (0, 0, False)]
)
def test_what_is_as_it_was_is_not_lowered(before, after, lowered):
    entropy = Entropy(source=EntropyFigures(risk=before), result=EntropyFigures(risk=after), attack=None)
    (row,) = entropy_rows(Report(entropy=entropy))
    assert ("The treatment lowered it." in row.plain) is lowered
    assert ("The treatment did not lower it." in row.plain) is not lowered


def test_what_cannot_be_measured_says_why():
    found = judged(key=("姓名",)).found.report
    assert found.entropy is None  # the risk itself could not be measured
    assert all(row.has_threshold for row in scale_rows(found))


def test_many_columns_that_tell_nearly_everything_are_said_to():
    step = {"gain": 0.1, "frequency": 1, "leakage": 1}

    def said(*severities):
        path = [{"column": f"q{n}", "severity": one, **step} for n, one in enumerate(severities)]
        return entropy_statements(Entropy.model_validate({"result": {"path": path}}))[1:2]

    (text,) = said(0.3, 0.6, 0.85, 0.93, 0.96, 0.97, 0.98, 0.99)
    assert "the first 4 of the 8 quasi-identifiers" in text
    assert "93 %" in text
    assert "99 %" in text
    assert not any("Many columns" in one for one in said(0.3, 0.6, 0.7, 0.75, 0.8, 0.82, 0.83, 0.84))
    assert not any("Many columns" in one for one in said(0.6, 0.95))

"""What is signed stays as it was written: reports of every age are read as types and written back to the letter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from projects.monitoring.report import Remeasurement
from projects.verification import presentation
from projects.verification.gate.scales.presentation import scale_rows
from projects.verification.presentation import gate_rows, residual_rows
from projects.verification.remedies.presentation import remedy_tables
from projects.verification.reports.comparison import CandidateResult
from projects.verification.reports.gate import Measurement
from projects.verification.reports.stored import Stored

KEPT = Path(__file__).parent


def canonical(content: Any) -> str:
    """As content hashes have it."""
    return json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def kept(name: str) -> Any:
    return json.loads((KEPT / f"{name}.json").read_text())


def read_back(model: type[Stored], content: Any) -> Any:
    return model.model_validate(content).as_json()


def of_earlier_days(content: Any) -> Any:
    """The same as versions wrote it that did not know pairs, utility under remedies, scales or moved numbers yet."""
    gone = {
        "pairs",
        "utility",
        "wasserstein",
        "unresolved",
        "scales",
        "overall",
        "before",
        "sensitive",
        "capability",
    }
    if isinstance(content, dict):
        return {name: of_earlier_days(one) for name, one in content.items() if name not in gone}
    return [of_earlier_days(one) for one in content] if isinstance(content, list) else content


MEASUREMENTS = ["failing_tables", "passing", "failing", "sampled", "diverse"]


@pytest.mark.parametrize("name", MEASUREMENTS)
def test_a_measurement_is_written_back_to_the_letter(name):
    for content in (kept(name), of_earlier_days(kept(name))):
        assert canonical(read_back(Measurement, content)) == canonical(content)


def test_candidates_are_written_back_to_the_letter():
    for content in kept("candidates"):
        assert canonical(read_back(CandidateResult, content)) == canonical(content)


@pytest.mark.parametrize("name", ["remeasured", "remeasured_diverse"])
def test_a_reassessment_of_before_the_gate_ran_in_it_is_written_back_to_the_letter(name):
    content = kept(name)
    assert canonical(read_back(Remeasurement, content)) == canonical(content)
    measured = Remeasurement.model_validate(content)
    assert measured.met is content["met"]
    assert [check.met for check in measured.checks] == [check["met"] for check in content["checks"]]


@pytest.mark.parametrize("name", MEASUREMENTS)
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_reports_of_every_age_are_shown(name, language):
    for content in (kept(name), of_earlier_days(kept(name))):
        measured = Measurement.model_validate(content)
        report = measured.report
        with translation.override(language):
            rows = gate_rows(measured.checks, report)
            assert [row.label for row in rows if not row.label or not row.clause] == []
            assert len(rows) == len(content["checks"])
            assert len(residual_rows(report)) >= len(content["report"]["residual"]["findings"])
            assert scale_rows(report)
            assert presentation.column_rows(report)
            assert presentation.class_bars(report)["data"]
            for table in remedy_tables(report):
                assert table.problem or table.rows
                assert len(table.rows) == len(table.stored)


def test_a_column_that_became_stars_is_lost_and_not_moved():
    """7 → 0 values, all suppressed: its numbers have moved by 1.34 % only because * counts as the whole range."""
    column = {"missing": [0, 0], "mean": [None, None], "total_variation": 1.0, "wasserstein": 0.0134}
    gone = column | {"column": "job", "suppressed": [0, 1], "distinct": [7, 0]}
    left = column | {"column": "age", "suppressed": [0, 0.2], "distinct": [7, 3]}
    report = Measurement.model_validate({"checks": [], "report": {"columns": [gone, left]}}).report
    with translation.override("en"):
        lost, kept_ = presentation.column_rows(report)
        assert (lost["distance"], lost["moved"], lost["unread"]) == ("Lost", "", "every cell is *")
        assert kept_["moved"] == "1.34 %"
        assert "Every cell of job became *." in presentation.statements(report)


@pytest.mark.parametrize(
    ("deviations", "said"),
    [
        ([2.5, 2.0], "standard deviation 2.5 → 2"),
        ([2.5, 2.5], "standard deviation 2.5"),
        ([2.5, None], ""),
        (None, ""),
    ],
)
def test_the_spread_of_numbers_stands_beside_their_mean(deviations, said):
    column = {"column": "age", "missing": [0, 0], "suppressed": [0, 0], "distinct": [7, 3], "mean": [1, 1]}
    if deviations is not None:
        column["standard_deviation"] = deviations
    report = Measurement.model_validate({"checks": [], "report": {"columns": [column]}}).report
    with translation.override("en"):
        assert presentation.column_rows(report)[0]["spread"] == said


def test_what_is_not_known_stays_and_what_was_not_said_stays_unsaid():
    content = {
        "checks": [{"kind": "of tomorrow", "measured": 5, "target": 5.0, "passed": None, "colour": "blue"}],
        "report": {"risk": None, "later": {"of": [1, 1.0, None]}, "targets": {"k": 5, "max_risk": 1}},
    }
    assert canonical(read_back(Measurement, content)) == canonical(content)
    measured = Measurement.model_validate(content)
    assert measured.report.version == 1
    assert measured.report.has_no_quasi
    assert not Measurement.model_validate({"checks": [], "report": {}}).report.has_no_quasi
    (row,) = gate_rows(measured.checks, measured.report)
    assert (row.kind, row.passed, row.clause) == ("of tomorrow", None, "")

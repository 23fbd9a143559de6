"""Rows that refer to another table: what may be lost, and what may never join."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from projects.verification.gate.check import WholeSubject
from projects.verification.gate.checks.join import Join
from projects.verification.reports.gate import Report
from tests.projects.verification.gate.test_several_tables import LINK, case

TEN = "abcdefghij"


def joined(visits, patients, visits_before=TEN, patients_before=TEN):
    """The row about visits of patients, each one a letter, a visit without a patient a dot; one row in ten may go; by three links that are alike."""

    def table(head, rows):
        return head + "".join(f"{'' if one == '.' else one},1\n" for one in rows)

    cases = {
        "patients": case(table("id,sex\n", patients_before), table("id,sex\n", patients), "id", "sex"),
        "visits": case(table("who,year\n", visits_before), table("who,year\n", visits), "who", "year"),
    }
    report, said = Report(), []
    row, again, third = Join().measure(WholeSubject(cases, [LINK] * 3, report), said.append)
    assert row == again == third
    assert said == pytest.approx([1 / 3, 2 / 3, 1.0])
    return SimpleNamespace(row=row, counted=report.joins[0])


@pytest.mark.parametrize(
    ("visits", "patients", "more", "passes", "kept"),
    [
        (TEN, TEN, {}, True, 1.0),
        # A tenth may lose its counterpart, and no more.
        (TEN, "abcdefghi", {}, True, 0.9),
        (TEN, "abcdefgh", {}, False, 0.8),
        # What goes with its counterpart has lost nothing.
        ("abcde", "abcde", {}, True, 1.0),
        # Rows of both sides became one, or keys that nobody had were filled in.
        ("aacdefghij", TEN, {}, False, 1.0),
        ("aacdefghij", TEN, {"visits_before": "abcdefghij."}, False, 1.0),
        ("aacdefghija", TEN, {"visits_before": "abcdefghij."}, False, 1.0),
        ("aaadefghijz", TEN, {"visits_before": "abcdefghij."}, False, 10 / 11),
        ("aacdefghi", TEN, {}, True, 1.0),
        (TEN, "aacdefghij", {}, False, 0.9),
        # What did not join before joins now.
        ("abcdefghij", TEN, {"visits_before": "abcdefghi."}, False, 1.0),
        ("abcdefghia", TEN, {"visits_before": "abcdefghix"}, False, 1.0),
        # Nothing joins any more, or never did.
        (TEN, "klmnopqrst", {}, False, 0.0),
        (TEN, "klmnopqrst", {"patients_before": "klmnopqrst"}, False, 0.0),
        # Those without a counterpart went: a greater share than before is all that can be.
        ("abcde", "abcde", {"visits_before": "abcdevwxyz"}, True, 1.0),
        ("abcde", "abcde", {"patients_before": "abcde"}, True, 1.0),
    ],
)
def test_what_joins_after_is_what_joined_before(visits, patients, more, passes, kept):
    found = joined(visits, patients, **more)
    assert (found.row.passed, found.row.measured) == (passes, pytest.approx(kept))
    assert found.row.target == pytest.approx(0.9)
    assert bool(found.row.remedies) is not passes


def test_the_remedy_is_for_what_happened():
    grown, lost = joined("aacdefghij", TEN), joined(TEN, "abcdefgh")
    assert grown.row.remedies[0].message.startswith("Keys that were different have become equal")
    assert lost.row.remedies[0].message.startswith("Let fewer records of the table referred to")
    assert lost.row.formula == "(8 / 10) / (10 / 10) = 0.8"
    assert lost.row.plain.params == {"joined": 8, "rows": 10, "joined_before": 10, "rows_before": 10}
    assert lost.row.label.columns == "visits.who → patients.id"
    assert (lost.counted.link, lost.counted.after.orphans) == ("visits.who → patients.id", 2)

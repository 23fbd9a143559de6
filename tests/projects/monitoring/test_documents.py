"""The re-assessment as a document: printed when it is concluded, with recipients, columns and caveats on page one."""

from __future__ import annotations

import pytest
from django.urls import reverse

from approvals.documents.models import Document
from projects.monitoring.documents import (
    REPORT,
    REPORT_JOB,
    report_context,
    report_subject,
    report_write,
)
from projects.monitoring.enums import ReassessmentOutcome
from projects.monitoring.services import reassessment_conclude
from tests.approvals.documents.printed import needs_poppler, print_waiting, text_of
from tests.projects.monitoring.steps import reported
from tests.projects.releases import stories

pytestmark = pytest.mark.django_db
START = stories.released


def concluded(monitored, people, outcome=ReassessmentOutcome.KEEP):
    made = reported(monitored, people)
    made = reassessment_conclude(
        made, outcome=outcome, finding="Nothing stands against it.", by=people.supervisor
    )
    made.refresh_from_db()
    return made


@needs_poppler
def test_concluding_prints_the_report_in_both_languages(monitored, people, client, tmp_path):
    made = concluded(monitored, people)
    print_waiting(REPORT_JOB)
    printed = Document.objects.filter(kind=REPORT)
    number = monitored.project.number
    assert {one.filename for one in printed} == {
        f"{number}-重新评估报告-v1.pdf",
        f"{number}-re-assessment-report-v1.pdf",
    }
    text = text_of(printed.get(language="en"), tmp_path)
    cover = text.split("\f")[0]
    release = made.release
    for said in (
        "Who receives it",
        "What it may be called",
        "De-identified",
        "Columns released",
        "What to note",
        "New servers.",
        f"{number}-M1",
    ):
        assert said in cover, said
    assert "The undersigned decide" in text.split("\f")[-2]
    assert "Nothing stands against it." in text
    assert release.seal in text.replace("\n", "").replace(" ", "")
    client.force_login(people.auditor)
    path = reverse("monitoring:reassessment", args=[monitored.project.pk, made.pk])
    assert f"{number}-重新评估报告-v1.pdf" in client.get(path).content.decode()


def test_its_page_one_says_what_the_gate_says(monitored, people):
    made = concluded(monitored, people)
    context = report_context(made)
    assert [row["passed"] for row in context["gate"]] == [True] * len(context["gate"])
    # A change was reported, so nothing says that there was none.
    assert context["weigh"] == ["变更情况：New servers."] or context["weigh"] == [
        "What changed: New servers."
    ]


def test_what_it_is_about_is_its_conclusion(monitored, people):
    made = concluded(monitored, people)
    before = report_subject(made).hash
    made.finding = "Something else."
    assert report_subject(made).hash != before


def test_going_back_to_verify_prints_it_too_and_once(monitored, people):
    made = concluded(monitored, people, ReassessmentOutcome.VERIFY)
    print_waiting(REPORT_JOB)
    first = Document.objects.get(kind=REPORT, language="en")
    assert report_write(made, "en", by=people.supervisor).pk == first.pk
    assert Document.objects.filter(kind=REPORT).count() == 2

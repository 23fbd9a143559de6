"""The text of an agreement: printed from what was approved, for the planning manager of controlled sharing."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from approvals.documents.models import Document
from approvals.governance.verdict import Refused
from deid_portal.organisation.agreements.clauses import clauses_decide, clauses_propose
from projects.core.enums import SharingType
from projects.jobs.models import Job
from projects.objective.models import ContextAssessment
from projects.releases.agreements.clauses import Clause
from projects.releases.agreements.documents import AGREEMENT_JOB, KIND, measures_of, purpose_of, text_start
from projects.releases.selectors import approved_content
from techniques.disclosure_risk.scales.environment import CONTROLS
from tests.approvals.documents.printed import needs_poppler, print_waiting, text_of
from tests.projects.rows import put

pytestmark = pytest.mark.django_db
CLAUSE = Clause("检查", "Inspection", "提供方可以检查。", "The provider may inspect.")


@needs_poppler
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_it_says_what_was_approved_and_what_each_side_owes(client, approved, language, tmp_path):
    project, people = approved.project, approved.people
    client.force_login(people["planner"])
    page = client.get(reverse("releases:agreement", args=[project.pk]), headers={"accept-language": language})
    address = reverse("releases:agreement_text", args=[project.pk])
    assert address in page.content.decode()
    assert client.post(address).status_code == 302
    print_waiting(AGREEMENT_JOB)
    document = Document.objects.get(project_id=project.pk, kind=KIND, language=language)
    flat = "".join(text_of(document, tmp_path).split())
    (table,) = approved_content(project)["tables"]
    with translation.override(language):
        duty = translation.gettext("Who owes what")
        called = translation.gettext("What it may be called")
        checks = translation.gettext("On receipt and every ____ months (3, 6 or 12; none: on receipt only).")
        unmeasured = translation.gettext("The target rests on no assessment of the recipient's surroundings item by item: name here the measures that are agreed.")  # fmt: skip
    for words in (
        purpose_of(project),
        *table.report["columns_out"],
        duty,
        called,
        checks,
        unmeasured,
        f"{project.number}-DA1",
    ):
        assert "".join(words.split()) in flat, words
    again = client.get(reverse("releases:agreement", args=[project.pk])).content.decode()
    assert reverse("documents:open", args=[document.pk]) in again
    # Nothing has changed: the same document serves.
    assert text_start(project, by=people["planner"]) is None


@needs_poppler
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_it_holds_the_organisations_own_clauses_and_is_another_text_then(
    client, approved, language, tmp_path
):
    project, planner = approved.project, approved.people["planner"]
    client.force_login(planner)
    text_start(project, by=planner)
    print_waiting(AGREEMENT_JOB)
    version = clauses_propose([CLAUSE], reason="ours", by=planner)
    clauses_decide(version, accept=True, reason="agreed", by=approved.people["administrator"])
    page = client.get(reverse("releases:agreement", args=[project.pk]), headers={"accept-language": language})
    assert reverse("organisation:clauses") in page.content.decode()
    text_start(project, by=planner)
    print_waiting(AGREEMENT_JOB)
    printed = Document.objects.filter(project_id=project.pk, kind=KIND, language=language).order_by(
        "created_at"
    )
    without, with_clauses = ("".join(text_of(one, tmp_path).split()) for one in printed)
    with translation.override(language):
        said = [CLAUSE.matter, CLAUSE.text, translation.gettext("The provider's own clauses")]
        enforced = translation.gettext("It is a proposal from what the portal enforces. Have legal counsel read it before it is signed.")  # fmt: skip
    for words in said:
        assert "".join(words.split()) in with_clauses
        assert "".join(words.split()) not in without
    enforced = "".join(enforced.split())
    assert (enforced in without, enforced in with_clauses) == (True, False), (
        "the portal enforces no clause of that kind"
    )


def test_nobody_else_prints_it_and_only_where_data_are_handed_over(client, approved):
    project, people = approved.project, approved.people
    for role in ("executor", "supervisor", "management"):
        with pytest.raises(Refused):
            text_start(project, by=people[role])
    project.sharing_type = SharingType.ENCLAVE
    with pytest.raises(Refused) as refused:
        text_start(project, by=people["planner"])
    assert refused.value.verdict.reason == "text_of_controlled"
    assert not Job.objects.filter(kind=AGREEMENT_JOB).exists()


def test_the_measures_are_those_that_the_assessment_counted(approved):
    project = approved.project
    assert measures_of(project) is None
    answers = {one.code: 0.0 for one in CONTROLS} | {"training": 1.0, "disposal": 0.5}
    planner = approved.people["planner"]
    given = {"project": project, "finding": {}, "made_by": planner}
    taken = {"taken_by": planner, "taken_at": timezone.now()}
    put(ContextAssessment, number=1, answers={"controls": answers}, **given, **taken)
    # A later one that the target has not taken over is not counted on.
    put(ContextAssessment, number=2, answers={"controls": answers | {"training": 0.0}}, **given)
    with translation.override("en"):
        said = measures_of(project)
    assert said == [
        ("Data beyond the retention period are disposed of", "in part"),
        ("Mandatory and continuing privacy and security training for everyone involved", "in force"),
    ]

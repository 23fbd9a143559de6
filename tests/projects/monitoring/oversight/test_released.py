"""Senior management's reviews of a project that was released: of every stage, with little asked, in report and package."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from approvals.decisions.models import ManagementOutcome
from projects.core.audit_package.checking import package_check
from projects.core.audit_package.services import package_take
from projects.core.audit_package.writing import pieces_of
from projects.core.evidence import content_of
from projects.monitoring.oversight.rules import may_review_records
from projects.monitoring.oversight.selectors import REVIEWED_STAGES
from projects.monitoring.oversight.services import records_review
from projects.verification.documents import report_document_context
from projects.verification.selectors import current_verification
from tests.projects.releases import stories

pytestmark = pytest.mark.django_db
START = stories.released
MOST = 21


@pytest.fixture
def released(own_start):
    return own_start.story.project


def record(project, people, stage, outcome=ManagementOutcome.SOUND, **more):
    return records_review(
        project,
        stage,
        content=content_of(project, stage).hash,
        object=f"The records of {stage}",
        time=timezone.now(),
        process="read in full",
        result="as it should be",
        measures="none needed",
        outcome=outcome,
        by=people.management,
        **more,
    )


def owed(people):
    return {
        "severity": "minor",
        "title": "A date is missing",
        "description": "The plan has no date.",
        "owner": people.planner,
        "due_on": timezone.localdate(),
    }


def statements(client, path):
    with CaptureQueriesContext(connection) as asked:
        assert client.get(path).status_code == 200
    return len(asked)


@pytest.mark.parametrize("stage", REVIEWED_STAGES)
def test_every_stage_is_reviewed_and_little_is_asked(released, people, client, stage):
    assert may_review_records(people.management, released, stage)
    client.force_login(people.management)
    path = reverse("monitoring:oversight", args=[released.pk, stage.value])
    pages = [path, *(reverse(name, args=[released.pk]) for name in ("monitoring:page", "core:project"))]
    client.get(path)
    before = [statements(client, page) for page in pages]
    record(released, people, stage, ManagementOutcome.DEVIATING, deviations=[owed(people)])
    after = [statements(client, page) for page in pages]
    assert max(*before, *after) <= MOST, (before, after)
    for _more in range(2):
        record(released, people, stage, ManagementOutcome.DEVIATING, deviations=[owed(people)])
    assert [statements(client, page) for page in pages] == after, "none for each review"


def test_the_approval_report_has_it_only_where_it_was_recorded(released, people):
    verification = current_verification(released)
    with translation.override("en"):
        before = report_document_context(verification, kind="approval_report")["parts"]
        assert not [one for one in before if "senior management" in one.title]
        stage = REVIEWED_STAGES[2]
        made = record(released, people, stage, ManagementOutcome.DEVIATING, deviations=[owed(people)])
        (part,) = [
            one
            for one in report_document_context(verification, kind="approval_report")["parts"]
            if "senior management" in one.title
        ]
        ((label, said),) = part.rows
        assert label == str(stage.label)
    for text in ("Deviations were found", "as it should be", made.subject_hash, "F1 A date is missing"):
        assert text in said


def test_the_audit_package_has_it_and_its_check_compares_it_with_the_log(released, people):
    made = record(released, people, REVIEWED_STAGES[0])
    content = b"".join(pieces_of(package_take(released, by=people.supervisor)))
    assert package_check(io.BytesIO(content)).faults == []
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        decisions = json.loads(archive.read("decisions.json"))
        (kept,) = decisions["management_reviews"]
        assert kept["subject"]["hash"] == made.subject_hash
        kept["outcome"] = "deviating"
        altered = io.BytesIO()
        with zipfile.ZipFile(altered, "w") as copy:
            for name in archive.namelist():
                copy.writestr(name, json.dumps(decisions) if name == "decisions.json" else archive.read(name))
    with translation.override("en"):
        faults = package_check(altered).faults
    assert [one for one in faults if one.startswith("No row of the log tells of the decision")]

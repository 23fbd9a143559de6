"""The approval report has the record of each sample of the result, the signed one too."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from projects.findings.inspected import services
from projects.findings.models import ResultSample
from projects.verification.documents import REPORT_KIND, SIGNED_KIND, report_document_context
from projects.verification.selectors import latest_verification
from projects.workflow import State
from tests.projects.findings.inspected.test_inspected import FOUND, looked, report
from tests.projects.verification import stories

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("kind", [REPORT_KIND, SIGNED_KIND])
def test_the_record_stands_in_the_report_whatever_state_the_project_is_in(story_at, people, kind):
    story = story_at(State.VERIFICATION, stories.measurable)
    story.verify()
    services.result_sample_draw(story.project, by=people.supervisor, size=20)
    story.run_jobs()
    one = looked(ResultSample.objects.select_related("project", "run").get(), people)
    verification = latest_verification(story.fresh())
    with override("en"):
        assert report_document_context(verification, kind=kind)["parts"] == []
    report(one, people, found=1, deviations=FOUND)
    story.review()
    if kind == SIGNED_KIND:
        story.approve_release()
    with override("en"):
        (part,) = report_document_context(latest_verification(story.fresh()), kind=kind)["parts"]
    ((number, text),) = part.rows
    assert number == "C1"
    for said in (
        "20 of 600 records",
        one.seed,
        one.sha256,
        str(people.supervisor),
        "F1 A value that names somebody",
    ):
        assert said in text

"""The trends count what happened in a year, for whom the projects are, in few statements."""

from __future__ import annotations

from datetime import timedelta

from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from approvals.decisions.models import SignOff
from projects.findings.enums import FindingSeverity, FindingSource
from projects.findings.services import finding_raise
from projects.incidents.enums import IncidentKind, IncidentSeverity
from projects.incidents.services import incident_raise
from projects.lessons.trends.presentation import pictures_of, rows_of
from projects.lessons.trends.selectors import trends_of
from projects.verification.models import Verification
from projects.verification.selectors import latest_verification
from projects.workflow import Stage
from tests.fixtures import make_project
from tests.projects.releases import stories

from ..test_lessons import BACKEND, SAID, recorded

START = stories.released
PAGE, API = reverse("trends:page"), reverse("api:trends")


def test_what_happened_is_counted_where_it_happened(monitored, people):
    now = timezone.localdate()
    quarter = (now.month - 1) // 3
    finding_raise(
        monitored.project, source=FindingSource.REVIEW, stage=Stage.PROCESSING, severity=FindingSeverity.MINOR,
        title="A note is missing", description="The note of the run is empty.", owner=people.executor,
        due_on=now + timedelta(days=7), by=people.supervisor,
    )  # fmt: skip
    incident_raise(
        monitored.project, kind=IncidentKind.MISUSE, severity=IncidentSeverity.MINOR, description="A copy too many.",
        noticed_at=timezone.now(), by=people.executor,
    )  # fmt: skip
    recorded(monitored, people)
    found = trends_of(people.management)
    here = found.quarters[quarter]
    assert (here.releases, here.findings, here.closed, here.incidents) == (1, 1, 0, 1)
    verification = latest_verification(monitored.project)
    assert here.risk == max(one.measured for one in verification.results if one.kind == "max_risk")
    decided = SignOff.objects.exclude(decided_at=None)
    assert len(here.waits) == decided.count() == 2
    assert [one.releases for place, one in enumerate(found.quarters) if place != quarter] == [0, 0, 0]
    assert (found.whole.releases, found.whole.risk, found.whole.wait) == (1, here.risk, here.wait)
    assert [one.to_change for one in found.lessons] == [SAID["to_change"]]
    with translation.override("en"):
        pictures = {one["title"]: one["data"] for one in pictures_of(found)}
    assert [count for _quarter, count in pictures["Findings raised"]].count(1) == 1
    # A quarter without a figure has no bar: nought would say that nobody was at risk.
    assert len(pictures["Greatest risk of any person in a release, in percent"]) == 1
    assert "Re-assessments concluded" not in pictures
    assert {len(row["cells"]) for row in rows_of(found)} == {5}


def test_another_year_and_other_peoples_projects_count_nothing(monitored, people):
    assert trends_of(people.outsider).whole.releases == 0
    this = timezone.localdate().year
    assert trends_of(people.management, this - 1).year == trends_of(people.management, 9999).year == this


def test_a_release_that_was_never_measured_is_counted_and_not_guessed(monitored, people):
    QuerySet(Verification).update(checks=[])
    whole = trends_of(people.management).whole
    assert (whole.risk, whole.unmeasured, whole.releases) == (None, 1, 1)


def test_on_the_page_and_in_the_api(monitored, people, client):
    recorded(monitored, people)
    client.force_login(people.auditor, backend=BACKEND)
    shown = client.get(PAGE, headers={"accept-language": "en"}).content.decode()
    assert SAID["to_change"] in shown
    assert "Greatest risk of any person in a release" in shown
    answer = client.get(API).json()
    assert sum(one["releases"] for one in answer["quarters"]) == 1
    assert client.get(API, {"year": "x"}).status_code == 400
    assert client.get(PAGE, {"year": "x"}).status_code == 200


def test_however_many_projects_there_are_it_asks_the_same(monitored, people, client):
    client.force_login(people.auditor, backend=BACKEND)
    client.get(PAGE)
    asked = []
    for more in (0, 3):
        for number in range(more):
            make_project(people, f"Another {number}")
        with CaptureQueriesContext(connection) as few:
            client.get(PAGE)
        asked.append(len(few))
    assert asked[0] == asked[1] <= 25

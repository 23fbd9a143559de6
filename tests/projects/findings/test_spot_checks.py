"""Spot checks of records: drawn among released projects, redrawn from what is kept, recorded by auditors (12.3 c)."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from approvals.governance.verdict import Refused
from deid_portal.accounts.services import user_create
from projects.core.selectors import history_of
from projects.core.tasks_registry import tasks_of
from projects.findings.draw import drawn
from projects.findings.enums import CheckResult, FindingSeverity, FindingSource
from projects.findings.models import Finding, SpotCheck
from projects.findings.origins import origin_find
from projects.findings.selectors import checked_steps
from projects.findings.services import checked_step_deviates, checked_step_record, spot_check_draw
from projects.monitoring.models import Reassessment
from tests.fixtures import PASSWORD
from tests.pages import sent_nowhere
from tests.projects.releases.stories import released

pytestmark = pytest.mark.django_db
START = released


@pytest.fixture
def story(own_start):
    return own_start.story


@pytest.fixture
def check(story, people):
    return spot_check_draw(size=2, reason="as every month", by=people.auditor)


def test_what_is_kept_draws_the_same_again(check, story):
    number = story.project.number
    assert all(entry.startswith(f"{number}/") for entry in check.population)
    again = drawn(check.population, seed=check.seed, size=check.size)
    assert [f"{one.project.number}/{one.stage}" for one in checked_steps(check)] == again


def test_only_auditors_draw(people, story):
    for who in ("assessor", "supervisor", "planner", "administrator"):
        with pytest.raises(Refused):
            spot_check_draw(size=1, reason="why not", by=getattr(people, who))
    assert not SpotCheck.objects.exists()


def test_sound_records_are_said_once(check, people, story):
    first, second = checked_steps(check)
    done = checked_step_record(first, remark="Plan, review and hash are there.", by=people.auditor)
    assert (done.result, done.checked_by) == (CheckResult.SOUND, people.auditor)
    with pytest.raises(Refused):
        checked_step_record(done, remark="again", by=people.auditor)
    assert history_of(story.project).first().action == "spot_check.sound"
    assert [one.hint for one in tasks_of(people.auditor) if one.word == str(check)] == [
        second.get_stage_display()
    ]


@pytest.mark.parametrize(
    "left", [{"is_active": False}, {"post": "staff"}, {"access_until": date(2026, 1, 1)}]
)
def test_what_somebody_drew_who_left_waits_for_every_auditor(check, people, left):
    other = user_create(
        username="second", password=PASSWORD, full_name="Second Auditor", post="auditor", by=None
    )

    def waiting(who):
        return [one for one in tasks_of(who) if one.word == str(check)]

    assert (len(waiting(people.auditor)), waiting(other), waiting(people.assessor)) == (2, [], [])
    type(other).objects.filter(pk=people.auditor.pk).update(**left)
    assert len(waiting(other)) == 2
    assert waiting(people.assessor) == []
    done = checked_step_record(checked_steps(check)[0], remark="All there.", by=other)
    assert done.checked_by == other


def test_a_deviation_is_a_finding_with_owner_and_day(check, people):
    step = checked_steps(check)[0]
    made = checked_step_deviates(
        step,
        severity=FindingSeverity.MAJOR,
        title="A record is missing",
        description="No note says why.",
        owner=people.executor,
        due_on=timezone.localdate() + timedelta(days=3),
        by=people.auditor,
    )
    assert (made.source, made.origin_id, made.stage) == (FindingSource.SPOT_CHECK, step.pk, step.stage)
    assert str(check) in origin_find(made.project, made.source, made.origin_id).label
    step.refresh_from_db()
    assert (step.result, step.remark) == (CheckResult.DEVIATING, "No note says why.")


def test_a_refused_finding_leaves_the_step_open(check, people):
    step = checked_steps(check)[0]
    with pytest.raises(Refused):
        checked_step_deviates(
            step,
            severity=FindingSeverity.MINOR,
            title="x",
            description="y",
            owner=people.auditor,
            due_on=timezone.localdate(),
            by=people.auditor,
        )
    step.refresh_from_db()
    assert step.result == CheckResult.OPEN
    assert not Finding.objects.exists()


def test_the_pages_show_seed_and_population_to_who_reads_all(client, people, check, story):
    here = reverse("finding_board:spot_check", args=[check.pk])
    client.force_login(people.supervisor, backend="deid_portal.accounts.backends.AccountBackend")
    assert client.get(here).status_code == 404
    own = client.get(reverse("findings:page", args=[story.project.pk])).content.decode()
    assert str(check) in own
    client.force_login(people.auditor, backend="deid_portal.accounts.backends.AccountBackend")
    shown = client.get(here).content.decode()
    assert check.seed in shown
    assert check.population[0] in shown
    step = reverse("finding_board:checked_step", args=[check.pk, 1])
    assert client.post(step, {"remark": ""}).status_code == 422
    deviates = reverse("finding_board:checked_step_deviates", args=[check.pk, 1])
    refused = client.post(deviates, {"title": "Not complete"})
    assert refused.status_code == 422
    assert sent_nowhere(refused.content.decode()) == []
    assert client.post(step, {"remark": "all of it"}).status_code == 302
    drawn_again = client.post(reverse("finding_board:spot_checks"), {"size": 1, "reason": "more"})
    assert drawn_again.status_code == 302


def test_a_re_assessment_and_a_review_lead_to_a_finding(client, people, story):
    client.force_login(people.supervisor, backend="deid_portal.accounts.backends.AccountBackend")
    found = Reassessment.objects.get()
    here = reverse("findings:raise_from", args=[story.project.pk, "reassessment", found.pk])
    assert (
        here
        in client.get(reverse("monitoring:reassessment", args=[story.project.pk, found.pk])).content.decode()
    )
    assert (
        "/findings/raise/review/"
        in client.get(reverse("monitoring:page", args=[story.project.pk])).content.decode()
    )
    sent = {
        "severity": "minor",
        "title": "Late",
        "description": "It came late.",
        "owner": people.executor.pk,
        "due_on": timezone.localdate(),
    }
    assert client.post(here, sent).status_code == 302
    made = Finding.objects.get()
    assert (made.source, made.origin_id, made.stage) == (FindingSource.REASSESSMENT, found.pk, "release")
    shown = client.get(reverse("board:portfolio"), headers={"accept-language": "en"}).content.decode()
    assert "Finding F1, Executor Person: Late (To be put right)" in shown

"""A recipient whose time is over states that their copy is destroyed; planner and certificate say who has not."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from approvals.governance.verdict import Refused
from deid_portal.demo.story import run_jobs
from projects.core.tasks_registry import tasks_of
from projects.disposal.documents import certificate_context
from projects.disposal.enums import DESTROY_JOB
from projects.disposal.services import disposal_carry_out, disposal_propose
from projects.jobs.selectors import latest_job
from projects.jobs.services import job_run
from projects.releases.deliveries.copies.rules import may_state
from projects.releases.deliveries.copies.selectors import DAYS, copies_of
from projects.releases.deliveries.copies.services import copy_state
from projects.releases.models import CopyStatement, Release
from projects.releases.services import agreement_end
from projects.workflow import State
from tests.projects.releases import stories
from tests.projects.rows import change, delete, put, refused

pytestmark = pytest.mark.django_db


def START(people):
    """Released, and fetched by its recipient."""
    story = stories.released(people)
    story.fetch()
    return story


@pytest.fixture
def fetched(story_at):
    return story_at(State.MONITORING, START)


@pytest.fixture
def release(fetched):
    return Release.objects.get(project=fetched.project)


def todo(person):
    return [one for one in tasks_of(person) if one.icon == "trash" and "copy" in one.url]


def test_as_long_as_it_may_be_used_nothing_is_asked(fetched, people, release):
    assert may_state(people.recipient, release).code == "copy_may_be_kept"
    assert todo(people.recipient) == []
    assert [one.is_missing for one in copies_of(fetched.project)] == [False]


def test_once_the_release_has_ended_its_recipient_states_what_became_of_it(fetched, people, release, client):
    fetched.close()
    release.refresh_from_db()
    (task,) = todo(people.recipient)
    assert task.deadline.due == timezone.localdate() + timedelta(days=DAYS)
    client.force_login(people.recipient)
    url = reverse("recipient_copies:page", args=[release.pk])
    assert task.url == url
    assert client.post(url, {"how": "deleted", "confirmed": ""}).status_code == 422
    assert client.post(url, {"how": " ", "confirmed": "on"}).status_code == 422
    assert client.post(url, {"how": "Disk wiped, backup deleted", "confirmed": "on"}).status_code == 302
    assert todo(people.recipient) == []
    assert CopyStatement.objects.get().how == "Disk wiped, backup deleted"
    with pytest.raises(Refused) as error:
        copy_state(release, how="again", by=people.recipient)
    assert error.value.verdict.code == "copy_stated"
    client.force_login(people.planner)
    page = client.get(reverse("disposal:page", args=[fetched.project.pk]), headers={"accept-language": "en"})
    assert "Disk wiped, backup deleted" in page.content.decode()


def test_an_agreement_that_has_ended_asks_for_it_too(fetched, people, release):
    agreement_end(fetched.project.agreements.get(ended_at=None), why="misuse", by=people.planner)
    assert may_state(people.recipient, release)
    assert len(todo(people.recipient)) == 1


@pytest.mark.parametrize("who", ["planner", "executor", "supervisor", "auditor", "outsider"])
def test_nobody_states_it_for_another(fetched, people, release, who):
    fetched.close()
    with pytest.raises(Refused) as error:
        copy_state(Release.objects.get(pk=release.pk), how="deleted", by=getattr(people, who))
    assert error.value.verdict.code == "copy_not_fetched"


@pytest.mark.parametrize("stated", [True, False])
def test_the_certificate_says_who_has_confirmed_and_who_has_not(fetched, people, release, stated):
    fetched.close()
    if stated:
        copy_state(Release.objects.get(pk=release.pk), how="Disk wiped", by=people.recipient)
    run_jobs(documents=False)
    disposal = disposal_propose(fetched.project, reason="over", by=people.planner)
    disposal_carry_out(disposal, reason="over", by=people.supervisor)
    job_run(latest_job(fetched.project, DESTROY_JOB).pk)
    disposal.refresh_from_db()
    with translation.override("en"):
        context = certificate_context(disposal)
    said = context["weigh"][-1]
    assert (str(people.recipient) in said) is not stated
    ((_who, said_of_it),) = context["copies"]
    assert ("not confirmed" in said_of_it) is not stated
    assert ("Disk wiped" in said_of_it) is stated
    if not stated:
        # What is stated later is on the page, and the certificate stays what it was.
        copy_state(Release.objects.get(pk=release.pk), how="Disk wiped", by=people.recipient)
        disposal.refresh_from_db()
        with translation.override("en"):
            assert certificate_context(disposal)["copies"] == context["copies"]


def test_the_database_keeps_what_was_stated(fetched, people, release):
    fetched.close()
    row = copy_state(Release.objects.get(pk=release.pk), how="Disk wiped", by=people.recipient)
    with refused("stays"):
        change(row, how="not at all")
    with refused("stays"):
        delete(row)
    with refused("fetched nothing"):
        put(CopyStatement, release=release, recipient=people.planner, how="deleted")

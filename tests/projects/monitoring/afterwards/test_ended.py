"""A re-assessment that is open when the last copy is destroyed ends by itself; what was concluded stays."""

from __future__ import annotations

from random import Random

import pytest
from django.urls import reverse
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.accounts.models import User
from deid_portal.demo.story import run_jobs
from projects.core.models import Notification
from projects.core.tasks_registry import tasks_of
from projects.monitoring.afterwards.enums import NONE_LEFT, LaterOutcome
from projects.monitoring.afterwards.selectors import laters_of_nothing, out_of
from projects.monitoring.afterwards.services import later_end, later_end_all, later_open
from projects.monitoring.models import LaterReassessment
from projects.monitoring.tasks import open_due
from projects.releases.deliveries.copies.services import copy_state
from projects.releases.models import CopyStatement, Release
from projects.workflow import State
from tests.projects.monitoring.afterwards.steps import concluded, handed_to, recipient_more
from tests.projects.releases import stories
from tests.projects.rows import change, put, refused

pytestmark = pytest.mark.django_db
MORE = 3
ENGLISH = {"accept-language": "en"}


def START(people):
    """Released to four, fetched by one of them, closed, and the re-assessment of the copy open and measured."""
    story = stories.released(people)
    for number in range(MORE):
        recipient_more(story.project, people, number)
    story.fetch()
    story.close()
    run_jobs(documents=False)
    later_open(Release.objects.get(project=story.project), by=people.supervisor)
    run_jobs(documents=False)
    story.project.refresh_from_db()
    return story


@pytest.fixture
def later(story_at):
    story = story_at(State.CLOSED, START)
    return LaterReassessment.objects.select_related("project", "release__project").get(project=story.project)


def stated(later, by):
    return copy_state(Release.objects.select_related("project").get(pk=later.release_id), how="wiped", by=by)


def as_it_is(later):
    return LaterReassessment.objects.filter(pk=later.pk).values().get()


def todo(person):
    return [one for one in tasks_of(person) if one.url.endswith("/afterwards/")]


def test_the_statement_about_the_last_copy_ends_it(later, people, client, django_capture_on_commit_callbacks):
    assert todo(people.supervisor)
    with django_capture_on_commit_callbacks(execute=True):
        stated(later, people.recipient)
    later.refresh_from_db()
    assert (later.outcome, later.reason, later.concluded_by) == (LaterOutcome.ENDED, NONE_LEFT, None)
    assert later.concluded_at is not None
    assert (later.answers, later.found["copies"], later.found["stated"]) == ({}, [], 1)
    destroyed, ended = (
        AuditEvent.objects.get(action=action) for action in ("copy.destroyed", "later_reassessment.ended")
    )
    assert destroyed.act == ended.act
    assert (destroyed.actor, ended.actor) == (str(people.recipient), "portal")
    news = Notification.objects.filter(action="later_reassessment.ended")
    assert [one.user for one in news] == [people.supervisor]
    assert todo(people.supervisor) == []
    client.force_login(people.supervisor)
    address = reverse("monitoring:later", args=[later.project_id, later.pk])
    page = client.get(address, headers=ENGLISH).content.decode()
    assert "Ended by itself" in page
    assert NONE_LEFT in page
    assert "None ·" not in page
    assert client.post(address, {"outcome": "nothing"}).status_code == 403
    detail = reverse("api:later-reassessments-detail", args=[later.project_id, later.pk])
    shown = client.get(detail, headers=ENGLISH).json()
    assert (shown["outcome"], shown["reason"], shown["answers"]) == ("ended", NONE_LEFT, None)
    chinese = client.get(detail, headers={"accept-language": "zh-hans"}).json()
    assert chinese["reason"] != NONE_LEFT
    assert open_due() == 0


def test_the_clock_ends_what_was_left_open(later, people):
    """A statement of before the portal ended anything by itself."""
    put(CopyStatement, release=later.release, recipient=people.recipient)
    assert list(laters_of_nothing()) == [later]
    open_due()
    later.refresh_from_db()
    assert later.outcome == LaterOutcome.ENDED
    assert later_end_all() == 0


def test_a_missed_target_waits_for_somebody(later, people):
    """The last recipient's statement takes no judgement from the supervisor."""
    change(later, met=False)
    stated(later, people.recipient)
    assert list(laters_of_nothing()) == []
    later.refresh_from_db()
    with pytest.raises(Refused) as error:
        later_end(later)
    assert error.value.verdict.code == "target_missed"
    with refused("no target was missed"):
        change(later, outcome=LaterOutcome.ENDED, reason=NONE_LEFT, concluded_at=timezone.now())
    concluded(later, people)
    later.refresh_from_db()
    assert later.outcome == LaterOutcome.NOTHING


def test_nothing_that_was_concluded_changes(later, people):
    concluded(later, people)
    before = as_it_is(later)
    stated(later, people.recipient)
    assert later_end_all() == 0
    assert as_it_is(later) == before
    assert not AuditEvent.objects.filter(action="later_reassessment.ended").exists()


def test_it_is_not_ended_while_a_copy_is_out(later):
    with pytest.raises(Refused) as error:
        later_end(later)
    assert error.value.verdict.code == "still_out"
    assert later_end_all() == 0
    assert as_it_is(later)["outcome"] == ""


def test_nobody_concludes_so(later, people, client):
    client.force_login(people.supervisor)
    answers = {name: {"yes": False} for name in ("other_data", "techniques", "surroundings", "misuse")}
    sent = {"outcome": "ended", "reason": "all gone", "answers": answers}
    there = reverse("api:later-reassessments-conclude", args=[later.project_id, later.pk])
    assert client.post(there, sent, "application/json").status_code == 400
    sent = dict.fromkeys(("data", "techniques", "surroundings", "misuse"), "no") | {
        "reason": "all gone",
        "outcome": "ended",
    }
    page = client.post(reverse("monitoring:later", args=[later.project_id, later.pk]), sent)
    assert page.status_code == 422
    assert "outcome" in page.context["form"].errors


def test_the_database_lets_none_end_while_a_copy_is_out(later, people):
    said = {"outcome": "ended", "reason": "so", "found": {"copies": []}, "concluded_at": timezone.now()}
    with refused("ends by itself when no copy is out any more and no target was missed"):
        change(later, **said)
    put(CopyStatement, release=later.release, recipient=people.recipient)
    with refused("later_conclusion_whole_or_absent|CHECK"):
        change(later, **said, concluded_by=people.supervisor)
    change(later, **said)
    with refused("stays as it was opened and concluded"):
        change(later, reason="another")


@pytest.mark.parametrize("seed", range(12))
def test_it_is_open_exactly_as_long_as_a_copy_is_out(later, people, seed):
    """Whoever has copies, in whichever order they state it, and whether the act or the clock sees it."""
    draw = Random(seed)
    release = later.release
    others = User.objects.filter(
        username__in=[f"recipient{number}" for number in range(draw.randrange(MORE + 1))]
    )
    holders = [people.recipient, *others]
    for one in others:
        handed_to(release, one)
    draw.shuffle(holders)
    for number, holder in enumerate(holders, 1):
        if draw.random() < 0.5:
            stated(later, holder)
        else:
            put(CopyStatement, release=release, recipient=holder)
        if draw.random() < 0.5 or number == len(holders):
            open_due()
        later.refresh_from_db()
        assert bool(out_of(release)) is (later.outcome == "") is (number < len(holders))
    assert later.outcome == LaterOutcome.ENDED

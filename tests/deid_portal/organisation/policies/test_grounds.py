"""Projects rest on versions of the library; a newer one opens change events of live releases (4.2 a, 5.6.2)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from deid_portal.demo.story import SCOPE
from deid_portal.organisation.policies.enums import PolicyKind
from deid_portal.organisation.policies.selectors import resting_seen
from deid_portal.organisation.policies.services import version_decide, version_propose
from projects.core.models import Notification
from projects.monitoring.enums import ChangeKind
from projects.monitoring.models import ChangeEvent, Reassessment
from projects.objective import services as objective
from projects.objective.completeness import missing_items
from projects.objective.models import Objective, PlanVersion
from projects.objective.selectors import plan_hash, plan_work
from projects.workflow import State
from tests.deid_portal.organisation.policies.test_policies import approved, wording
from tests.projects.releases.stories import make_story

pytestmark = pytest.mark.django_db


def newer(people, version, *, accept=True):
    second = version_propose(
        version.policy, wording=wording("Stricter."), document=None, reason="amended", by=people.planner
    )
    by = people.management if second.by_management else people.administrator
    return version_decide(second, accept=accept, reason="as published", by=by)


def law(people, regulation="pipl", **more):
    return approved(people, kind=PolicyKind.LAW, title=f"Law {regulation}", regulation=regulation, **more)


def test_without_a_library_a_plan_keeps_its_hash(people):
    story = make_story(people)
    story.reach(State.PLAN_APPROVAL)
    assert Objective.objects.get().rests_on is None
    assert "rests_on" not in plan_work(story.project)
    before = plan_hash(story.project)
    law(people)
    assert plan_hash(story.project) == before, "what was submitted stays what it was"


def test_a_scope_rests_on_what_it_names_and_on_what_all_rest_on(people, project):
    pipl = law(people)
    law(people, "csl")
    house = approved(people, title="Our policy", every_project=True)
    project = objective.sharing_choose(project, sharing_type="controlled", by=people.planner)
    objective.scope_save(project, scope=SCOPE, by=people.planner)
    rests_on = Objective.objects.get().rests_on
    assert {one["policy"] for one in rests_on} == {str(pipl.policy_id), str(house.policy_id)}
    assert {one["hash"] for one in rests_on} == {pipl.content_hash, house.content_hash}


def test_before_submission_a_newer_version_has_to_be_read(people, project):
    version = law(people)
    project = objective.sharing_choose(project, sharing_type="controlled", by=people.planner)
    objective.scope_save(project, scope=SCOPE, by=people.planner)

    def said():
        return [
            item
            for item in missing_items(project)
            if "library" in str(item.text) or "制度库" in str(item.text)
        ]

    assert said() == []
    newer(people, version)
    assert len(said()) == 1
    news = Notification.objects.filter(action="policy.superseded")
    assert news.count() == 0, "left on commit"
    objective.scope_save(project, scope=SCOPE, by=people.planner)
    assert said() == []
    assert [one["version"] for one in Objective.objects.get().rests_on] == [2]


def test_a_newer_version_reassesses_live_releases_that_rest_on_the_earlier(people, client):
    version = law(people)
    other = law(people, "csl")
    story = make_story(people)
    story.reach(State.MONITORING)
    project = story.project
    assert "rests_on" in PlanVersion.objects.get(project=project).content
    before = plan_hash(project)
    newer(people, other)
    newer(people, version, accept=False)
    assert not ChangeEvent.objects.exists(), "neither another law nor a version that was turned down"
    newer(people, version)
    change = ChangeEvent.objects.get()
    assert (change.project, change.kind, change.reported_by) == (project, ChangeKind.RULES, None)
    assert "Law pipl" in change.said
    assert Reassessment.objects.get(change=change).opened_at is not None
    assert plan_hash(project) == before, "what was signed stays what it was"
    client.force_login(people.planner)
    page = client.get(reverse("objective:page", args=[project.pk]), headers={"accept-language": "en"})
    assert "The policy library has changed since this target was described" in page.content.decode()
    assert resting_seen(version.policy, people.planner) == [(project, 1)]
    assert resting_seen(version.policy, people.outsider) == []


def test_what_became_outdated_before_the_release_is_looked_at_once_it_is_live(people):
    version = law(people)
    story = make_story(people)
    story.reach(State.PROCESSING)
    newer(people, version)
    assert not ChangeEvent.objects.exists()
    for step in (
        story.process,
        story.review,
        story.verify,
        story.review,
        story.approve_release,
        story.release,
    ):
        story.project.refresh_from_db()
        step()
    assert ChangeEvent.objects.get().kind == ChangeKind.RULES


def test_the_day_it_takes_effect_stands_in_the_change(people):
    version = law(people)
    story = make_story(people)
    story.reach(State.MONITORING)
    day = timezone.localdate() + timedelta(days=60)
    second = version_propose(
        version.policy,
        wording=wording("Later.", effective_on=day),
        document=None,
        reason="amended",
        by=people.planner,
    )
    version_decide(second, accept=True, reason="as published", by=people.administrator)
    assert day.isoformat() in ChangeEvent.objects.get().said


def test_the_plan_names_the_version_on_paper_and_in_the_api(people, client):
    version = law(people)
    story = make_story(people)
    story.reach(State.PLAN_APPROVAL)
    client.force_login(people.planner)
    said = client.get(reverse("api:objective-detail", args=[story.project.pk])).json()
    assert [one["hash"] for one in said["rests_on"]] == [version.content_hash]
    page = client.get(reverse("objective:page", args=[story.project.pk])).content.decode()
    assert version.content_hash[:12] in page

"""A re-assessment says what other releases tell of the same persons, those to the same recipients above all."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from deid_portal.accounts.services import user_create
from projects.core.enums import SharingType
from projects.core.models import Project
from projects.monitoring.acceptance.services import risk_accept
from projects.monitoring.documents import report_context
from projects.monitoring.models import Reassessment
from projects.monitoring.presentation import met_text, relations_texts
from projects.monitoring.relations import relations_of
from projects.monitoring.report import Relations, RemeasuredCheck, Remeasurement
from projects.monitoring.selectors import is_nothing_new
from projects.monitoring.services import reassessment_conclude, reassessment_open_early
from projects.releases.models import Release
from projects.releases.relatives.selectors import run_shown
from projects.releases.services import release_end
from projects.workflow.posts import Post
from tests.fixtures import PASSWORD
from tests.projects.processing.recipes.test_recipes import refused
from tests.projects.releases.relatives.test_relatives import OtherUnmeasured, Unmeasured, released
from tests.projects.releases.relatives.test_relatives import measured as measured_together
from tests.projects.rows import unkept

pytestmark = pytest.mark.django_db


def START(people):
    released(people)
    return released(people, "Second study", kind=OtherUnmeasured)


@pytest.fixture
def second(own_start):
    return own_start.story


def looked_back(story):
    made = Reassessment.objects.filter(project=story.project, change=None, concluded_at=None).get()
    made = reassessment_open_early(made, by=story.people["supervisor"])
    story.run_jobs()
    return Reassessment.objects.select_related("project", "release").get(pk=made.pk)


def test_they_are_asked_and_what_was_found_together_is_said(second, people, client):
    made = looked_back(second)
    unmeasured = made.remeasured.relations
    assert (unmeasured.releases, unmeasured.shared, unmeasured.measurement) == (1, 1, "")
    assert not unmeasured.is_settled
    assert not is_nothing_new(made)
    assert made.meets_targets
    # What is open is measured again by itself.
    measured = measured_together(second)
    made = Reassessment.objects.select_related("project", "release").get(pk=made.pk)
    found = made.remeasured.relations
    assert (found.releases, found.shared, found.measurement) == (1, 1, str(measured))
    assert found.persons == 1
    assert found.risky > 0
    assert not found.is_settled
    assert not is_nothing_new(made)
    client.force_login(people.supervisor)
    page = reverse("monitoring:reassessment", args=[made.project_id, made.pk])
    said = client.get(page, headers={"accept-language": "en"}).content.decode()
    assert "Live ones among them held by recipients of this one too: 1" in said
    assert str(measured) in said
    with override("en"):
        context = report_context(made)
    assert context["relations"] == [line for line in context["relations"] if line in said]
    assert any(str(measured) in line for line in context["weigh"])


def test_what_one_recipient_holds_is_not_kept_by_the_supervisor_alone(second, people, client):
    """The recipient of both can find three women by the two releases; each alone keeps its targets."""
    made = looked_back(second)
    measured_together(second)
    made.refresh_from_db()
    assert (made.remeasured.met_alone, made.remeasured.tells_more_together, made.met) == (True, True, False)
    assert made.remeasured.relations.in_one_hand == made.remeasured.relations.risky == 1
    with refused("targets_not_met"):
        reassessment_conclude(made, outcome="keep", finding="It stays.", by=people.supervisor)
    client.force_login(people.supervisor)
    page = reverse("monitoring:reassessment", args=[made.project_id, made.pk])
    said = client.get(page, headers={"accept-language": "en"}).content.decode()
    assert "together with other releases not every target is still met" in said
    assert "combinations that one recipient can hold whole: 1." in said
    with override("en"):
        assert "together with other releases" in report_context(made)["met_text"]
    until = timezone.localdate() + timedelta(days=30)
    risk_accept(made, until=until, reason="Both are read in one enclave.", by=people.management)
    reassessment_conclude(made, outcome="keep", finding="Accepted.", by=people.supervisor)
    made.refresh_from_db()
    assert made.outcome == "keep"


def test_what_nobody_holds_together_is_said_and_stops_nobody(second, people):
    """A third study tells as much together with the second as the first does, but its recipient has neither of them."""
    other = user_create(username="other", password=PASSWORD, full_name="Other", post=Post.RECIPIENT, by=None)
    third = released(SimpleNamespace(**vars(people) | {"recipient": other}), "Third study", kind=Unmeasured)
    run = run_shown(second.project)
    measured_together(second)
    found = relations_of(run)
    assert (found.sets, found.risky, found.in_one_hand) == (3, 3, 1)
    # Who has either of the others has what is public too, and nobody has both of them.
    run.project.sharing_type = SharingType.PUBLIC
    assert relations_of(run).in_one_hand == 2
    run.project.sharing_type = SharingType.CONTROLLED
    with unkept():
        models.QuerySet(Project).filter(pk=third.project.pk).update(sharing_type=SharingType.PUBLIC)
        assert relations_of(run).in_one_hand == 3


def test_one_that_has_ended_is_held_no_more_by_a_live_release(second, people):
    other = Release.objects.exclude(project=second.project).get()
    release_end(other, why="ended", by=people.supervisor)
    found = looked_back(second).remeasured.relations
    assert (found.releases, found.shared) == (1, 0)


@pytest.mark.parametrize(
    ("alone", "in_one_hand", "said"),
    [
        (True, 0, "Measured again: every target is still met"),
        (True, 1, "Measured again: together with other releases not every target is still met"),
        (False, 0, "Measured again: not every target is still met"),
        (False, 1, "Measured again: not every target is still met"),
    ],
)
def test_the_headline_says_whether_it_is_the_release_alone(alone, in_one_hand, said):
    checks = [RemeasuredCheck(kind="k", met=True), RemeasuredCheck(kind="average", met=alone)]
    relations = Relations(releases=1, measurement="B1", sets=1, risky=1, in_one_hand=in_one_hand)
    measured = Remeasurement(checks=checks, relations=relations, met=alone and not in_one_hand)
    assert measured.met == (measured.met_alone and not measured.tells_more_together)
    with override("en"):
        assert met_text(measured) == said


def test_what_is_said_of_each_state():
    with override("en"):
        assert relations_texts(None) == []
        assert "no other release was known" in relations_texts(Relations())[0]
        unmeasured = Relations(releases=2)
        assert relations_texts(unmeasured) == [
            "Other releases that may concern the same persons: 2.",
            "None of those that are live is held by a recipient of this one.",
            "What they reveal together with this release was not measured yet.",
        ]
        measured = Relations(releases=2, shared=1, persons=3, measurement="B1", sets=3, risky=1, failed=1)
        assert relations_texts(measured)[1:] == [
            "Live ones among them held by recipients of this one too: 1; recipients who hold several: 3.",
            "Measured together as B1: of 3 combinations 1 reveal more than one release alone.",
            "1 of them could not be measured.",
        ]
        measured = Relations(releases=2, measurement="B1", sets=3, risky=2, in_one_hand=1)
        assert relations_texts(measured)[-1] == "Of these, combinations that one recipient can hold whole: 1."
    assert Relations().is_settled
    assert not unmeasured.is_settled
    assert Relations(releases=2, measurement="B1").is_settled
    assert not Relations(releases=2, measurement="B1", failed=1).is_settled

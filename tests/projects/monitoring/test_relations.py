"""A re-assessment says what other releases tell of the same persons, those to the same recipients above all."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils.translation import override

from projects.monitoring.documents import report_context
from projects.monitoring.models import Reassessment
from projects.monitoring.presentation import relations_texts
from projects.monitoring.report import Relations
from projects.monitoring.selectors import is_nothing_new
from projects.monitoring.services import reassessment_measure_again, reassessment_open_early
from projects.releases.models import Release
from projects.releases.services import release_end
from tests.projects.releases.relatives.test_relatives import OtherRecipe, released
from tests.projects.releases.relatives.test_relatives import measured as measured_together

pytestmark = pytest.mark.django_db


def START(people):
    released(people)
    return released(people, "Second study", kind=OtherRecipe)


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
    measured = measured_together(second)
    reassessment_measure_again(made, by=people.supervisor)
    second.run_jobs()
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


def test_one_that_has_ended_is_held_no_more_by_a_live_release(second, people):
    other = Release.objects.exclude(project=second.project).get()
    release_end(other, why="ended", by=people.supervisor)
    found = looked_back(second).remeasured.relations
    assert (found.releases, found.shared) == (1, 0)


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
    assert Relations().is_settled
    assert not unmeasured.is_settled
    assert Relations(releases=2, measurement="B1").is_settled
    assert not Relations(releases=2, measurement="B1", failed=1).is_settled

"""A recipient is told the word and the reasons by the API."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import translation

from projects.processing.models import Run
from projects.processing.runs.designation.rule import Designation, Evidence
from projects.releases.deliveries.notice import designation_of_release
from projects.releases.providers import bound_recipients, held_against
from projects.releases.selectors import current_release
from projects.releases.services import agreement_end
from tests.projects.releases import stories

pytestmark = pytest.mark.django_db
START = stories.released
ENGLISH = {"accept-language": "en"}


def test_the_api_tells_the_recipient(own_start, people, client):
    release = current_release(own_start.story.project)
    assert release is not None
    client.force_login(people.recipient)
    answered = client.get(reverse("api:receive-detail", args=[release.pk]), headers=ENGLISH).json()[
        "designation"
    ]
    with translation.override("en"):
        found = designation_of_release(release)
    assert found is not None
    assert answered["code"] in (Designation.DEIDENTIFIED, Designation.ANONYMISED)
    assert (answered["name"], answered["reasons"]) == (found.name, found.reasons)


def test_a_recipient_who_is_no_longer_bound_counts_against_a_stronger_word(own_start, people):
    release = current_release(own_start.story.project)
    assert release is not None
    run = Run.objects.get(pk=release.run_id)

    def known() -> Evidence:
        return held_against(run, bound_recipients(run, Evidence(public=False)))

    before = known()
    assert before.bound == before.recipients > 0
    agreement_end(release.project.agreements.get(ended_at=None), why="The study is over.", by=people.planner)
    assert known().bound == before.recipients - 1

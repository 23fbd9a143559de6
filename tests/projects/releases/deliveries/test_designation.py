"""A recipient reads the same word and the same reasons on the page and by the API."""

from __future__ import annotations

import pytest
from django.urls import reverse

from projects.processing.models import Run
from projects.processing.runs.designation.rule import Designation, Evidence
from projects.releases.providers import bound_recipients, held_against
from projects.releases.selectors import current_release
from projects.releases.services import agreement_end
from tests.projects.releases import stories

pytestmark = pytest.mark.django_db
START = stories.released
ENGLISH = {"accept-language": "en"}


def test_page_of_the_recipient_and_api_agree(own_start, people, client):
    release = current_release(own_start.story.project)
    assert release is not None
    api = reverse("api:receive-detail", args=[release.pk])
    client.force_login(people.recipient)
    answered = client.get(api, headers=ENGLISH).json()["designation"]
    said = client.get(reverse("recipient:detail", args=[release.pk]), headers=ENGLISH).content.decode()
    assert answered["code"] in (Designation.DEIDENTIFIED, Designation.ANONYMISED)
    assert answered["name"] in said
    assert all(sentence in said for sentence in answered["reasons"])


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

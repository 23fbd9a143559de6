"""Planner and recipient read the same word and the same reasons about what was released."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import translation

from projects.processing.runs.designation.rule import Designation
from projects.releases.deliveries.notice import designation_of_release
from projects.releases.selectors import current_release
from projects.releases.services import agreement_end
from tests.projects.releases import stories

pytestmark = pytest.mark.django_db
START = stories.released
ENGLISH = {"accept-language": "en"}


def test_page_of_planner_and_recipient_and_api_agree(own_start, people, client):
    release = current_release(own_start.story.project)
    assert release is not None
    api = reverse("api:receive-detail", args=[release.pk])
    client.force_login(people.recipient)
    answered = client.get(api, headers=ENGLISH).json()["designation"]
    pages = [client.get(reverse("recipient:detail", args=[release.pk]), headers=ENGLISH)]
    client.force_login(people.planner)
    pages.append(client.get(reverse("releases:page", args=[release.project_id]), headers=ENGLISH))
    assert answered["code"] in (Designation.DEIDENTIFIED, Designation.ANONYMISED)
    for page in pages:
        said = page.content.decode()
        assert answered["name"] in said
        assert all(sentence in said for sentence in answered["reasons"])


def test_a_recipient_who_is_no_longer_bound_is_named(own_start, people):
    release = current_release(own_start.story.project)
    assert release is not None
    unbound = "Not every recipient has an agreement in force."
    with translation.override("en"):
        before = designation_of_release(release)
        agreement_end(
            release.project.agreements.get(ended_at=None), why="The study is over.", by=people.planner
        )
        after = designation_of_release(release)
    assert before is not None
    assert after is not None
    assert unbound not in before.reasons
    assert after.code == Designation.DEIDENTIFIED
    assert unbound in after.reasons

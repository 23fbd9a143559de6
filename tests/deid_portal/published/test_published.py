"""What somebody without an account is told, and how often."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from deid_portal.published.rates import PublishedThrottle
from projects.releases.models import Publication
from projects.workflow import State
from tests.projects.releases import stories
from tests.projects.releases.deliveries.publications.test_publications import page_of, propose, published

START = stories.released_publicly


@pytest.fixture(autouse=True)
def store(settings, tmp_path):
    settings.DEID_STORE_DIR = tmp_path / "store"


@pytest.fixture
def story(story_at):
    return story_at(State.MONITORING, stories.released_publicly)


def test_the_unknown_and_the_unpublished_are_told_apart_by_nothing(story, people, django_assert_num_queries):
    waiting = propose(story, people)
    answers = []
    for token in (waiting.token, "unknown"):
        with django_assert_num_queries(1):
            found = Publication.objects.filter(token=token, published_at__isnull=False).first()
        assert found is None
        answer = Client().get(reverse("published:page", args=[token]))
        assert answer.status_code == 404
        said = answer.content.decode().replace(token, "")
        answers.append(re.sub(r'name="csrfmiddlewaretoken" value="\w+"|"X-CSRFToken": "\w+"', "", said))
    assert answers[0] == answers[1]


def test_one_address_cannot_ask_without_end(story, people, monkeypatch):
    publication = published(story, people)
    monkeypatch.setattr(PublishedThrottle, "THROTTLE_RATES", {"published": "2/min"})
    anybody = Client(REMOTE_ADDR="198.51.100.7")
    codes = [anybody.get(page_of(publication)).status_code for _ in range(3)]
    assert codes == [200, 200, 429]
    assert anybody.get(reverse("api:published", args=[publication.token])).status_code == 429
    assert Client(REMOTE_ADDR="198.51.100.8").get(page_of(publication)).status_code == 200

"""Pages of a publication in a real browser: nothing that axe knows keeps anybody out, by day and by night, wide and on a phone."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from projects.releases.deliveries.publications.services import publication_withdraw
from projects.workflow import State
from tests.access.answers import body_of
from tests.access.barriers import Browser
from tests.projects.releases import stories
from tests.projects.releases.deliveries.publications.test_publications import page_of, propose, published

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("one_thread", "browser")]
START = stories.released_publicly


@pytest.fixture(autouse=True)
def store(settings, tmp_path):
    settings.DEID_STORE_DIR = tmp_path / "store"


def test_no_page_of_a_publication_keeps_anybody_out(story_at, people, browser):
    story = story_at(State.MONITORING, stories.released_publicly)
    inside = {"project_id": story.project.pk}
    window, lines = Browser(browser), []

    def look(url: str, who: str = "") -> None:
        client = Client()
        if who:
            client.force_login(getattr(people, who), backend="deid_portal.accounts.backends.AccountBackend")
        for language in ("zh-hans", "en"):
            answer = client.get(url, headers={"Accept-Language": language})
            lines.extend(
                f"{url} ({language}): {one}" for one in window.barriers(url, answer, body_of(answer))
            )

    listing = reverse("releases:publications", kwargs=inside)
    look(listing, "planner")
    waiting = propose(story, people)
    look(reverse("releases:publication", kwargs=inside | {"publication_id": waiting.pk}), "supervisor")
    first = published(story, people)
    look(page_of(first))
    publication_withdraw(first, why="an error", by=people.planner)
    look(page_of(first))
    second = published(story, people, title="Visits by region, corrected")
    look(page_of(second))
    look(reverse("releases:publication", kwargs=inside | {"publication_id": second.pk}), "planner")
    look(listing, "supervisor")
    assert not lines, "\n".join(lines)

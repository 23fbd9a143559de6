"""Fetching under a profile of the surroundings: what the approved target does not allow is refused on pages and by the API (T/ISC 0078 11.2 b)."""

from __future__ import annotations

import pytest
from django.urls import reverse
from rest_framework.test import APIClient

from deid_portal.demo.story import Story
from projects.objective.enums import Act
from projects.releases.models import Delivery, Fetch
from projects.releases.selectors import agreement_with, current_release
from projects.workflow import State
from tests.projects.releases import stories

from .acts import everything_but, narrow
from .test_recipient import ask, body, url

START = stories.released
ENGLISH = {"accept-language": "en"}
REFUSED = "The approved target does not allow this in the surroundings of this project: "
ON_PAGE = f"{REFUSED}Fetching the file on its page."
BY_API = f"{REFUSED}Fetching the file with a program, through the API."


@pytest.fixture
def recipient(people, client):
    client.force_login(people.recipient)
    return client


@pytest.fixture
def program(people):
    client = APIClient()
    client.force_authenticate(people.recipient)
    return client


@pytest.fixture
def ready(recipient, released, release):
    delivery = ask(recipient, release)
    released.run_jobs()
    delivery.refresh_from_db()
    return delivery


def api(name, *args):
    return reverse(f"api:{name}", args=args)


def test_without_a_profile_both_are_allowed(recipient, program, release, ready):
    found = {
        one["act"]: one["allowed"] for one in program.get(api("receive-detail", release.pk)).json()["acts"]
    }
    assert found == dict.fromkeys(("fetch", "fetch_api", "fetch_table", "question"), True)
    page = recipient.get(url("detail", release_id=release.pk), headers=ENGLISH).content.decode()
    assert "This is everything that the sharing type permits." in page
    assert recipient.get(url("download", delivery_id=ready.pk)).status_code == 200
    assert program.get(api("receive-download", ready.pk)).status_code == 200


def test_fetching_on_the_page_alone(recipient, program, release, ready):
    everything_but(release.project, Act.FETCH_API)
    refused = program.get(api("receive-download", ready.pk), headers=ENGLISH)
    assert (refused.status_code, refused.json()["reason"]) == (403, BY_API)
    assert not Fetch.objects.exists()
    assert body(recipient.get(url("download", delivery_id=ready.pk)))
    found = program.get(api("receive-detail", release.pk)).json()["acts"]
    assert [one["act"] for one in found if not one["allowed"]] == ["fetch_api"]


def test_fetching_by_programs_alone(recipient, program, release, ready):
    everything_but(release.project, Act.FETCH)
    page = recipient.get(url("delivery", delivery_id=ready.pk), headers=ENGLISH).content.decode()
    assert ON_PAGE in page
    assert url("download", delivery_id=ready.pk) not in page
    refused = recipient.get(url("download", delivery_id=ready.pk), headers=ENGLISH)
    assert refused.status_code == 403
    assert ON_PAGE in refused.content.decode()
    assert not Fetch.objects.exists()
    assert b"".join(program.get(api("receive-download", ready.pk)).streaming_content)


def test_where_no_file_is_fetched_no_seal_is_verified(recipient, program, release, ready):
    narrow(release.project, Act.FETCH_TABLE, Act.QUESTION)
    before = Delivery.objects.count()
    page = recipient.get(url("detail", release_id=release.pk), headers=ENGLISH).content.decode()
    assert ON_PAGE in page
    assert url("request", release_id=release.pk) not in page
    assert recipient.post(url("request", release_id=release.pk), {"notice_read": "on"}).status_code == 403
    refused = program.post(api("receive-request", release.pk), {"notice_read": True}, headers=ENGLISH)
    assert (refused.status_code, refused.json()["reason"]) == (403, ON_PAGE)
    assert Delivery.objects.count() == before
    for answer in (
        recipient.get(url("download", delivery_id=ready.pk)),
        program.get(api("receive-download", ready.pk)),
    ):
        assert answer.status_code == 403


class UnreadStory(Story):
    """The recipient has not accepted the terms yet."""

    def accept_terms(self) -> None:
        return None


def unread(people):
    story = UnreadStory(vars(people), "Visits for a study", stories.data(), documents=False)
    story.reach(State.MONITORING)
    return story


def test_the_terms_are_accepted_where_nothing_is_fetched(recipient, people):
    """What else the target allows waits for them."""
    release = current_release(unread(people).project)
    narrow(release.project, Act.QUESTION)
    page = recipient.get(url("detail", release_id=release.pk), headers=ENGLISH)
    assert "Accept the terms" in page.content.decode()
    sent = dict.fromkeys(page.context["form"].fields, "on")
    answer = recipient.post(url("request", release_id=release.pk), sent)
    assert (answer.status_code, answer.url) == (302, url("detail", release_id=release.pk))
    assert agreement_with(people.recipient, release.project).is_accepted
    assert not Delivery.objects.exists()


@pytest.mark.parametrize(("act", "page", "list_of"), [
    (Act.QUESTION, "queries_receive", "Nothing can be asked"),
    (Act.FETCH_TABLE, "statistics_receive", "Nothing can be fetched"),
])  # fmt: skip
def test_questions_and_tables_are_refused_where_they_are_not_allowed(recipient, release, act, page, list_of):
    allowed = recipient.get(reverse(f"{page}:page", args=[release.pk]), headers=ENGLISH).content.decode()
    assert f"{REFUSED}{act.label}" not in allowed
    everything_but(release.project, act)
    shown = recipient.get(reverse(f"{page}:page", args=[release.pk]), headers=ENGLISH).content.decode()
    assert REFUSED in shown
    assert list_of in shown


def test_a_question_is_refused_by_page_and_api(recipient, program, release):
    everything_but(release.project, Act.QUESTION)
    assert recipient.post(reverse("queries_receive:ask", args=[release.pk]), {}).status_code == 403
    assert recipient.post(reverse("queries_receive:more", args=[release.pk]), {}).status_code == 403
    address = program.get(api("receive-detail", release.pk)).request["PATH_INFO"] + "queries/"
    refused = program.post(address, {}, format="json", headers=ENGLISH)
    assert refused.status_code == 403
    assert refused.json()["reason"] == f"{REFUSED}Asking questions that are answered with noise."


def test_the_release_page_says_what_is_allowed_and_what_keeps_the_protections(client, people, release):
    client.force_login(people.planner)
    narrow(release.project, Act.FETCH, Act.QUESTION)
    page = client.get(reverse("releases:page", args=[release.project_id]), headers=ENGLISH).content.decode()
    assert "Fetching the file on its page" in page
    assert "through the API" not in page
    assert "Data use agreement with the three prohibitions: Enforced by the portal (" in page

"""Two-step sign-in that the organisation demands of the holders of posts."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django_otp.oath import totp

from deid_portal.accounts import two_step
from deid_portal.accounts.clients import posts_are_known
from deid_portal.accounts.models import SecondStep
from tests.deid_portal.accounts.test_accounts import BACKEND
from tests.fixtures import PASSWORD

pytestmark = pytest.mark.django_db
SETS_UP = "/account/two-step/"
SECRETS = {"password": PASSWORD, "name": "a program", "days": 1}


@pytest.fixture(autouse=True)
def demanded(settings):
    settings.DEID_SECOND_STEP_POSTS = ["planner", "administrator"]


def signed_in(person):
    client = Client(headers={"accept-language": "en"})
    client.force_login(person, backend=BACKEND)
    return client


def token(person):
    sent = SECRETS | {"username": person.username}
    return Client().post(reverse("api:account-token-sign-in"), sent, content_type="application/json")


@pytest.mark.parametrize("who", ["planner", "administrator"])
def test_who_holds_the_post_reaches_nothing_but_the_page_that_sets_it_up(people, who):
    client = signed_in(getattr(people, who))
    for page in ("/", "/account/", "/account/tokens/new/", "/account/two-step/manage/"):
        assert client.get(page)["Location"].startswith(SETS_UP)
    refused = client.get(reverse("api:account-me"))
    assert (refused.status_code, refused.json()["code"]) == (403, "second_step_demanded")
    assert "Your post requires two-step sign-in" in client.get(SETS_UP).content.decode()
    client.post(SETS_UP, {"start": "1"})
    device = two_step.setup_pending(getattr(people, who))
    assert (
        client.post(SETS_UP, {"code": f"{totp(device.bin_key):06d}"} | {"password": PASSWORD}).status_code
        == 200
    )
    assert client.get("/account/").status_code == 200
    assert client.post(reverse("accounts:sign_out")).status_code == 302


def test_others_are_not_asked(people, settings):
    executor = signed_in(people.executor)
    assert executor.get("/account/").status_code == 200
    assert "Your post requires" not in executor.get(SETS_UP).content.decode()
    settings.DEID_SECOND_STEP_POSTS = []
    assert signed_in(people.planner).get("/account/").status_code == 200


def test_no_token_is_made_without_it(people):
    refused = token(people.planner)
    assert (refused.status_code, refused.json()["code"]) == (403, "second_step_demanded")
    assert token(people.executor).status_code == 201


def test_who_switches_it_off_sets_it_up_again(people):
    two_step.setup_start(people.planner)
    SecondStep.objects.filter(user=people.planner).update(confirmed=True)
    assert signed_in(people.planner).get("/account/")["Location"].startswith(reverse("accounts:second_step"))
    two_step.switch_off(people.planner)
    assert signed_in(people.planner).get("/account/")["Location"].startswith(SETS_UP)


def test_a_post_that_is_none_stops_the_portal_at_its_start(settings):
    assert posts_are_known(None) == []
    settings.DEID_SECOND_STEP_POSTS = ["planer", "management"]
    (error,) = posts_are_known(None)
    assert (error.id, "planer" in error.msg) == ("accounts.E001", True)

"""Sign-in by a real OpenID Connect provider, started by the test: it says who somebody is, and nothing else."""

from __future__ import annotations

import time
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from django.test import Client
from django.urls import reverse

from approvals.audit.models import AuditEvent
from deid_portal.accounts import two_step
from deid_portal.accounts.confirmation import signer_is_right
from deid_portal.accounts.leaving.services import leaving_record
from deid_portal.accounts.models import Appointment, SecondStep, User
from deid_portal.accounts.oidc import provider
from deid_portal.accounts.services import user_create, user_set_active

pytestmark = pytest.mark.django_db
PORTAL = "https://portal.example"


@pytest.fixture(scope="module")
def served():
    """The address of a provider that takes any client and asks for a name alone."""
    from oidc_provider_mock import run_server_in_thread

    with run_server_in_thread(issue_refresh_token=False) as server:
        yield f"http://localhost:{server.server_port}"


@pytest.fixture
def issuer(served, settings, monkeypatch):
    # Authlib speaks http to nobody unless it is told to; this provider is on the same machine.
    monkeypatch.setenv("AUTHLIB_INSECURE_TRANSPORT", "1")
    settings.DEID_OIDC_ISSUER, settings.DEID_OIDC_CLIENT_ID = served, "portal"
    settings.DEID_OIDC_CLIENT_SECRET, settings.DEID_PORTAL_URL = "a secret", PORTAL
    return served


@pytest.fixture
def lei(people):
    """Somebody without a password in the portal."""
    return user_create(username="li.lei", password=None, full_name="李雷", by=people.administrator)


def claims(issuer, **more):
    requests.put(f"{issuer}/users/subject-7", json=more, timeout=10).raise_for_status()


def asked(client, **query):
    """Where the portal leads to, and what it asks the provider."""
    there = client.get(reverse("accounts:oidc_start"), query)["Location"]
    return there, {name: values[0] for name, values in parse_qs(urlsplit(there).query).items()}


def come_back(client, **query):
    """As the browser would: to the provider, its form, and back with a code."""
    there, sent = asked(client, **query)
    answer = requests.post(there, data={"sub": "subject-7"}, allow_redirects=False, timeout=10)
    back = urlsplit(answer.headers["Location"])
    assert f"{back.scheme}://{back.netloc}{back.path}" == sent["redirect_uri"]
    return client.get(back.path, parse_qs(back.query))


def who(client):
    return client.session.get("_auth_user_id")


def test_who_the_provider_names_is_signed_in_to_their_account_and_gets_nothing_by_it(issuer, lei):
    claims(issuer, preferred_username="li.lei", groups=["administrators"], post="administrator")
    client = Client()
    _there, sent = asked(client)
    assert (sent["redirect_uri"], sent["code_challenge_method"]) == (
        f"{PORTAL}/account/provider/back/",
        "S256",
    )
    assert {"state", "nonce", "code_challenge"} <= set(sent)
    answer = come_back(client, next="/account/")
    assert (answer.status_code, answer["Location"], who(client)) == (302, "/account/", str(lei.pk))
    assert client.get("/account/").status_code == 200
    stored = User.objects.get(pk=lei.pk)
    assert (stored.post, stored.is_staff, stored.is_superuser) == ("staff", False, False)
    assert not Appointment.objects.filter(account=lei).exists()
    said = AuditEvent.objects.filter(action="user.signed_in").latest("seq")
    assert (said.actor_id, said.facts["two_step"]) == (str(lei.pk), False)


def test_nobody_without_an_account_comes_in_and_none_is_made(issuer, people, lei):
    before = User.objects.count()
    client = Client(headers={"accept-language": "en"})
    for name in ("nobody", "LI.LEI", "", 7, None, ["li.lei"]):
        claims(issuer, preferred_username=name)
        assert come_back(client)["Location"] == reverse("accounts:sign_in")
        assert who(client) is None
    assert "did not lead to an account" in client.get(reverse("accounts:sign_in")).content.decode()
    assert User.objects.count() == before


def test_another_claim_may_name_the_account(issuer, lei, settings):
    settings.DEID_OIDC_CLAIM = "staff_number"
    claims(issuer, preferred_username="administrator", staff_number="li.lei")
    client = Client()
    come_back(client)
    assert who(client) == str(lei.pk)


def test_a_leavers_session_ends_at_once_and_they_do_not_come_back(issuer, people, lei):
    claims(issuer, preferred_username="li.lei")
    client = Client()
    come_back(client)
    assert client.get("/account/").status_code == 200
    leaving_record(lei, reason="moved", agreed="silent", by=people.administrator)
    assert client.get("/account/").status_code == 302
    for browser in (client, Client()):
        assert come_back(browser)["Location"] == reverse("accounts:sign_in")
        assert browser.get("/account/").status_code == 302


def test_who_is_deactivated_does_not_come_in(issuer, people, lei):
    user_set_active(lei, active=False, by=people.administrator)
    claims(issuer, preferred_username="li.lei")
    client = Client()
    come_back(client)
    assert who(client) is None


def test_an_answer_that_was_not_asked_for_signs_nobody_in(issuer, lei):
    claims(issuer, preferred_username="li.lei")
    mine, yours = Client(), Client()
    there, _sent = asked(mine)
    answer = requests.post(there, data={"sub": "subject-7"}, allow_redirects=False, timeout=10)
    back = urlsplit(answer.headers["Location"])
    yours.get(back.path, parse_qs(back.query))
    assert who(yours) is None
    for query in ({}, {"code": "x"}, {"code": "x", "state": "y"}, {"error": "access_denied"}):
        assert yours.get(back.path, query)["Location"] == reverse("accounts:sign_in")
    mine.get(back.path, parse_qs(back.query))
    assert who(mine) == str(lei.pk)
    # A code works once.
    mine.logout()
    mine.get(back.path, parse_qs(back.query))
    assert who(mine) is None


def test_another_issuer_than_the_one_that_is_set_up_is_not_believed(issuer, lei, settings):
    claims(issuer, preferred_username="li.lei")
    # Reached all the same, and it calls itself otherwise.
    settings.DEID_OIDC_ISSUER = issuer.replace("localhost", "LOCALHOST")
    client = Client()
    assert come_back(client)["Location"] == reverse("accounts:sign_in")
    assert who(client) is None


def with_second_step(account):
    two_step.setup_start(account)
    SecondStep.objects.filter(user=account).update(confirmed=True)


def test_the_portals_own_second_step_is_asked_for_unless_the_providers_counts(issuer, lei, settings):
    with_second_step(lei)
    claims(issuer, preferred_username="li.lei", amr=["pwd", "otp"], acr="gold")
    client = Client()
    come_back(client)
    assert client.get("/account/")["Location"].startswith(reverse("accounts:second_step"))
    for name, value in (("DEID_OIDC_AMR", ["otp", "hwk"]), ("DEID_OIDC_ACR", ["gold"])):
        setattr(settings, name, value)
        client = Client()
        come_back(client)
        assert client.get("/account/").status_code == 200
        said = AuditEvent.objects.filter(action="user.signed_in").latest("seq")
        assert said.facts["two_step"] is True
        setattr(settings, name, [])
    claims(issuer, preferred_username="li.lei", amr="otp")
    settings.DEID_OIDC_AMR = ["otp", "o"]
    client = Client()
    come_back(client)
    assert client.get("/account/").status_code == 302


def test_a_password_in_the_same_session_owes_the_second_step_again(issuer, people, settings):
    with_second_step(people.executor)
    settings.DEID_OIDC_AMR = ["otp"]
    claims(issuer, preferred_username=people.executor.username, amr=["otp"])
    client = Client()
    come_back(client)
    assert client.get("/account/").status_code == 200
    secret = {"username": people.executor.username, "password": "correct-horse-battery"}
    assert client.post(reverse("accounts:sign_in"), secret).status_code == 302
    assert client.get("/account/")["Location"].startswith(reverse("accounts:second_step"))


def test_who_has_no_password_here_sets_up_codes_after_a_fresh_sign_in_and_signs_with_them(issuer, lei, rf):
    claims(issuer, preferred_username="li.lei")
    client = Client()
    come_back(client)
    page = reverse("accounts:two_step")
    again = client.get(page)["Location"]
    assert again.startswith(reverse("accounts:oidc_start"))
    _there, sent = asked(client, again="1", next=page)
    assert (sent["prompt"], sent["max_age"]) == ("login", "0")
    # A provider that does not say when, or that it was long ago, is not believed.
    for when in ("today", int(time.time()) - 3600):
        claims(issuer, preferred_username="li.lei", auth_time=when)
        assert come_back(client, again="1", next=page)["Location"] == reverse("accounts:sign_in")
    claims(issuer, preferred_username="li.lei", auth_time=int(time.time()))
    assert come_back(client, again="1", next=page)["Location"] == page
    assert client.get(page).status_code == 200
    client.post(page, {"start": "1"})
    device = two_step.setup_pending(lei)
    from django_otp.oath import totp

    assert client.post(page, {"code": f"{totp(device.bin_key):06d}"}).status_code == 200
    assert two_step.has_second_step(lei)
    request = rf.post("/")
    request.user = User.objects.get(pk=lei.pk)
    request.session = {}
    assert signer_is_right(request, f"{totp(device.bin_key, drift=1):06d}")


def test_a_one_time_password_that_nobody_used_keeps_nobody_out(issuer, people):
    new = user_create(
        username="new", password="x" * 20, full_name="New", must_change_password=True, by=people.administrator
    )
    claims(issuer, preferred_username="new")
    client = Client()
    come_back(client)
    assert who(client) == str(new.pk)
    assert client.get("/account/").status_code == 200


def test_signing_out_ends_both_sessions(issuer, lei):
    claims(issuer, preferred_username="li.lei")
    client = Client()
    come_back(client)
    there = urlsplit(client.post(reverse("accounts:sign_out"))["Location"])
    sent = parse_qs(there.query)
    assert f"{there.scheme}://{there.netloc}" == issuer
    assert sent["post_logout_redirect_uri"] == [f"{PORTAL}/account/sign-in/"]
    assert sent["id_token_hint"][0].count(".") == 2
    assert who(client) is None
    assert client.get("/account/").status_code == 302


def test_a_provider_elsewhere_is_not_led_to_on_the_way_out(issuer):
    kept = {"end_session": "https://elsewhere.example/out", "id_token": "a.b.c"}
    assert provider.sign_out_address(kept) == ""
    assert provider.sign_out_address({}) == ""


def test_the_sign_in_page_offers_it_only_where_it_is_set_up(issuer, settings):
    client = Client(headers={"accept-language": "en"})
    page = reverse("accounts:sign_in")
    assert reverse("accounts:oidc_start") in client.get(page).content.decode()
    assert [one.id for one in provider.provider_by_https()] == ["accounts.W002"]
    settings.DEID_OIDC_ISSUER = ""
    assert reverse("accounts:oidc_start") not in client.get(page).content.decode()
    assert client.get(reverse("accounts:oidc_start")).status_code == 404
    assert client.get(reverse("accounts:oidc_back")).status_code == 404
    assert provider.provider_by_https() == []


def test_a_provider_that_is_away_is_said_so_and_passwords_go_on(issuer, people, settings):
    settings.DEID_OIDC_ISSUER = "http://localhost:1"
    client = Client()
    assert client.get(reverse("accounts:oidc_start"))["Location"] == reverse("accounts:sign_in")
    secret = {"username": people.executor.username, "password": "correct-horse-battery"}
    client.post(reverse("accounts:sign_in"), secret)
    assert who(client) == str(people.executor.pk)

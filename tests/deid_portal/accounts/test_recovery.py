"""Nobody is somebody else: recoveries take two, secrets are asked again, throttles go by what is true."""

from __future__ import annotations

import pytest
from axes.models import AccessAttempt, AccessFailureLog
from django.core.cache import caches
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.accounts import recovery, services, tokens, two_step
from deid_portal.accounts.clients import client_address
from deid_portal.accounts.events import Lost
from deid_portal.accounts.models import ApiToken, Recovery
from deid_portal.accounts.persons import person_link
from deid_portal.accounts.services import user_create
from projects.core.models import Notification
from projects.workflow.posts import Post
from tests.deid_portal.accounts.test_accounts import BACKEND, PASSWORD, enrol, last, sign_in, url

pytestmark = pytest.mark.django_db


def START(people):
    people.second = user_create(
        username="second",
        password=PASSWORD,
        full_name="Second Administrator",
        post=Post.ADMINISTRATOR,
        by=None,
    )
    return people


@pytest.fixture
def second(own_start):
    return own_start.story.second


def ask(people, lost=Lost.PASSWORD):
    return recovery.recovery_request(people.executor, lost=lost, reason="lost it", by=people.administrator)


def signed_in(person):
    client = Client()
    client.force_login(person, backend=BACKEND)
    return client


def test_one_administrator_becomes_nobody_else(
    people, second, django_capture_on_commit_callbacks, mailoutbox, settings
):
    settings.DEID_MAIL_IS_SET = True
    services.user_edit(
        people.executor, full_name="Executor Person", department="", email="e@example.org", access_until=None,
        by=people.administrator,
    )  # fmt: skip
    with django_capture_on_commit_callbacks(execute=True):
        client = signed_in(people.administrator)
        where = {"user_id": people.executor.pk}
        assert (
            client.post(url("account_password", **where), {"password-reason": "forgotten"}).status_code == 302
        )
    people.executor.refresh_from_db()
    assert people.executor.check_password(PASSWORD)
    waiting = Recovery.objects.get()
    own = url("account_recovery", **where, recovery_id=waiting.pk)
    assert client.post(own, {"allow": "yes"}).status_code == 403
    assert Notification.objects.filter(user=second, action="user.recovery_waits").exists()
    assert Notification.objects.filter(user=people.executor, action="user.recovery_of_yours").exists()
    assert [mail.to for mail in mailoutbox] == [["e@example.org"]]
    other = signed_in(second)
    assert (
        "Carry it out"
        in other.get(url("account", **where), headers={"Accept-Language": "en"}).content.decode()
    )
    assert other.post(own).status_code == 400, "a decision that does not say which is none"
    password = other.post(own, {"allow": "yes"}).context["password"]
    people.executor.refresh_from_db()
    assert people.executor.check_password(password)
    assert other.post(own, {"allow": "yes"}).status_code == 403, "once"
    assert last("user.recovery_decided").actor_id == str(second.pk)
    assert (
        "user.recovery_of_yours" not in signed_in(people.executor).get("/account/password/").content.decode()
    )


def test_neither_the_same_person_nor_the_one_concerned_decides(people, second):
    waiting, _password = ask(people)
    person_link(people.administrator, second, reason="one person", by=user_create(
        username="third", password=PASSWORD, full_name="Third", post=Post.ADMINISTRATOR, by=None
    ))  # fmt: skip
    for by in (people.administrator, second):
        by.refresh_from_db()
        with pytest.raises(Refused) as refused:
            recovery.recovery_decide(waiting, allow=True, by=by)
        assert refused.value.verdict.code == "second_administrator"
    recovery.recovery_decide(waiting, allow=False, by=people.administrator)
    own, _password = recovery.recovery_request(
        second, lost=Lost.PASSWORD, reason="lost", by=people.administrator
    )
    with pytest.raises(Refused) as refused:
        recovery.recovery_decide(own, allow=True, by=second)
    assert refused.value.verdict.code == "not_yourself"


def test_with_a_second_step_of_the_person_a_password_alone_opens_nothing(people, second):
    enrol(people.executor)
    _done, password = ask(people)
    client = Client()
    people.executor.refresh_from_db()
    assert sign_in(client, people.executor, password).status_code == 302
    assert client.get("/").url.startswith(url("second_step"))
    waiting, nothing = ask(people, Lost.SECOND_STEP)
    assert nothing == ""
    assert two_step.has_second_step(people.executor)
    with pytest.raises(Refused) as refused:
        ask(people, Lost.SECOND_STEP)
    assert refused.value.verdict.code == "recovery_waits"
    recovery.recovery_decide(waiting, allow=True, by=second)
    assert not two_step.has_second_step(people.executor)
    with pytest.raises(Refused):
        ask(people, Lost.SECOND_STEP)


def test_the_database_itself_wants_two(people, second):
    waiting, _password = ask(people)
    with pytest.raises(IntegrityError), recovery.recording("user.recovery_decided", by=None):
        Recovery.objects.filter(pk=waiting.pk).update(decided_by=people.administrator, carried_out=True)


def test_tokens_end_with_the_password(people):
    client = Client()
    sign_in(client, people.executor)
    tokens.token_create(people.executor, name="x")
    new = {"new_password1": "a new one of my own", "new_password2": "a new one of my own"}
    assert client.post(url("password"), {"old_password": PASSWORD, **new}).status_code == 302
    assert not ApiToken.objects.exists()
    assert client.get("/").status_code == 200


@pytest.mark.parametrize("two", [False, True])
def test_a_session_alone_makes_no_token(people, two):
    codes = enrol(people.executor)[1] if two else ["", ""]
    client = Client()
    client.force_login(people.executor, backend=BACKEND)
    if two:
        client.post(url("second_step"), {"code": codes.pop()})
    address, wanted = reverse("api:account-token-list"), {"name": "x", "days": "365"}
    assert client.post(address, wanted).status_code == 400
    assert client.post(address, wanted | {"password": "wrong"}).status_code == 401
    assert client.post(url("token_create"), wanted | {"password": "wrong"}).status_code == 200
    if two:
        assert client.post(address, wanted | {"password": PASSWORD}).status_code == 401
    assert not ApiToken.objects.exists()
    assert client.post(address, wanted | {"password": PASSWORD, "code": codes[0]}).status_code == 201


def test_wrong_old_passwords_count_and_are_on_the_record(people):
    client = Client()
    sign_in(client, people.executor)
    new = {"new_password1": "a new one of my own", "new_password2": "a new one of my own"}
    answers = [
        client.post(url("password"), {"old_password": f"wrong {n}", **new}).status_code for n in range(5)
    ]
    assert answers == [200, 200, 200, 200, 429]
    assert client.post(url("password"), {"old_password": PASSWORD, **new}).status_code == 429
    assert AuditEvent.objects.filter(action="user.confirmation_failed").count() >= 5
    assert AuditEvent.objects.filter(action="user.locked", subject_id=str(people.executor.pk)).count() == 1


def test_a_password_typed_as_a_name_stays_nowhere(people):
    typed = "my-secret-password-in-the-wrong-field"
    for _number in range(5):
        answer = Client().post(url("sign_in"), {"username": typed, "password": "x"})
    assert answer.status_code == 429
    rows = [*AccessAttempt.objects.values(), *AccessFailureLog.objects.values(), *AuditEvent.objects.values()]
    assert AccessAttempt.objects.exists()
    assert typed not in str(rows)


@pytest.mark.parametrize(
    ("remote", "claimed", "expected"),
    [
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
        ("10.0.0.2", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.2", "1.1.1.1, 198.51.100.1", "198.51.100.1"),
        ("10.0.0.2", "198.51.100.1, 10.0.0.3", "198.51.100.1"),
        ("10.0.0.2", "nonsense", "10.0.0.2"),
        ("10.0.0.2", "", "10.0.0.2"),
        ("", "198.51.100.1", ""),
    ],
)
def test_only_the_portals_own_proxies_are_believed(rf, settings, remote, claimed, expected):
    from ipaddress import ip_network

    settings.DEID_TRUSTED_PROXIES = [ip_network("10.0.0.0/8")]
    request = rf.get("/", REMOTE_ADDR=remote, **({"HTTP_X_FORWARDED_FOR": claimed} if claimed else {}))
    assert client_address(request) == expected


def test_the_throttle_of_the_sign_in_holds_over_processes_and_claimed_addresses(people):
    caches["throttles"].clear()
    address = reverse("api:account-token-sign-in")
    said = {"username": "nobody", "name": "x", "password": "x"}
    answers = [Client().post(address, said, HTTP_X_FORWARDED_FOR=f"198.51.100.{n}") for n in range(11)]
    assert answers[-1].status_code == 429
    assert type(caches["throttles"]).__name__ == "DatabaseCache", "all processes count in one place"
    caches["throttles"].clear()

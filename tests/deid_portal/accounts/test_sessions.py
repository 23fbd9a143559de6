"""Signing in: lock-out, second step, session fixation, redirects, cookies."""

from __future__ import annotations

from datetime import timedelta
from ipaddress import ip_network

import pytest
from axes.models import AccessAttempt, AccessFailureLog
from django.conf import settings as django_settings
from django.core.cache import caches
from django.test import Client, RequestFactory
from django.urls import reverse

from approvals.audit.models import AuditEvent
from deid_portal.accounts.clients import client_address, name_digest
from deid_portal.accounts.lockout import _failures
from tests.deid_portal.accounts.test_accounts import PASSWORD, enrol, sign_in, url
from tests.projects.written import write

pytestmark = pytest.mark.django_db


def test_five_failures_lock_the_account_even_for_the_right_password(client, people):
    for attempt in range(5):
        answer = sign_in(client, people.executor, "wrong")
        assert answer.status_code == (429 if attempt == 4 else 200)
    assert sign_in(client, people.executor).status_code == 429
    assert client.get("/").status_code == 302
    assert sign_in(client.__class__(), people.planner).status_code == 302, "other accounts are not touched"
    event = AuditEvent.objects.get(action="user.locked")
    assert event.subject_id == str(people.executor.pk)


def test_a_lock_out_never_writes_what_was_typed(client, people):
    for _attempt in range(6):
        client.post(url("sign_in"), {"username": "my-secret-typed-here", "password": "x"})
    events = AuditEvent.objects.filter(action="user.locked")
    assert events.exists()
    assert "my-secret-typed-here" not in str(list(events.values()))


def test_the_api_is_locked_as_well_and_answers_in_its_own_form(client, people):
    data = {"username": "executor", "password": "wrong", "name": "x"}
    for _attempt in range(4):
        assert client.post("/api/account/token/", data).status_code == 401
    answer = client.post("/api/account/token/", data)
    assert answer.status_code == 429
    assert answer.json()["code"] == "locked_out"
    assert sign_in(client, people.executor).status_code == 429


def test_existing_and_unknown_names_fail_alike(client, people):
    known = sign_in(client, people.executor, "wrong").content.decode()
    unknown = client.post(url("sign_in"), {"username": "nobody-here", "password": "wrong"}).content.decode()
    write(people.planner, is_active=False)
    inactive = sign_in(client, people.planner).content.decode()

    def text(page):
        return page[page.index("error-summary") : page.index("</ul>", page.index("error-summary"))]

    assert text(known) == text(unknown) == text(inactive)


def later(minutes):
    """The failures that were counted lie so much further back."""
    for model in (AccessAttempt, AccessFailureLog):
        for row in model.objects.all():
            model.objects.filter(pk=row.pk).update(attempt_time=row.attempt_time - timedelta(minutes=minutes))


def name_of(user):
    return name_digest(None, {"username": user.username})


def test_a_try_while_the_account_is_locked_does_not_prolong_the_lock(client, people):
    for _attempt in range(5):
        sign_in(client, people.executor, "wrong")
    later(14)
    assert sign_in(client, people.executor).status_code == 429
    later(2)
    assert sign_in(client, people.executor).status_code == 302


class TestOneAddressTriesMany:
    """Three failures of whatever names stop an address here."""

    @pytest.fixture(autouse=True)
    def few(self, settings):
        settings.DEID_SIGN_IN_FAILURES = 3

    def spray(self, people, address="192.0.2.7", times=3, **more):
        names = ["nobody", people.planner.username, people.supervisor.username, people.management.username]
        return [
            Client(REMOTE_ADDR=address, **more).post(
                url("sign_in"), {"username": name, "password": "Spring-2026"}
            )
            for name in names[:times]
        ]

    def test_even_the_right_password_signs_nobody_in_from_there_and_elsewhere_it_does(
        self, people, monkeypatch
    ):
        assert [answer.status_code for answer in self.spray(people)] == [200, 200, 200]
        with monkeypatch.context() as patched:
            patched.setattr("deid_portal.accounts.backends.AccountBackend.authenticate", None)
            stopped = sign_in(Client(REMOTE_ADDR="192.0.2.7"), people.executor)
        assert stopped.status_code == 429, "before a password is looked at"
        assert "audit log" not in stopped.content.decode()
        assert "审计日志" not in stopped.content.decode(), "of an address none tells"
        assert sign_in(Client(REMOTE_ADDR="192.0.2.8"), people.executor).status_code == 302

    def test_programs_are_answered_in_their_own_form(self, people):
        self.spray(people)
        sent = {"username": "executor", "password": PASSWORD, "name": "x"}
        answer = Client(REMOTE_ADDR="192.0.2.7").post("/api/account/token/", sent)
        assert (answer.status_code, answer.json()["code"]) == (429, "locked_out")

    def test_failures_of_programs_count_as_well(self, people):
        for name in ("a", "b", "c"):
            sent = {"username": name, "password": "x", "name": "x"}
            assert Client(REMOTE_ADDR="192.0.2.7").post("/api/account/token/", sent).status_code == 401
        assert sign_in(Client(REMOTE_ADDR="192.0.2.7"), people.executor).status_code == 429

    def test_behind_the_portals_own_proxy_it_is_the_client_who_is_stopped(self, people, settings):
        settings.DEID_TRUSTED_PROXIES = [ip_network("10.0.0.0/8")]
        self.spray(people, address="10.0.0.5", HTTP_X_FORWARDED_FOR="198.51.100.1")
        for client, status in (("198.51.100.1", 429), ("198.51.100.2", 302)):
            through = Client(REMOTE_ADDR="10.0.0.5", HTTP_X_FORWARDED_FOR=client)
            assert sign_in(through, people.executor).status_code == status

    def test_without_a_proxy_a_claimed_address_helps_nobody(self, people):
        for number in range(3):
            self.spray(people, times=1, HTTP_X_FORWARDED_FOR=f"198.51.100.{number}")
        claiming = Client(REMOTE_ADDR="192.0.2.7", HTTP_X_FORWARDED_FOR="198.51.100.9")
        assert sign_in(claiming, people.executor).status_code == 429

    def test_who_is_signed_in_goes_on_and_confirms(self, people):
        inside = Client(REMOTE_ADDR="192.0.2.7")
        sign_in(inside, people.executor)
        self.spray(people)
        new = {"new_password1": "winter-garden-81", "new_password2": "winter-garden-81"}
        assert inside.post(url("password"), {"old_password": PASSWORD, **new}).status_code == 302

    def test_tries_of_a_stopped_address_do_not_stop_it_for_longer(self, people):
        self.spray(people)
        later(14)
        assert {answer.status_code for answer in self.spray(people, times=2)} == {429}
        later(2)
        assert sign_in(Client(REMOTE_ADDR="192.0.2.7"), people.executor).status_code == 302

    def test_failures_count_for_a_quarter_of_an_hour(self, people):
        """The first failure as the last: a count that is forgotten after five minutes stops nobody who takes their time."""
        self.spray(people, times=1)
        later(6)
        self.spray(people, times=1)
        later(6)
        self.spray(people, times=1)
        assert sign_in(Client(REMOTE_ADDR="192.0.2.7"), people.executor).status_code == 429
        later(4)
        assert sign_in(Client(REMOTE_ADDR="192.0.2.7"), people.executor).status_code == 302, (
            "two lie within it"
        )

    def test_who_tries_with_the_right_password_meanwhile_locks_no_account(self, people):
        self.spray(people)
        stopped = Client(REMOTE_ADDR="192.0.2.7")
        for _try in range(django_settings.AXES_FAILURE_LIMIT + 1):
            assert sign_in(stopped, people.executor).status_code == 429
        later(16)
        # What the tries left behind would have come now, and would count from now.
        assert not AccessAttempt.objects.filter(username=name_of(people.executor)).exists()
        assert not AuditEvent.objects.filter(action="user.locked").exists(), "no account was locked"
        assert sign_in(stopped, people.executor).status_code == 302

    def test_a_browser_that_the_account_has_signed_in_with_is_not_kept_out_by_others(self, people):
        """Behind a proxy that was not named everybody has one address."""
        own = Client(REMOTE_ADDR="192.0.2.7", HTTP_X_FORWARDED_FOR="198.51.100.1")
        assert sign_in(own, people.executor).status_code == 302
        own.post(url("sign_out"))
        self.spray(people, HTTP_X_FORWARDED_FOR="198.51.100.66")
        assert sign_in(own, people.auditor).status_code == 429, "another account with the same browser"
        strange = Client(REMOTE_ADDR="192.0.2.7", HTTP_X_FORWARDED_FOR="198.51.100.1")
        assert sign_in(strange, people.executor).status_code == 429, "a header stands for nobody"
        assert sign_in(own, people.executor).status_code == 302

    def test_a_known_browser_is_held_by_the_lock_on_the_account(self, people):
        own = Client(REMOTE_ADDR="192.0.2.7")
        sign_in(own, people.executor)
        own.post(url("sign_out"))
        self.spray(people)
        tried = [sign_in(own, people.executor, f"wrong {number}").status_code for number in range(5)]
        assert tried == [200, 200, 200, 200, 429]
        assert sign_in(own, people.executor).status_code == 429

    def test_a_browser_that_says_so_itself_is_not_known(self, people):
        self.spray(people)
        for value in (name_of(people.executor), f"{name_of(people.executor)}:1:x", ""):
            forged = Client(REMOTE_ADDR="192.0.2.7")
            forged.cookies["deid_known"] = value
            assert sign_in(forged, people.executor).status_code == 429

    def test_the_cookie_has_no_name_and_goes_to_the_sign_in_alone(self, people):
        cookie = sign_in(Client(), people.executor).cookies["deid_known"]
        assert people.executor.username not in cookie.value
        assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (url("sign_in"), True, "Strict")

    def test_who_runs_the_portal_learns_of_a_proxy_that_was_not_named(self, people, caplog):
        self.spray(people, times=4)
        assert "DEID_TRUSTED_PROXIES" not in caplog.text
        self.spray(people, times=1, HTTP_X_FORWARDED_FOR="198.51.100.1")
        assert "DEID_TRUSTED_PROXIES" in caplog.text
        assert "198.51.100.1" not in caplog.text

    def test_failures_are_counted_where_all_processes_write_them(self, people):
        """Each failure is a row of its own: two at once are two, and nothing is read, added to and written back."""
        request = RequestFactory().post("/", REMOTE_ADDR="192.0.2.7")
        self.spray(people, times=2)
        assert _failures(client_address(request)) == 2
        assert AccessFailureLog.objects.count() == 2

    def test_requests_of_nobody_are_counted_by_all_processes_in_one_place(self):
        assert type(caches["throttles"]).__name__ == "DatabaseCache"


OPEN_PAGES = ("/", "/projects/", "/account/", "/audit/", "/account/two-step/manage/", "/account/password/")


def test_nothing_is_reached_before_the_second_step(client, people):
    enrol(people.auditor)
    sign_in(client, people.auditor)
    for page in OPEN_PAGES:
        answer = client.get(page)
        assert answer.status_code == 302, page
        assert answer.url.startswith(url("second_step")), page
    for endpoint in (
        "/api/tasks/",
        "/api/projects/",
        "/api/audit/events/",
        "/api/schema/",
        "/api/account/tokens/",
    ):
        answer = client.get(endpoint)
        assert answer.status_code == 403, endpoint
        assert answer.json()["code"] == "second_step_needed"
    assert client.post("/api/account/tokens/", {"name": "x"}).status_code == 403
    assert client.post(url("two_step"), {"start": "1"}).status_code == 302
    fragment = client.get("/", headers={"HX-Request": "true"})
    assert fragment.headers["HX-Redirect"] == url("second_step")
    assert "mainnav" not in client.get(url("second_step")).content.decode()


def test_switching_the_second_step_on_reaches_older_sessions(client, people):
    sign_in(client, people.executor)
    assert client.get("/").status_code == 200
    enrol(people.executor)
    assert client.get("/").url.startswith(url("second_step"))


def test_somebody_elses_code_opens_nothing(client, people):
    enrol(people.executor)
    _device, codes = enrol(people.planner)
    sign_in(client, people.executor)
    assert client.post(url("second_step"), {"code": codes[0]}).status_code == 200
    assert client.get("/").status_code == 302


def test_the_session_changes_at_each_step_of_signing_in(client, people):
    client.get(url("sign_in"))
    client.session.save()
    before = client.cookies.get("sessionid")
    _device, codes = enrol(people.executor)
    sign_in(client, people.executor)
    middle = client.cookies["sessionid"].value
    assert before is None or before.value != middle
    client.post(url("second_step"), {"code": codes[0]})
    assert client.cookies["sessionid"].value != middle


def test_a_planted_session_is_not_taken_over(client, people):
    client.cookies["sessionid"] = "planted-by-somebody-else"
    sign_in(client, people.executor)
    assert client.cookies["sessionid"].value != "planted-by-somebody-else"


EVIL = (
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "javascript:alert(1)",
    "http:///evil.example",
)


@pytest.mark.parametrize("target", EVIL)
def test_no_redirect_leaves_the_portal(client, people, target):
    assert sign_in(client, people.executor, next=target).url == "/"
    for data in ({"language": "en"}, {"language": "xx"}):
        assert client.post(reverse("set_language"), {**data, "next": target}).url == "/"
    new = "another-good-phrase-1"
    data = {"old_password": PASSWORD, "new_password1": new, "new_password2": new, "next": target}
    assert client.post(url("password"), data).url == "/"
    _device, codes = enrol(people.planner)
    other = client.__class__()
    sign_in(other, people.planner)
    assert other.post(url("second_step"), {"code": codes[0], "next": target}).url == "/"


def test_signing_out_and_language_need_post_and_csrf(people):
    from django.test import Client

    strict = Client(enforce_csrf_checks=True)
    for address in (url("sign_out"), reverse("set_language"), url("sign_in")):
        assert strict.post(address).status_code == 403
    assert strict.get(url("sign_out")).status_code == 405
    assert strict.get(reverse("set_language")).status_code == 405


def test_cookies_are_closed_to_scripts(client, people):
    sign_in(client, people.executor)
    client.post(reverse("set_language"), {"language": "en"})
    for name in ("sessionid", "csrftoken", "django_language"):
        cookie = client.cookies[name]
        assert cookie["httponly"], name
        assert cookie["samesite"] == "Lax", name
    assert django_settings.SESSION_COOKIE_SECURE == django_settings.SECURE


def test_a_post_without_session_does_not_come_back_to_a_post_only_address(client):
    answer = client.post("/notifications/read/")
    assert answer.url.endswith("?next=/")


def test_superusers_and_staff_have_no_page_of_their_own(client, people):
    client.force_login(people.superuser, backend="deid_portal.accounts.backends.AccountBackend")
    assert client.get("/admin/").status_code == 404
    assert client.get("/audit/").status_code == 403
    assert client.get(url("accounts")).status_code == 403


@pytest.mark.parametrize(
    "target", ["abc", "-1", "accounts:profile", "\x00", "{}", "%s", "长" * 200, "//elsewhere"]
)
def test_where_to_go_on_to_is_an_address_of_the_portal_or_its_beginning(client, people, target):
    chosen = client.post(reverse("set_language"), {"language": "en", "next": target})
    assert (chosen.status_code, chosen["Location"]) == (302, "/")
    sign_in(client, people.planner)
    gone_on = client.post(url("second_step"), {"next": target})
    assert gone_on["Location"] == reverse(django_settings.LOGIN_REDIRECT_URL)

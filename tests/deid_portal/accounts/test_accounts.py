"""Accounts: own account, administration, tokens, second step."""

from __future__ import annotations

from base64 import b64encode
from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.hashers import check_password
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone
from django_otp.oath import totp
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.accounts import services, tokens, two_step
from deid_portal.accounts.models import ApiToken, User
from projects.workflow.posts import Post
from techniques.core.messages import EngineError
from tests.projects.written import write

pytestmark = pytest.mark.django_db
PASSWORD = "correct-horse-battery"
BACKEND = "deid_portal.accounts.backends.AccountBackend"


def url(name, **kwargs):
    return reverse(f"accounts:{name}", kwargs=kwargs)


def code_for(device, shift=0):
    return f"{totp(device.bin_key, drift=shift):06d}"


def enrol(user):
    """Switch the second step on as the page does; the code's time step is then used up."""
    device = two_step.setup_start(user)
    device, codes = two_step.setup_confirm(user, code_for(device, -1))
    return device, codes


def sign_in(client, user, password=PASSWORD, **more):
    return client.post(url("sign_in"), {"username": user.username, "password": password, **more})


def last(action):
    return AuditEvent.objects.filter(action=action).order_by("-seq").first()


def test_signing_in_and_out_are_events(client, people):
    assert sign_in(client, people.executor).url == "/"
    assert last("user.signed_in").actor_id == str(people.executor.pk)
    assert client.post(url("sign_out")).status_code == 302
    assert last("user.signed_out").actor_id == str(people.executor.pk)
    assert client.get("/").status_code == 302


def test_the_second_step_is_set_up_used_and_recovered(client, people):
    user = people.executor
    sign_in(client, user)
    assert client.post(url("two_step"), {"start": "1"}).status_code == 302
    page = client.get(url("two_step"))
    assert "<svg" in page.content.decode()
    device = two_step.setup_pending(user)
    assert client.post(url("two_step"), {"code": "000000", "password": PASSWORD}).status_code == 200
    TOTPDevice.objects.filter(pk=device.pk).update(
        throttling_failure_count=0, throttling_failure_timestamp=None
    )
    # Its codes sign documents, so whoever finds a session open sets none up.
    for password in ("", "wrong"):
        refused = client.post(url("two_step"), {"code": code_for(device, -1), "password": password})
        assert "password" in refused.context["form"].errors
        assert not two_step.has_second_step(user)
    page = client.post(url("two_step"), {"code": code_for(device, -1), "password": PASSWORD})
    codes = page.context["codes"]
    assert len(codes) == two_step.RECOVERY_CODES
    assert client.get("/").status_code == 200, "this session has given a code"
    assert last("user.totp").facts["change"] == "on"

    other = client.__class__()
    assert sign_in(other, user).status_code == 302
    signed_in_before = AuditEvent.objects.filter(action="user.signed_in").count()
    assert other.get("/").url.startswith(url("second_step"))
    assert other.post(url("second_step"), {"code": codes[0], "next": url("profile")}).url == url("profile")
    assert AuditEvent.objects.filter(action="user.signed_in").count() == signed_in_before + 1
    assert other.get("/").status_code == 200

    third = client.__class__()
    sign_in(third, user)
    assert third.post(url("second_step"), {"code": codes[0]}).status_code == 200, "a recovery code works once"
    assert third.get("/").status_code == 302


def test_a_code_works_once_and_a_wrong_one_is_an_event(client, people):
    device, _codes = enrol(people.executor)
    code = code_for(device)
    assert two_step.second_step(people.executor, code) is not None
    assert two_step.second_step(people.executor, code) is None
    assert last("user.totp_failed").actor_id == str(people.executor.pk)


def test_the_database_alone_gives_no_codes_away(people):
    device, codes = enrol(people.executor)
    secret = two_step.secret_of(device).replace(" ", "")
    kept = TOTPDevice.objects.get(pk=device.pk).key
    assert len(device.bin_key) == 20
    for readable in (secret, device.bin_key.hex(), b64encode(device.bin_key).decode()):
        assert readable not in kept
    tokens_kept = set(StaticToken.objects.values_list("token", flat=True))
    assert len(tokens_kept) == two_step.RECOVERY_CODES
    assert not tokens_kept & {code.replace("-", "") for code in codes}
    # What was kept is no code, and neither passes for another account.
    for token in tokens_kept:
        assert two_step.second_step(people.executor, token) is None
    other, _codes = enrol(people.planner)
    TOTPDevice.objects.filter(pk=other.pk).update(key=kept)
    with pytest.raises(EngineError) as refused:
        two_step.second_step(people.planner, "123456")
    assert refused.value.code == "vault.unwrap"


def test_what_was_set_up_before_is_encrypted_and_goes_on_working(people):
    secret, code = b"s" * 20, "0123456789"
    for owner in (people.executor, people.planner):
        TOTPDevice.objects.create(user=owner, name="totp", confirmed=True, key=secret.hex())
    StaticDevice.objects.create(user=people.executor, name="recovery").token_set.create(token=code)
    import_module("deid_portal.accounts.migrations.0003_second_step_encrypted").seal_secrets(apps, None)
    assert not TOTPDevice.objects.filter(key__contains=secret.hex()).exists()
    assert not StaticToken.objects.filter(token=code).exists()
    assert two_step.second_step(people.executor, f"{totp(secret):06d}") is not None
    assert two_step.second_step(people.executor, "01234-56789") is not None
    assert two_step.second_step(people.executor, "01234-56789") is None
    assert two_step.second_step(people.planner, "01234-56789") is None


def test_switching_the_second_step_off_needs_both_secrets(client, people):
    user = people.executor
    _device, codes = enrol(user)
    sign_in(client, user)
    client.post(url("second_step"), {"code": codes[0]})
    assert client.post(url("two_step_manage"), {"password": "wrong", "code": codes[1]}).status_code == 200
    assert two_step.has_second_step(user)
    renewed = client.post(url("two_step_manage"), {"password": PASSWORD, "code": codes[1], "renew": "1"})
    assert codes[2] not in renewed.context["codes"]
    data = {"password": PASSWORD, "code": renewed.context["codes"][0]}
    assert client.post(url("two_step_manage"), data).status_code == 302
    assert not two_step.has_second_step(user)


def test_changing_the_password_ends_other_sessions(client, people):
    other = client.__class__()
    sign_in(client, people.executor)
    sign_in(other, people.executor)
    new = "another-good-phrase-1"
    data = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert client.post(url("password"), data).status_code == 302
    assert client.get("/").status_code == 200
    assert other.get("/").status_code == 302
    assert last("user.password").actor_id == str(people.executor.pk)


def test_profile_and_language(client, people):
    sign_in(client, people.executor)
    assert client.post(url("profile"), {"email": "a@example.org", "language": "en"}).status_code == 302
    people.executor.refresh_from_db()
    assert (people.executor.email, people.executor.language) == ("a@example.org", "en")
    answer = client.post(reverse("set_language"), {"language": "zh-hans", "next": "/projects/"})
    assert answer.url == "/projects/"
    people.executor.refresh_from_db()
    assert people.executor.language == "zh-hans"
    client.post(reverse("set_language"), {"language": "xx"})
    people.executor.refresh_from_db()
    assert people.executor.language == "zh-hans"


def test_the_language_of_the_account_comes_with_the_sign_in(client, people):
    services.language_remember(people.executor, "en")
    sign_in(client, people.executor)
    assert client.cookies["django_language"].value == "en"


def test_a_token_is_shown_once_and_kept_as_a_hash(client, people):
    sign_in(client, people.executor)
    page = client.post(url("token_create"), {"name": "night run", "days": "30", "password": PASSWORD})
    key = page.context["key"]
    token = ApiToken.objects.get()
    assert key not in str(token.__dict__.values()) or key[:10] == token.beginning
    assert token.key_hash == tokens.key_hash(key)
    assert key not in client.get(url("profile")).content.decode()
    api = client.__class__(headers={"Authorization": f"Token {key}"})
    assert api.get("/api/account/me/").json()["username"] == "executor"
    other = client.__class__()
    sign_in(other, people.planner)
    assert other.post(url("token_revoke", token_id=token.pk)).status_code == 404
    assert client.post(url("token_revoke", token_id=token.pk)).status_code == 302
    assert api.get("/api/account/me/").status_code == 401
    assert [e.facts["change"] for e in AuditEvent.objects.filter(action="user.token").order_by("seq")] == [
        "created",
        "revoked",
    ]


@pytest.mark.parametrize("why", ["expired", "inactive", "ended", "must change"])
def test_a_token_stops_with_its_account(client, people, why):
    user = people.executor
    _token, key = tokens.token_create(user, name="x")
    api = client.__class__(headers={"Authorization": f"Token {key}"})
    assert api.get("/api/account/me/").status_code == 200
    yesterday = timezone.now() - timedelta(days=1)
    if why == "expired":
        ApiToken.objects.update(expires_at=yesterday)
    else:
        fields = {
            "inactive": {"is_active": False},
            "ended": {"access_until": yesterday.date()},
            "must change": {"must_change_password": True},
        }
        write(user, **fields[why])
    assert api.get("/api/account/me/").status_code == 401


def test_a_token_by_password_needs_the_second_step_too(client, people):
    _device, codes = enrol(people.executor)
    address, data = "/api/account/token/", {"username": "executor", "password": PASSWORD, "name": "ci"}
    assert client.post(address, data).status_code == 401
    made = client.post(address, {**data, "code": codes[0]})
    assert made.status_code == 201
    api = client.__class__(headers={"Authorization": f"Token {made.json()['key']}"})
    assert api.get("/api/account/me/").status_code == 200


def test_a_token_makes_no_token_and_manages_none_but_itself(client, people):
    """Whoever gets hold of a token has it until its end, and no longer."""
    mine, key = tokens.token_create(people.executor, name="night run", days=1)
    other, _key = tokens.token_create(people.executor, name="another")
    api = client.__class__(headers={"Authorization": f"Token {key}"})
    address = "/api/account/tokens/"
    made = api.post(address, {"name": "for ever", "days": 365})
    assert made.status_code == 403
    assert made.json()["code"] == "token_is_no_session"
    assert [row["id"] for row in api.get(address).json()] == [str(mine.pk)]
    assert api.delete(f"{address}{other.pk}/").status_code == 403
    assert ApiToken.objects.count() == 2
    assert api.delete(f"{address}{mine.pk}/").status_code == 204
    assert api.get("/api/account/me/").status_code == 401
    sign_in(client, people.executor)
    assert client.post(address, {"name": "with a session", "password": PASSWORD}).status_code == 201
    assert len(client.get(address).json()) == 2
    assert client.delete(f"{address}{other.pk}/").status_code == 204


ADMIN_PAGES = ("accounts", "account_create", "account")


@pytest.mark.parametrize(
    "who",
    ["planner", "executor", "supervisor", "management", "recipient", "auditor", "assessor", "superuser"],
)
def test_only_administrators_manage_accounts(client, people, who):
    client.force_login(getattr(people, who), backend=BACKEND)
    target = {"user_id": people.outsider.pk}
    assert client.get(url("accounts")).status_code == 403
    assert client.get(url("account_create")).status_code == 403
    assert client.get(url("account", **target)).status_code == 403
    for name in ("account_active", "account_password", "account_two_step"):
        assert client.post(url(name, **target), {"reason": "x"}).status_code == 403
    with pytest.raises(Refused):
        services.user_create(username="x", password="y", full_name="z", by=getattr(people, who))


def test_an_administrator_creates_an_account_that_must_change_its_password(client, people):
    client.force_login(people.administrator, backend=BACKEND)
    assert client.get(url("accounts")).status_code == 200
    data = {"username": "newcomer", "full_name": "New Comer", "post": "staff"}
    page = client.post(url("account_create"), data)
    password = page.context["password"]
    newcomer = User.objects.get(username="newcomer")
    assert check_password(password, newcomer.password)
    other = client.__class__()
    sign_in(other, newcomer, password)
    assert other.get("/").url.startswith(url("password"))
    assert other.get("/api/tasks/").status_code == 403
    new = "my-own-long-phrase-7"
    data = {"old_password": password, "new_password1": new, "new_password2": new}
    assert other.post(url("password"), data).status_code == 302
    assert other.get("/").status_code == 200


def test_an_assessor_needs_an_end_date(client, people):
    client.force_login(people.administrator, backend=BACKEND)
    page = client.post(
        url("account_create"), {"username": "a", "full_name": "A", "post": Post.ASSESSOR.value}
    )
    assert page.status_code == 200
    assert "access_until" in page.context["form"].errors


def test_an_administrator_edits_deactivates_and_resets_but_not_themselves(client, people):
    client.force_login(people.administrator, backend=BACKEND)
    target = {"user_id": people.executor.pk}
    data = {"full_name": "Renamed", "department": "IT", "email": "", "access_until": ""}
    assert client.post(url("account", **target), data).status_code == 302
    people.executor.refresh_from_db()
    assert people.executor.full_name == "Renamed"
    assert last("user.edited").facts["fields"] == "department, full_name"
    assert client.post(url("account_active", **target)).status_code == 400, "it does not say what is wanted"
    client.post(url("account_active", **target), {"active": "no"})
    people.executor.refresh_from_db()
    assert not people.executor.is_active
    client.post(url("account_active", **target), {"active": "yes"})
    enrol(people.executor)
    lost = {"password-reason": "forgotten, seen in person"}
    password = client.post(url("account_password", **target), lost).context["password"]
    people.executor.refresh_from_db()
    assert check_password(password, people.executor.password)
    assert people.executor.must_change_password
    assert client.post(url("account_two_step", **target), {"reason": ""}).status_code == 422
    client.post(url("account_two_step", **target), {"reason": "phone lost, seen in person"})
    assert two_step.has_second_step(people.executor), "another administrator has to carry it out"
    own = {"user_id": people.administrator.pk}
    assert client.post(url("account_password", **own), lost).status_code == 403
    assert client.post(url("account_active", **own), {"active": "no"}).status_code == 403


def test_an_administrator_sees_no_project(client, people, project):
    client.force_login(people.administrator, backend=BACKEND)
    assert client.get(reverse("core:project", kwargs={"project_id": project.pk})).status_code == 404
    assert project.title not in client.get("/").content.decode()
    assert project.title not in client.get("/projects/").content.decode()


def test_whose_access_has_ended_neither_signs_in_nor_stays(client, people):
    client.force_login(people.assessor, backend=BACKEND)
    assert client.get("/").status_code == 200
    write(people.assessor, access_until=timezone.localdate() - timedelta(days=1))
    assert client.get("/").url.startswith(url("sign_in"))
    assert sign_in(client, people.assessor).status_code == 200
    assert client.get("/").status_code == 302


def test_no_secret_reaches_the_audit_log(client, people):
    device, codes = enrol(people.executor)
    _token, key = tokens.token_create(people.executor, name="x")
    password = services.password_reset(people.planner, by=people.administrator)
    text = str(list(AuditEvent.objects.values_list("facts", "reason", "subject")))
    for secret in (key, password, device.key, *codes, PASSWORD):
        assert secret not in text


def test_a_reset_password_ends_the_tokens_for_good(client, people):
    _token, key = tokens.token_create(people.executor, name="x")
    tokens.token_create(people.planner, name="of somebody else")
    services.password_reset(people.executor, by=people.administrator)
    people.executor.refresh_from_db()
    services.password_change(people.executor, password="a new one of my own")
    assert tokens.token_valid(key) is None
    assert [token.user for token in ApiToken.objects.all()] == [people.planner]
    assert AuditEvent.objects.get(action="user.password_reset").facts == {"tokens_ended": 1}


def test_the_first_administrator_comes_from_the_command_line(client, db, capsys):
    call_command("administrator_create", "first", "First Administrator")
    password = capsys.readouterr().out.strip().removeprefix("first: ")
    sign_in(client, User.objects.get(username="first"), password)
    assert client.get("/").url.startswith(url("password"))
    assert User.objects.get(username="first").post == Post.ADMINISTRATOR


def test_accounts_stand_by_pinyin_and_those_that_ended_last(client, people):
    for number, name in enumerate(("赵一", "安二", "孙三", "Ben", "钱四")):
        User.objects.create(username=f"n{number}", full_name=name, is_active=name != "安二", post=Post.STAFF)
    client.force_login(people.administrator)
    page = client.get(url("accounts"), {"q": "n"}).context["page"]
    names = [one.full_name for one in page if one.username in {f"n{number}" for number in range(5)}]
    assert names == ["Ben", "钱四", "孙三", "赵一", "安二"]

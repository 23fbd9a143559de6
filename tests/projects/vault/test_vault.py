"""Keys are made, used, listed and destroyed; their bytes never show."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.governed import GovernanceBypassed
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import Refused
from projects.core.services import project_move
from projects.core.tasks_registry import tasks_of
from projects.vault.checks import keys_are_set, require_keys
from projects.vault.keys import key_new, key_unwrap, key_wrap
from projects.vault.models import Secret
from projects.vault.providers import lapse
from projects.vault.services import (
    secret_bytes,
    secret_destroy,
    secret_get_or_create,
    secret_keep,
    secret_propose,
)
from projects.workflow import MOVES, Move
from techniques.core.messages import EngineError

pytestmark = pytest.mark.django_db


@pytest.fixture
def secret(project, people):
    return secret_get_or_create(project, "pseudonyms: 患者编号", people.executor)


@pytest.fixture
def withdrawn(project, people, secret):
    project_move(project, move=Move.WITHDRAW, by=people.planner, reason="not needed")
    project.refresh_from_db()
    return project


def test_the_same_purpose_gives_the_same_bytes(project, people, secret):
    again = secret_get_or_create(project, secret.purpose, people.executor)
    assert again.pk == secret.pk
    first = secret_bytes(secret, by=people.executor)
    assert len(first) == 32
    assert secret_bytes(again) == first
    assert secret_bytes(secret_get_or_create(project, "other", people.executor)) != first
    assert bytes(first) not in bytes(secret.wrapped_key)
    used = AuditEvent.objects.filter(action="secret.used")
    assert used.count() == 3
    assert first.hex() not in str([vars(event) for event in used])


def test_wrapping_is_bound_to_its_context_and_master_key(settings):
    key = key_new()
    wrapped = key_wrap(key, "a")
    assert key_unwrap(wrapped, "a") == key
    for context, changed in (("b", wrapped), ("a", wrapped[:-1]), ("a", b""), ("a", b"\x02" + wrapped[1:])):
        with pytest.raises(EngineError):
            key_unwrap(changed, context)
    settings.DEID_MASTER_KEY = "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI="
    with pytest.raises(EngineError):
        key_unwrap(wrapped, "a")


@pytest.mark.parametrize("key", ["", "short", "QUJD", "*" * 44])
def test_without_a_master_key_nothing_starts(settings, key):
    settings.DEID_MASTER_KEY = key
    assert [problem.id for problem in keys_are_set(None)] == ["vault.E001"]
    with pytest.raises(ImproperlyConfigured):
        require_keys()


def test_without_a_secret_key_nothing_starts(settings):
    settings.SECRET_KEY = ""
    assert [problem.id for problem in keys_are_set(None)] == ["vault.E002"]


@pytest.mark.parametrize("who", ["planner", "supervisor", "management", "auditor", "outsider", "superuser"])
def test_only_the_executor_makes_keys(project, people, who):
    with pytest.raises(Refused):
        secret_get_or_create(project, "x", getattr(people, who))
    assert not Secret.objects.exists()


def test_destroyed_bytes_are_gone_and_the_row_stays(withdrawn, people, secret):
    with pytest.raises(Refused) as refused:
        secret_propose(secret, reason=" ", by=people.planner)
    assert refused.value.verdict.code == "reason_needed"
    secret_propose(secret, reason="The project was withdrawn", by=people.planner)
    assert len(secret_bytes(secret)) == 32
    destroyed = secret_destroy(secret, reason="The project was withdrawn", by=people.supervisor)
    assert bytes(destroyed.wrapped_key) == b""
    with pytest.raises(EngineError) as error:
        secret_bytes(secret)
    assert error.value.code == "vault.destroyed"
    assert AuditEvent.objects.get(action="secret.destroyed").reason == "The project was withdrawn"
    with pytest.raises(Refused):
        secret_destroy(secret, reason="again", by=people.supervisor)
    assert secret_get_or_create(withdrawn, secret.purpose, None).pk != secret.pk


def test_no_key_is_destroyed_while_it_is_needed(project, people, secret):
    with pytest.raises(Refused) as refused:
        secret_propose(secret, reason="too early", by=people.planner)
    assert refused.value.verdict.code == "wrong_state"


def test_nobody_destroys_alone(withdrawn, people, secret):
    with pytest.raises(Refused) as refused:
        secret_destroy(secret, reason="at once", by=people.supervisor)
    assert refused.value.verdict.code == "secret_not_proposed"
    secret_propose(secret, reason="over", by=people.planner)
    with pytest.raises(Refused) as refused:
        secret_destroy(secret, reason="over", by=people.planner)
    assert refused.value.verdict.code == "not_your_role"
    with pytest.raises(Refused) as refused:
        secret_propose(secret, reason="once more", by=people.planner)
    assert refused.value.verdict.code == "secret_proposed"
    (task,) = [one for one in tasks_of(people.supervisor) if one.icon == "key"]
    assert str(people.planner) in task.hint


def test_the_second_person_may_keep_a_key(withdrawn, people, secret):
    secret_propose(secret, reason="over", by=people.planner)
    kept = secret_keep(secret, reason="An appeal is open", by=people.supervisor)
    assert (kept.is_proposed, kept.is_destroyed, kept.proposed_why) == (False, False, "")
    assert len(secret_bytes(secret)) == 32
    assert AuditEvent.objects.get(action="secret.kept").reason == "An appeal is open"
    with pytest.raises(Refused):
        secret_destroy(secret, reason="all the same", by=people.supervisor)
    assert secret_propose(secret, reason="now it is over", by=people.planner).is_proposed


@pytest.mark.parametrize("reopens", [True, False])
def test_a_project_that_is_opened_again_needs_its_keys(withdrawn, people, secret, reopens):
    secret_propose(secret, reason="over", by=people.planner)
    rule = MOVES[Move.REOPEN_PROCESSING if reopens else Move.CLOSE]
    with governed_act():
        lapse(withdrawn, rule, people.supervisor)
    secret.refresh_from_db()
    assert secret.is_proposed is not reopens
    assert [one for one in tasks_of(people.supervisor) if one.icon == "key"] == [] or not reopens
    assert AuditEvent.objects.filter(action="secret.lapsed").exists() is reopens


def test_direct_writes_are_refused(secret):
    with pytest.raises(GovernanceBypassed):
        secret.save()


READS = {"planner": 200, "executor": 200, "supervisor": 200, "auditor": 200, "assessor": 200}
READS |= {"management": 403, "recipient": 404, "outsider": 404, "superuser": 404, "administrator": 404}


@pytest.mark.parametrize(("who", "status"), READS.items())
def test_who_sees_the_list(client, project, people, secret, who, status):
    client.force_login(getattr(people, who))
    for name in ("vault:page", "api:secret-list"):
        response = client.get(reverse(name, args=[project.pk]))
        assert response.status_code == status
        assert ("患者编号" in response.content.decode()) == (status == 200)
        assert b"wrapped" not in response.content


@pytest.mark.parametrize("who", [*READS])
@pytest.mark.parametrize(
    ("act", "permitted"),
    [("propose", {"planner"}), ("keep", {"planner", "supervisor"}), ("destroy", {"supervisor"})],
)
@pytest.mark.parametrize("name", ["vault:%s", "api:secret-%s"])
def test_who_acts_on_a_key(client, withdrawn, people, secret, who, act, permitted, name):
    if act != "propose":
        secret_propose(secret, reason="over", by=people.planner)
    client.force_login(getattr(people, who))
    response = client.post(reverse(name % act, args=[withdrawn.pk, secret.pk]), {"reason": "withdrawn"})
    secret.refresh_from_db()
    if who in permitted:
        assert response.status_code in (200, 302)
    else:
        assert response.status_code in (403, 404)
    assert secret.is_destroyed == (act == "destroy" and who in permitted)
    assert secret.is_proposed == ((act == "propose") == (who in permitted))


def test_acts_through_the_page_need_a_reason(client, withdrawn, people, secret):
    client.force_login(people.planner)
    response = client.post(reverse("vault:propose", args=[withdrawn.pk, secret.pk]), {"reason": ""})
    assert response.status_code == 422
    client.post(reverse("vault:propose", args=[withdrawn.pk, secret.pk]), {"reason": "over"})
    client.force_login(people.supervisor)
    for act in ("keep", "destroy"):
        response = client.post(reverse(f"vault:{act}", args=[withdrawn.pk, secret.pk]), {"reason": ""})
        assert response.status_code == 422
    secret.refresh_from_db()
    assert secret.is_proposed

"""Keys in a database of their own (GB/T 37964 4.2 c): made, used, moved and destroyed there, with a log that the portal cannot change."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connections, transaction
from django.urls import reverse
from django.utils.translation import override

from approvals.audit.models import AuditEvent
from projects.core.services import project_move
from projects.jobs.selectors import latest_job
from projects.jobs.services import job_run
from projects.vault.checks import require_keys
from projects.vault.custody.checks import store_has_its_key, store_is_there
from projects.vault.custody.models import Act, KeptKey, KeyAccess
from projects.vault.custody.routing import VAULT, CustodyRouter
from projects.vault.custody.sealing import key_seal, key_unseal
from projects.vault.custody.services import key_keep
from projects.vault.documents import CERTIFICATE_JOB, certificate_context, certificate_subject
from projects.vault.keys import key_new, key_unwrap
from projects.vault.models import Secret
from projects.vault.purposes import ONCE, PROJECT_KEY, SHARED
from projects.vault.services import (
    destroyed_leave_the_store,
    secret_bytes,
    secret_destroy,
    secret_destroy_spent,
    secret_get_or_create,
    secret_move,
    secret_propose,
    secrets_forget,
)
from projects.workflow import Move
from techniques.core.messages import EngineError
from tests.fixtures import make_project
from tests.projects.rows import change

pytestmark = pytest.mark.django_db
OTHER_KEY = "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI="


@pytest.fixture
def secret(project, people, keystore):
    return secret_get_or_create(project, PROJECT_KEY, people.executor)


def destroyed(project, people, secret, capture) -> Secret:
    project_move(project, move=Move.WITHDRAW, by=people.planner, reason="not needed")
    secret_propose(secret, reason="over", by=people.planner)
    with capture(execute=True):
        return secret_destroy(secret, reason="The project was withdrawn", by=people.supervisor)


def test_the_portals_database_has_no_bytes_of_a_key_that_lies_apart(project, people, secret):
    assert (secret.apart, bytes(secret.wrapped_key)) == (True, b"")
    again = secret_get_or_create(project, PROJECT_KEY, people.executor)
    assert again.pk == secret.pk
    assert secret_bytes(secret, by=people.executor) == secret_bytes(again)
    kept = KeptKey.objects.get()
    assert kept.pk == secret.pk
    assert secret_bytes(secret) not in bytes(kept.sealed)


def test_each_act_on_a_key_is_written_in_the_store(project, people, secret):
    secret_bytes(secret, by=people.executor)
    secret_bytes(secret)
    acts = list(KeyAccess.objects.values_list("act", "person", "project", "purpose", "key"))
    about = (project.number, PROJECT_KEY, secret.pk)
    assert acts == [
        (Act.KEPT, people.executor.username, *about),
        (Act.OPENED, people.executor.username, *about),
        (Act.OPENED, "", *about),
    ]


def test_an_access_stays_written_though_the_portal_takes_its_own_step_back(people, secret):
    with transaction.atomic():
        secret_bytes(secret, by=people.executor)
        transaction.set_rollback(True)
    assert AuditEvent.objects.filter(action="secret.used").count() == 0
    assert KeyAccess.objects.filter(act=Act.OPENED).count() == 1


@pytest.mark.parametrize("table", ["custody_keyaccess", "custody_keptkey"])
def test_nothing_in_the_store_is_rewritten(secret, table):
    with (
        pytest.raises(IntegrityError),
        transaction.atomic(using=VAULT),
        connections[VAULT].cursor() as cursor,
    ):
        cursor.execute(f"UPDATE {table} SET id = id")
    with (
        pytest.raises(IntegrityError),
        transaction.atomic(using=VAULT),
        connections[VAULT].cursor() as cursor,
    ):
        cursor.execute("DELETE FROM custody_keyaccess")


def test_neither_key_opens_alone(settings, secret):
    sealed = bytes(KeptKey.objects.get().sealed)
    assert len(key_unseal(sealed, secret.context)) == 32
    with pytest.raises(EngineError):
        key_unwrap(sealed, secret.context)
    with pytest.raises(EngineError):
        key_unseal(sealed, "secret:of another row")
    for name in ("DEID_VAULT_KEY", "DEID_MASTER_KEY"):
        before = getattr(settings, name)
        setattr(settings, name, OTHER_KEY)
        with pytest.raises(EngineError):
            key_unseal(sealed, secret.context)
        setattr(settings, name, before)


def test_a_key_is_sealed_anew_each_time(keystore):
    key = key_new()
    assert key_seal(key, "a") != key_seal(key, "a")
    assert key_unseal(key_seal(key, "a"), "a") == key


def test_what_is_destroyed_leaves_the_store_and_the_certificate_says_so(
    project, people, secret, keystore, django_capture_on_commit_callbacks
):
    sealed = bytes(KeptKey.objects.get().sealed)
    assert sealed in keystore.read_bytes() + keystore.with_name(keystore.name + "-wal").read_bytes()
    gone = destroyed(project, people, secret, django_capture_on_commit_callbacks)
    assert KeptKey.objects.count() == 0
    assert KeyAccess.objects.last().act == Act.FORGOTTEN
    assert KeyAccess.objects.last().person == people.supervisor.username
    connections[VAULT].close()
    assert all(sealed not in one.read_bytes() for one in keystore.parent.glob(keystore.name + "*"))
    connections[VAULT].connect()
    with override("en"):
        said = certificate_context(gone)
    assert "store of the keys" in dict(said["facts"])["How"]
    weigh = " ".join(said["weigh"])
    assert "backup of the store of the keys" in weigh
    assert "backup of the database" not in weigh
    assert certificate_subject(gone).hash != certificate_subject(Secret(**_fields(gone, apart=False))).hash


def _fields(secret, **other):
    return {one.attname: getattr(secret, one.attname) for one in Secret._meta.concrete_fields} | other


@contextmanager
def away() -> Iterator[None]:
    """The store refuses everything meanwhile."""
    with connections[VAULT].cursor() as cursor:
        cursor.execute("ALTER TABLE custody_keptkey RENAME TO away")
        yield
        cursor.execute("ALTER TABLE away RENAME TO custody_keptkey")


def test_a_store_that_does_not_answer_keeps_the_certificate_back(
    project, people, secret, django_capture_on_commit_callbacks
):
    with away():
        with pytest.raises(EngineError) as error:
            secret_bytes(secret)
        assert error.value.code == "vault.unreachable"
        gone = destroyed(project, people, secret, django_capture_on_commit_callbacks)
        assert gone.is_destroyed
        with pytest.raises(EngineError) as error:
            secrets_forget([gone])
        assert error.value.code == "vault.unreachable"
        job_run(latest_job(project, CERTIFICATE_JOB, gone.pk).pk)
    printing = latest_job(project, CERTIFICATE_JOB, gone.pk)
    assert (printing.status, printing.error_code) == ("failed", "vault.unreachable")
    assert KeptKey.objects.count() == 1
    with pytest.raises(EngineError) as error:
        secret_bytes(gone)
    assert error.value.code == "vault.destroyed"
    destroyed_leave_the_store()
    assert KeptKey.objects.count() == 0
    # What could not be printed before is printed now.
    again = latest_job(project, CERTIFICATE_JOB, gone.pk)
    assert (again.status, again.pk != printing.pk) == ("queued", True)


def test_a_key_of_one_run_alone_leaves_the_store_with_its_run(
    project, people, keystore, django_capture_on_commit_callbacks
):
    secret_get_or_create(project, ONCE % 1, people.executor)
    with django_capture_on_commit_callbacks(execute=True):
        secret_destroy_spent(project, ONCE % 1, by=people.executor, reason="Its run has ended")
    assert KeptKey.objects.count() == 0


def test_projects_that_share_a_key_have_each_their_own_in_the_store(project, people, keystore):
    first = secret_get_or_create(project, SHARED % "patients", None, shared=True)
    second = secret_get_or_create(
        make_project(people, "Another study"), SHARED % "patients", None, shared=True
    )
    assert KeptKey.objects.count() == 2
    assert secret_bytes(first) == secret_bytes(second)


class TestMoving:
    @pytest.fixture
    def before(self, project, people):
        """A key from before there was a store, with its bytes."""
        secret = secret_get_or_create(project, PROJECT_KEY, people.executor)
        return secret, secret_bytes(secret)

    def test_keys_from_before_move_into_the_store_with_their_bytes(self, before, keystore):
        secret, key = before
        assert not secret.apart
        said = io.StringIO()
        call_command("vault_move", stdout=said)
        assert said.getvalue().startswith("1 keys were moved.")
        secret.refresh_from_db()
        assert (secret.apart, bytes(secret.wrapped_key)) == (True, b"")
        assert secret_bytes(secret) == key
        assert AuditEvent.objects.filter(action="secret.moved").count() == 1
        secret_move(secret)
        assert KeptKey.objects.count() == 1

    def test_the_certificate_of_a_moved_key_names_both_backups(
        self, project, people, before, keystore, django_capture_on_commit_callbacks
    ):
        secret, _key = before
        secret_move(secret)
        secret.refresh_from_db()
        gone = destroyed(project, people, secret, django_capture_on_commit_callbacks)
        with override("en"):
            weigh = " ".join(certificate_context(gone)["weigh"])
        assert "backup of the store of the keys" in weigh
        assert "backup of the database" in weigh

    def test_without_a_store_nothing_moves(self, before):
        with pytest.raises(CommandError):
            call_command("vault_move")

    def test_no_key_goes_back_and_none_lies_in_two_places(self, before, keystore):
        secret, _key = before
        with pytest.raises(IntegrityError), transaction.atomic():
            change(secret, apart=True)
        secret_move(secret)
        with pytest.raises(IntegrityError), transaction.atomic():
            change(secret, apart=False)


class TestChecks:
    def test_a_store_needs_a_key_of_its_own(self, settings, keystore):
        assert store_has_its_key(None) == []
        settings.DEID_VAULT_KEY = "short"
        assert [one.id for one in store_has_its_key(None)] == ["custody.E001"]
        with pytest.raises(ImproperlyConfigured):
            require_keys()

    def test_the_store_of_another_key_is_refused(self, settings, secret):
        assert store_is_there(None) == []
        settings.DEID_VAULT_KEY = OTHER_KEY
        assert [one.id for one in store_is_there(None)] == ["custody.E003"]

    def test_a_store_without_tables_is_refused(self, keystore):
        with connections[VAULT].cursor() as cursor:
            cursor.execute("DROP TABLE custody_keptkey")
        assert [one.id for one in store_is_there(None)] == ["custody.E002"]

    def test_keys_that_lie_in_a_store_that_is_not_named_are_missed(self, secret, monkeypatch):
        assert store_is_there(None) == []
        with monkeypatch.context() as unnamed:
            unnamed.delitem(connections.databases, VAULT)
            assert [one.id for one in store_is_there(None)] == ["custody.E004"]

    def test_the_store_is_compared_with_the_rows(self, secret, keystore):
        said, found = io.StringIO(), io.StringIO()
        call_command("vault_check", stdout=said)
        assert said.getvalue() == "1 live keys lie in the store of the keys\n"
        KeptKey.objects.all().delete()
        with pytest.raises(SystemExit):
            call_command("vault_check", stdout=said, stderr=found)
        assert f"1 live keys are missing: {secret.pk}" in found.getvalue()
        with pytest.raises(EngineError) as error:
            secret_bytes(secret)
        assert error.value.code == "vault.missing"


def test_the_tables_of_the_store_are_in_no_other_database(keystore):
    names = connections["default"].introspection.table_names()
    assert [one for one in names if one.startswith("custody_")] == []
    there = connections[VAULT].introspection.table_names()
    assert sorted(set(there) - {"django_migrations", "sqlite_sequence"}) == [
        "custody_keptkey",
        "custody_keyaccess",
    ]
    router = CustodyRouter()
    assert not router.allow_migrate("default", "custody")
    assert not router.allow_migrate(VAULT, "vault")


def test_the_page_says_where_a_key_lies(client, people, project, secret):
    client.force_login(people.executor)
    page = client.get(reverse("vault:page", args=[project.pk])).content.decode()
    assert "密钥专库" in page
    answer = client.get(reverse("api:secret-list", args=[project.pk]))
    assert answer.json()[0]["apart"] is True


class TestStepsThatBreakOff:
    @pytest.fixture
    def left_behind(self, project, people, request):
        """A key of the portal's database, of which a move that broke off has left the bytes in the store too."""
        secret = secret_get_or_create(project, PROJECT_KEY, people.executor)
        key = secret_bytes(secret)
        request.getfixturevalue("keystore")
        key_keep(secret, key, by=None)
        assert KeptKey.objects.filter(pk=secret.pk).exists()
        return secret, key

    def test_the_move_goes_on_when_it_is_run_again(self, left_behind):
        secret, key = left_behind
        assert secret_bytes(secret) == key
        secret_move(secret)
        secret.refresh_from_db()
        assert secret.apart
        assert secret_bytes(secret) == key
        assert KeptKey.objects.count() == 1

    def test_what_lies_in_two_places_is_called_so(self, left_behind):
        found = io.StringIO()
        with pytest.raises(SystemExit):
            call_command("vault_check", stdout=io.StringIO(), stderr=found)
        assert found.getvalue().startswith("1 live keys lie there and in the portal's database too")
        assert "no row" not in found.getvalue()

    def test_what_was_left_there_is_destroyed_with_the_key(
        self, project, people, left_behind, django_capture_on_commit_callbacks
    ):
        destroyed(project, people, left_behind[0], django_capture_on_commit_callbacks)
        assert KeptKey.objects.count() == 0


def test_a_store_that_has_never_had_the_key_does_not_say_that_it_is_gone(
    project, people, secret, django_capture_on_commit_callbacks
):
    """As where another store is named, or an older state of it was restored: the bytes may lie somewhere."""
    KeptKey.objects.all().delete()
    assert [one.id for one in store_is_there(None)] == ["custody.E006"]
    gone = destroyed(project, people, secret, django_capture_on_commit_callbacks)
    with pytest.raises(EngineError) as error:
        secrets_forget([gone])
    assert error.value.code == "vault.missing"


def test_the_store_is_neither_the_portals_database_nor_sealed_by_the_master_key(settings, keystore):
    settings.DEID_VAULT_KEY = settings.DEID_MASTER_KEY
    connections[VAULT].settings_dict["NAME"] = connections["default"].settings_dict["NAME"]
    connections[VAULT].settings_dict["HOST"] = connections["default"].settings_dict["HOST"]
    connections[VAULT].settings_dict["PORT"] = connections["default"].settings_dict["PORT"]
    connections[VAULT].settings_dict["ENGINE"] = connections["default"].settings_dict["ENGINE"]
    assert [one.id for one in store_has_its_key(None)] == ["custody.E001", "custody.E005"]

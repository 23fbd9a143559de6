"""Who has every right on the database, and not the key, alters log or state; then people go on working: it is found.

Each case takes a released project as it is, alters it by SQL alone, as somebody would who knows the code: triggers dropped,
public hashes worked out anew. Afterwards somebody signs in, opens a page and acts. The command has to find it and so has
the page, and where it is the end of the log or what a recipient gets, the act is refused.
"""

from __future__ import annotations

import io
import json
import random
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from guardian.models import UserObjectPermission

from approvals.audit import checks
from approvals.audit.anchors import anchors_send
from approvals.audit.chain import GENESIS, link
from approvals.audit.models import AuditEvent, AuditHead, AuditState
from approvals.audit.rules import LogBroken
from approvals.audit.verify import READ, stored_end_faults, stored_head
from approvals.governance.proven import PROVEN, digests, units_read
from deid_portal.accounts.services import password_reset, profile_edit, user_create
from projects.core.models import Membership
from projects.core.services import member_end, project_create, project_edit, project_move
from projects.releases.deliveries.services import delivery_request
from projects.releases.selectors import current_release
from projects.workflow import Move
from tests.approvals.governance.test_governance import raw_sql
from tests.projects.releases import stories

pytestmark = pytest.mark.django_db
CASES = 200
PASSWORD = "correct-horse-battery"
LOG, PROJECT, PERSON = "the log", "a row of a project", "an account or a token"


def START(people):
    from deid_portal.accounts.tokens import token_create

    story = stories.reach(people, stories.State.APPROVED)
    story.older = stored_head()
    story.release()
    token_create(people.planner, name="reports")
    story.sessions = {name: session_of(getattr(people, name)) for name in ("auditor", "recipient")}
    return story


def session_of(person: Any) -> str:
    client = Client()
    client.force_login(person, backend="deid_portal.accounts.backends.AccountBackend")
    return client.cookies["sessionid"].value


class Attacker:
    """Full rights on the database; what was seen in it earlier; no key."""

    def __init__(self, seed: int, story: Any, people: Any) -> None:
        self.dice, self.story, self.people = random.Random(seed), story, people
        self.project = story.project.pk
        with connection.cursor() as cursor:
            # One by one: deleted at once from the schema they would be missing after the transaction, too.
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for (name,) in cursor.fetchall():
                cursor.execute(f'DROP TRIGGER "{name}"')
            # Rows that contradict constraints as well.
            cursor.execute("PRAGMA ignore_check_constraints = ON")

    def seq(self, *, first: int = 2, spare: int = 2) -> int:
        return self.dice.randint(first, stored_head()["seq"] - spare)

    def recompute(self) -> None:
        """Numbers without gaps, each public hash and link anew, the head on the last row: all but the seals."""
        rows = list(AuditEvent.objects.order_by("seq").values(*READ))
        raw_sql("UPDATE audit_auditevent SET seq = -seq")
        before = GENESIS
        for number, row in enumerate(rows, 1):
            old, row["seq"], row["previous_hash"] = row["seq"], number, before
            row["hash"] = before = link(before, row)
            raw_sql(
                "UPDATE audit_auditevent SET seq = %s, previous_hash = %s, hash = %s WHERE seq = %s",
                *(number, row["previous_hash"], row["hash"], -old),
            )
        raw_sql("UPDATE audit_audithead SET seq = %s, hash = %s", len(rows), before)

    def one(self, table: str, where: str = "1 = 1") -> Any:
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT id FROM {table} WHERE {where}")
            return self.dice.choice(sorted(row[0] for row in cursor.fetchall()))

    def copy(self, table: str, **changes: Any) -> None:
        """A forged row like one that is there."""
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT * FROM {table}")
            names = [column[0] for column in cursor.description]
            row = dict(zip(names, self.dice.choice(sorted(cursor.fetchall())), strict=True)) | changes
            if "id" in row and "id" not in changes:
                row["id"] = uuid.uuid4().hex if isinstance(row["id"], str) else 10**6
            marks = ", ".join(["%s"] * len(row))
            cursor.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", list(row.values()))


def rewritten(by: Attacker) -> None:
    column, value = by.dice.choice(
        [
            ("actor", "somebody"),
            ("reason", "as agreed"),
            ("facts", "{}"),
            ("action", "project.edited"),
            ("rows", "{}"),
        ]
    )
    where = "rows <> '{}'" if column == "rows" else f"{column} <> '{value}'"
    seq = by.dice.choice(seqs(where))
    raw_sql(f"UPDATE audit_auditevent SET {column} = %s WHERE seq = %s", value, seq)


def seqs(where: str) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT seq FROM audit_auditevent WHERE {where} ORDER BY seq")
        return [row[0] for row in cursor.fetchall()]


def recomputed(by: Attacker) -> None:
    rewritten(by)
    by.recompute()


def cut(by: Attacker) -> None:
    raw_sql("DELETE FROM audit_auditevent WHERE seq > %s", by.seq())


def cut_and_recomputed(by: Attacker) -> None:
    cut(by)
    by.recompute()


def older_head(by: Attacker) -> None:
    raw_sql("DELETE FROM audit_auditevent WHERE seq > %s", by.story.older["seq"])
    AuditHead.objects.filter(pk=1).update(**by.story.older)


def removed(by: Attacker) -> None:
    raw_sql("DELETE FROM audit_auditevent WHERE seq = %s", by.seq())


def renumbered(by: Attacker) -> None:
    removed(by)
    by.recompute()


def exchanged(by: Attacker) -> None:
    seq = by.seq()
    for old, new in ((seq, -1), (seq + 1, seq), (-1, seq + 1)):
        raw_sql("UPDATE audit_auditevent SET seq = %s WHERE seq = %s", new, old)
    if by.dice.random() < 0.5:
        by.recompute()


def emptied(by: Attacker) -> None:
    raw_sql("DELETE FROM audit_auditevent")
    if by.dice.random() < 0.7:
        raw_sql("DELETE FROM audit_audithead")


def head_removed(by: Attacker) -> None:
    raw_sql("DELETE FROM audit_audithead")


def invented(by: Attacker) -> None:
    """A row of one's own at the end, with a seal that another row had."""
    by.copy("audit_auditevent", seq=stored_head()["seq"] + 1, rows="{}", actor="Management Person")
    by.recompute()


def unsealed(by: Attacker) -> None:
    """As if part of the log were from before rows had seals."""
    raw_sql("UPDATE audit_auditevent SET seal = '' WHERE seq <= %s", by.seq())
    if by.dice.random() < 0.5:
        rewritten(by)
        by.recompute()


def explained(by: Attacker) -> None:
    """A forged row, and the event that would explain it."""
    pk = by.one("accounts_user", "post = 'staff'")
    raw_sql("UPDATE accounts_user SET post = 'administrator' WHERE id = %s", pk)
    seq = by.dice.choice(seqs("action = 'user.created'"))
    kind = PROVEN["accounts.user"]
    raw_sql(
        "UPDATE audit_auditevent SET rows = %s WHERE seq = %s",
        json.dumps({"accounts.user": {"fields": kind.fields, "digests": {str(pk): "0" * 64}}}),
        seq,
    )
    by.recompute()


def set_row(table: str, *choices: str) -> Callable[[Attacker], None]:
    def alter(by: Attacker) -> None:
        change, _where, where = by.dice.choice(choices).partition(" WHERE ")
        pk = by.one(table, where or "1 = 1")
        raw_sql(f"UPDATE {table} SET {change} WHERE id = %s", pk)

    return alter


def new_row(table: str, **choices: list[Any]) -> Callable[[Attacker], None]:
    def add(by: Attacker) -> None:
        by.copy(table, **{name: by.dice.choice(values) for name, values in choices.items()})

    return add


def gone(*tables: str) -> Callable[[Attacker], None]:
    def remove(by: Attacker) -> None:
        table = by.dice.choice(tables)
        raw_sql(f"DELETE FROM {table} WHERE id = %s", by.one(table))

    return remove


def member_forged(by: Attacker) -> None:
    by.copy("core_membership", user_id=by.people.outsider.pk, role=by.dice.choice(["planner", "recipient"]))


def token_forged(by: Attacker) -> None:
    by.copy("accounts_apitoken", key_hash=f"{by.dice.getrandbits(256):064x}", user_id=by.people.management.pk)


# (what is done, to what, how often)
KINDS: tuple[tuple[Callable[[Attacker], None], str], ...] = (
    (rewritten, LOG), (recomputed, LOG), (cut, LOG), (cut_and_recomputed, LOG), (older_head, LOG), (removed, LOG),
    (renumbered, LOG), (exchanged, LOG), (emptied, LOG), (head_removed, LOG), (invented, LOG), (unsealed, LOG),
    (explained, LOG),
    (new_row("decisions_signoff", decision=["approved"], reason=["forged"]), PROJECT),
    (set_row("decisions_signoff", "subject_hash = 'f'", "decided_by_id = submitted_by_id", "decision = 'rejected'",
             "lapsed_at = '2026-01-01'", "reason = 'x'"), PROJECT),
    (new_row("decisions_review", outcome=["passed"], result=["forged", "all well"]), PROJECT),
    (set_row("decisions_review", "outcome = 'returned'", "result = 'x'", "subject_hash = 'f'"), PROJECT),
    (set_row("verification_verification", "checks = '[]'", "passed = 0", "content_hash = 'f'", "report = '{}'",
             "targets_hash = 'f'"), PROJECT),
    (set_row("core_project", "state = 'approved'", "state = 'objective_draft'", "sharing_type = 'public'",
             "reopened_at = '2026-01-01'"), PROJECT),
    (member_forged, PROJECT),
    (set_row("core_membership", "role = 'planner' WHERE role = 'recipient'", "ended_at = '2026-01-01'",
             "user_id = 9"), PROJECT),
    (set_row("releases_agreement", "valid_until = '2099-01-01'", "purpose = 'anything'", "recipient_id = 2",
             "signed_by = 'x'"), PROJECT),
    (set_row("releases_release", "files = '[]'", "recipe_hash = 'f'", "ended_at = '2026-01-01'", "released_by_id = 2"), PROJECT),
    (token_forged, PERSON),
    (set_row("accounts_apitoken", "expires_at = '2099-01-01'", "user_id = 4", "key_hash = 'f'"), PERSON),
    (set_row("accounts_user", "post = 'administrator' WHERE post = 'staff'", "is_superuser = 1 WHERE is_superuser = 0",
             "password = 'md5$a$b'", "access_until = '2099-01-01'", "username = 'other'", "person_id = 1"), PERSON),
    (new_row("accounts_user", username=["ghost", "shadow"], person_id=[None]), PERSON),
    (set_row("objective_planversion", "content = '{}'", "content_hash = 'f'", "created_by_id = 3"), PROJECT),
    (set_row("guardian_userobjectpermission", "user_id = 8"), PROJECT),
    (gone("accounts_apitoken"), PERSON),
    (gone("decisions_review", "decisions_signoff", "core_membership", "releases_agreement"), PROJECT),
)  # fmt: skip


def verified(*args: Any) -> tuple[int, str]:
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("audit_verify", *args, stdout=out, stderr=err)
    except SystemExit as end:
        return end.code, err.getvalue()
    return 0, out.getvalue()


@pytest.fixture
def places(settings, tmp_path):
    """A folder on other storage that has the end of the log from before."""
    settings.DEID_STORE_DIR = tmp_path / "store"
    settings.DEID_ANCHORS = [str(tmp_path / "elsewhere")]
    (tmp_path / "elsewhere").mkdir()
    return tmp_path / "elsewhere"


@pytest.fixture
def story(own_start, places, monkeypatch):
    monkeypatch.setattr(checks, "SLICE_SECONDS", 60.0)
    assert anchors_send() == []
    yield own_start.story
    if connection.vendor == "sqlite":
        # What hangs on a row that the attacker deleted: the database looks at it when the test is over.
        raw_sql(
            "DELETE FROM releases_termsacceptance WHERE agreement_id NOT IN (SELECT id FROM releases_agreement)"
        )
        # It belongs to the connection, no transaction undoes it.
        raw_sql("PRAGMA ignore_check_constraints = OFF")


def reading(story: Any, name: str) -> Client:
    """Somebody who has been signed in since before."""
    client = Client()
    client.cookies["sessionid"] = story.sessions[name]
    return client


def use(story: Any, release: Any, *, person_forged: bool = False) -> tuple[int, int]:
    """Somebody signs in, opens a page and acts; a recipient asks for the file. What the two acts answered.

    With ``person_forged`` it may be their account: then they do not sign in.
    """
    planner = Client()
    answer = planner.post(reverse("accounts:sign_in"), {"username": "planner", "password": PASSWORD})
    assert answer.status_code in ((200, 302, 403) if person_forged else (200, 302))
    assert planner.get(reverse("core:notifications")).status_code in (200, 302)
    acted = planner.post(reverse("core:project_create"), {"title": "Another", "summary": ""}).status_code
    address = reverse("recipient:request", kwargs={"release_id": release})
    return acted, reading(story, "recipient").post(address, {"notice_read": "on"}).status_code


def test_the_database_says_of_a_row_in_one_statement_what_it_says_field_by_field(
    story, django_assert_num_queries
):
    kinds = {label: kind for label, kind in PROVEN.items() if kind.rows.exists()}
    assert len(kinds) > 8
    units = {(label, kind.owner_of(row)) for label, kind in kinds.items() for row in kind.rows}
    with django_assert_num_queries(1):
        at_once = units_read(units)
    for label, kind in kinds.items():
        found = {
            pk: said for (of, _owner), rows in at_once.items() if of == label for pk, said in rows.items()
        }
        assert found == dict(digests(kind.rows, kind.fields))


def test_untouched_nothing_is_found(story, places):
    assert use(story, current_release(story.project).pk) == (302, 302)
    code, text = verified("--anchors", places)
    assert code == 0, text
    assert "every row that gives permission explained" in text


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the cases are SQL for SQLite")
@pytest.mark.parametrize("number", range(CASES))
def test_it_is_found(story, people, places, number):
    alter, what = KINDS[number % len(KINDS)]
    release = current_release(story.project).pk
    auditor = reading(story, "auditor")
    alter(Attacker(number, story, people))
    end_is_broken = stored_end_faults()
    acted, fetched = use(story, release, person_forged=what == PERSON)
    if end_is_broken:
        assert (acted, fetched) == (403, 403)
        assert "verdict--fail" in auditor.get(reverse("core:notifications")).content.decode(), (
            "who can do something is told on each page"
        )
    elif what == PROJECT:
        assert fetched in (403, 404)
    code, text = verified("--anchors", places)
    assert code == 1, text
    page = auditor.get(auditor.post(reverse("audit:verify")).url)
    assert page.context["faults"]
    assert "verdict--fail" in page.content.decode()


def outsider_joins(by: Attacker) -> None:
    by.copy("core_membership", user_id=by.people.outsider.pk, role="planner", ended_at=None)
    by.copy("guardian_userobjectpermission", user_id=by.people.outsider.pk)


def sets(statement: str) -> Callable[[Attacker], None]:
    return lambda by: raw_sql(statement)


def act_of(name: str) -> Callable[[Any, Any], Any]:
    return lambda story, people: project_edit(story.project, title="X", summary="", by=getattr(people, name))


def suspended(story: Any, people: Any) -> None:
    project_move(story.project, move=Move.SUSPEND, by=people.planner, reason="x")


def ended_role_back(by: Attacker) -> None:
    """A member whose role was ended is one again: the row of before, the event of the end and its digests hidden."""
    before = stored_head()["seq"]
    buckets = list(AuditState.objects.values("number", "units"))
    rows = list(Membership.objects.filter(role="recipient").values("pk", "ended_at"))
    rights = list(UserObjectPermission.objects.values())
    member_end(by.story.project.memberships.get(role="recipient"), by=by.people.planner)
    project_create(title="Later", by=by.people.planner)
    raw_sql("DELETE FROM audit_auditevent WHERE seq = %s", before + 1)
    for row in rows:
        raw_sql("UPDATE core_membership SET ended_at = NULL WHERE id = %s", row["pk"])
    for right in rights:
        UserObjectPermission.objects.get_or_create(id=right.pop("id"), defaults=right)
    for bucket in buckets:
        raw_sql(
            "UPDATE audit_auditstate SET units = %s WHERE number = %s",
            json.dumps(bucket["units"]),
            bucket["number"],
        )


def fetched(story: Any, people: Any) -> None:
    delivery_request(current_release(story.project), notice_read=True, by=people.recipient)


def an_administrator_more(by: Attacker) -> None:
    """The executor's account administers, and a forged appointment says so."""
    raw_sql("UPDATE accounts_user SET post = 'administrator' WHERE username = 'executor'")
    by.copy(
        "accounts_appointment",
        account_id=by.people.executor.pk,
        post="administrator",
        status="confirmed",
        ends_on=None,
    )


# (what is forged, the act under it): it is to be refused although everything is taken back afterwards
FOR_A_WHILE = (
    (outsider_joins, act_of("outsider")),
    (outsider_joins, act_of("planner")),
    (sets("UPDATE core_project SET state = 'objective_draft'"), act_of("planner")),
    (sets("UPDATE core_project SET sharing_type = 'public'"), suspended),
    (an_administrator_more,
     lambda story, people: user_create(username="new", password=None, full_name="N", by=fresh(people.executor))),
    (sets("UPDATE accounts_user SET post = 'administrator' WHERE username = 'executor'"),
     lambda story, people: profile_edit(fresh(people.executor), email="a@example.org", language="en")),
    (sets("UPDATE accounts_user SET full_name = 'Somebody Else' WHERE username = 'planner'"), act_of("planner")),
    (sets("UPDATE accounts_user SET is_active = 1, password = 'md5$a$b' WHERE username = 'executor'"),
     lambda story, people: password_reset(people.executor, by=people.administrator)),
    (sets("UPDATE auth_permission SET codename = CASE codename WHEN 'receive_project' THEN 'view_project' ELSE "
          "codename || '_' END WHERE codename IN ('receive_project', 'view_project')"), act_of("planner")),
    (sets("UPDATE releases_agreement SET valid_until = '2099-01-01'"), fetched),
    (ended_role_back, fetched),
    (sets("UPDATE audit_auditstate SET units = '{}'"), act_of("planner")),
    (sets("UPDATE audit_audithead SET state = '{}'"), act_of("planner")),
    (sets("UPDATE core_membership SET since = strftime('%%Y-%%m-%%d %%H:%%M:%%f', since) || '007'"), act_of("planner")),
)  # fmt: skip


def fresh(person: Any) -> Any:
    return type(person).objects.get(pk=person.pk)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the cases are SQL for SQLite")
@pytest.mark.parametrize("number", range(len(FOR_A_WHILE)))
def test_nothing_is_done_on_what_is_forged_for_a_while(story, people, number):
    alter, act = FOR_A_WHILE[number]
    alter(Attacker(number, story, people))
    events = AuditEvent.objects.count()
    with pytest.raises(LogBroken):
        act(story, people)
    assert AuditEvent.objects.count() == events
    assert verified()[0] == 1


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the cases are SQL for SQLite")
def test_a_forged_account_does_not_sign_in(story, people):
    raw_sql("UPDATE accounts_user SET post = 'auditor' WHERE username = 'executor'")
    said = {"username": "executor", "password": PASSWORD}
    answer = Client().post(reverse("accounts:sign_in"), said)
    assert (answer.status_code, "sessionid" in answer.cookies) == (403, False)
    assert Client().post(reverse("api:account-token-sign-in"), said | {"name": "x"}).status_code == 403
    auditor = reading(story, "auditor")
    raw_sql(
        "UPDATE accounts_user SET post = 'assessor', access_until = '2099-01-01' WHERE username = 'auditor'"
    )
    assert auditor.post(reverse("audit:export_chain")).status_code == 403


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the cases are SQL for SQLite")
def test_nobody_without_the_key_writes_a_verdict(story, people):
    auditor = reading(story, "auditor")
    raw_sql("UPDATE core_membership SET since = '2026-01-01' WHERE role = 'recipient'")
    page = auditor.post(reverse("audit:verify")).url
    assert "verdict--fail" in auditor.get(page).content.decode()
    raw_sql("UPDATE audit_auditcheck SET faults = '[]'")
    assert "verdict--fail" in auditor.get(page).content.decode()
    check = checks.check_start(by=people.auditor)
    raw_sql("UPDATE audit_auditcheck SET seq = %s, finished_at = '2026-01-01'", stored_head()["seq"])
    assert [fault.kind for fault in checks.faults_of(checks.check_continue(check, by=people.auditor))] == [
        "check"
    ]

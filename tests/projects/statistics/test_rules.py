"""Who makes a table of statistics, who lets it out, who has it; and when it is no longer what was made."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone, translation

from approvals.governance.triggers import lift, registered
from projects.core.models import Project
from projects.datasets.models import Dataset, StoredFile
from projects.releases.models import Release, TermsAcceptance
from projects.statistics import rules
from projects.statistics.enums import WITH_A_FILE, TableStatus
from projects.statistics.models import Tabulation
from projects.workflow import State
from tests.projects.identification.test_rules import at, counted, finished
from tests.projects.rows import account, agree, change, member, put, team, unkept

pytestmark = pytest.mark.django_db
WORKING = (
    State.PROCESSING, State.PROCESSING_REVIEW, State.VERIFICATION, State.VERIFICATION_REVIEW, State.RELEASE_APPROVAL,
    State.APPROVED, State.MONITORING,
)  # fmt: skip
BY = {"kind": "persons", "spans": [{"column": "c0"}]}
SUM = {"kind": "sum", "column": "c1", "spans": [{"column": "c0"}]}


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    """And the database lets tables stand whose judges have no role, so that each case names those that it is about."""
    with unkept():
        lift(*(one for one in registered() if one.table == "statistics_tabulation"))
        yield


def table(project: Project, status: str = "protected", made_by: Any = None, **given: Any) -> Tabulation:
    """One of imported cells where nothing else is said, with whoever has to have judged it."""
    who, now = account(), timezone.now()
    said: dict[str, Any] = {"failed_code": "internal"} if status == "failed" else {}
    for state, word in (
        ("reviewed", "reviewed"),
        ("approved", "reviewed"),
        ("approved", "signed"),
        ("refused", "refused"),
    ):
        if status == state:
            by = given.pop(f"{word}_by", None) or (who if word != "signed" else account())
            said |= {f"{word}_by": by, f"{word}_at": now, f"{word}_reason": "as seen"}
    if status not in ("running", "failed"):
        said["report"] = put(StoredFile)
    if status in WITH_A_FILE:
        said |= {"result": put(StoredFile), "result_sha256": "a" * 64}
    if "dataset" not in given:
        said["imported"] = put(StoredFile)
    said |= {"definition": BY, "person_key": []}
    return put(Tabulation, project=project, status=status, made_by=made_by or account(), **said | given)


@pytest.mark.parametrize("state", State)
def test_the_executor_makes_tables_from_processing_until_the_end_of_the_release(state):
    suspended = {"suspended_from": "monitoring"} if state == State.SUSPENDED else {}
    project = put(Project, state=state, **suspended)
    for name, user in team(project).items():
        wanted = "not_a_member" if name == "outsider" else "not_your_role"
        if name == "executor":
            wanted = "" if state in WORKING else "wrong_state"
        assert rules.may_make(user, project).code == wanted, name


def test_who_looks_who_sees_values_and_who_fetches():
    project = put(Project)
    people = team(project)
    protected = table(project)
    inside = ["planner", "executor", "supervisor", "management"]
    assert [name for name, user in people.items() if rules.may_look(user, project)] == inside
    assert [name for name, user in people.items() if rules.sees_values(user, project)] == [
        "executor",
        "supervisor",
    ]
    assert [name for name, user in people.items() if rules.may_fetch(user, protected)] == inside[1:]
    executor = people["executor"]
    executor.is_active = False
    assert not rules.sees_values(executor, project)


@pytest.mark.parametrize("status", TableStatus)
def test_what_has_no_file_is_not_fetched(status):
    project = put(Project)
    made = table(project, status)
    code = "" if status in ("protected", "reviewed", "approved", "refused") else "table_no_file"
    assert rules.may_fetch(member(project, "management"), made).code == code
    assert rules.may_fetch(member(project, "planner"), made).code == "not_your_role"


JUDGES = {"protected": ["supervisor"], "reviewed": ["management"]}


@pytest.mark.parametrize("status", TableStatus)
def test_who_refuses_and_who_accepts(status):
    """The supervisor passes, management signs; of a signed table either takes it back, and nobody signs it again."""
    project = put(Project, state=State.PROCESSING)
    made = table(project, status)
    people = team(project)
    judges = JUDGES.get(status, ["supervisor", "management"])
    for name, user in people.items():
        refuse, accept = rules.may_refuse(user, made), rules.may_accept(user, made)
        if name not in judges:
            assert (
                refuse.code == accept.code == ("not_a_member" if name == "outsider" else "not_your_role")
            ), name
        elif status in JUDGES:
            assert (refuse.code, accept.code) == ("", ""), name
        else:
            assert refuse.code == ("" if status == "approved" else "table_not_waiting")
            assert accept.code == "table_not_waiting"


@pytest.mark.parametrize("state", [State.IDENTIFICATION, State.MONITORING, State.CLOSED])
def test_a_table_is_accepted_while_work_goes_on_and_refused_at_any_time(state):
    project = put(Project, state=state)
    judge, made = member(project, "supervisor"), table(project)
    assert rules.may_refuse(judge, made)
    assert rules.may_accept(judge, made).code == ("" if state == State.MONITORING else "wrong_state")


def test_three_persons_stand_behind_a_table():
    project = put(Project, state=State.PROCESSING)
    judge, signer = account(), account()
    second = account(judge)
    made, own = table(project, made_by=second), table(project, "reviewed", reviewed_by=account(signer))
    member(project, "supervisor", judge)
    assert rules.may_refuse(judge, made).code == rules.may_accept(judge, made).code == "own_table"
    signer.refresh_from_db()
    member(project, "management", signer)
    assert rules.may_refuse(signer, own)
    assert rules.may_accept(signer, own).code == "own_review"
    assert rules.may_accept(signer, table(project, "reviewed"))


@pytest.mark.parametrize("status", TableStatus)
def test_a_recipient_has_what_was_signed_under_an_agreement(status):
    project = put(Project, state=State.MONITORING, sharing_type="public")
    recipient, made = member(project, "recipient"), table(project, status)
    release = put(Release, project=project, files=[], seal="s")
    assert rules.may_have(recipient, made, release).code == "no_agreement"
    agreement = agree(project, recipient)
    assert rules.may_have(recipient, made, release).code == "terms_not_accepted"
    put(TermsAcceptance, agreement=agreement, accepted_by=recipient)
    assert rules.may_have(recipient, made, release).code == (
        "" if status == "approved" else "table_not_signed"
    )
    assert rules.may_have(account(), made, release).code == "not_a_recipient"


def beside(
    it: SimpleNamespace, *, status: str = "protected", hidden: bool = True, **given: Any
) -> Tabulation:
    """A table of the data of ``it``; ``reports`` says what the report of each tells."""
    made = table(given.pop("project", it.project), status, **{"dataset": it.dataset} | given)
    it.reports[made.pk] = {"rounded": False, "cells": [{"hidden": False}, {"hidden": hidden}]}
    return made


@pytest.fixture
def it(monkeypatch):
    """Data of which nothing speaks against one row being one person."""
    found = at(State.PROCESSING, {"persons": []})
    found.reports = {}
    monkeypatch.setattr(rules, "report_of", lambda table: found.reports[table.pk])
    return found


def test_a_table_is_of_the_data_as_they_are_now(it):
    made = beside(it)
    assert rules.is_as_made(made)
    judge = member(it.project, "supervisor")
    assert rules.may_accept(judge, made)
    change(it.dataset, status="uploaded")
    assert rules.is_as_made(made).code == rules.may_accept(judge, made).code == "table_other_data"
    change(it.dataset, status="ready")
    newer = put(
        Dataset, project=it.project, table=it.table, status="ready", rows=9, uploaded_by=it.executor, stored=put(StoredFile),
        confirmed_by=it.executor, confirmed_at=timezone.now(), columns=["c0"],
    )  # fmt: skip
    assert rules.is_as_made(made).code == "table_other_data"
    assert rules.is_as_made(table(it.project))
    assert newer.pk != it.dataset.pk


def test_a_table_is_of_the_same_persons(it):
    assert rules.is_as_made(beside(it, person_key=["c0"])).code == "table_other_data"
    # A newer scan finds a key of persons, and nobody has said whose rows they are.
    finished(it.project, it.dataset, 2, {"persons": [counted("c0", kind="id_card")]})
    for key in ([], ["c0"]):
        assert rules.is_as_made(beside(it, person_key=key)).code == "table_other_data"


def test_what_was_signed_meanwhile_has_to_be_read_beside_it(it):
    made, signed = beside(it, number=1), beside(it, number=7, status="approved")
    later = beside(it, number=8, status="approved")
    # Whichever of both projects comes first in any order.
    away, farther = (
        beside(it, status="approved", project=put(Project, pk=uuid.UUID(int=number)))
        for number in (1, 2**128 - 1)
    )
    with translation.override("en"):
        for known, places in (
            ([], "T7, T8, in another project"),
            ([signed, away, farther], "T8"),
            ([signed, later, away], "in another project"),
            ([signed, later, farther], "in another project"),
            ([signed, later, away, farther], None),
        ):
            for side in ("tables", "left"):
                it.reports[made.pk]["together"] = {side: [{"id": str(one.pk)} for one in known]}
                verdict = rules.is_as_made(made)
                assert verdict.code == ("" if places is None else "table_other_tables")
                assert verdict.params.get("tables") == places
    # Both sides together are what is known.
    it.reports[made.pk]["together"] = {
        "tables": [{"id": str(signed.pk)}],
        "left": [{"id": str(one.pk)} for one in (later, away, farther)],
    }
    assert rules.is_as_made(made)


@pytest.mark.parametrize("mine", [True, False])
@pytest.mark.parametrize("theirs", [True, False])
def test_hidden_cells_and_other_contributors_do_not_go_together(it, mine, theirs):
    """Where either hides or rounds a cell; where neither does, nothing can be worked out."""
    made = beside(it, hidden=mine)
    other = beside(
        it, number=7, status="approved", hidden=theirs, definition={**BY, "kind": "rows", "holding": "c2"}
    )
    beside(it, status="approved", hidden=True, definition=SUM)
    it.reports[made.pk]["together"] = {}
    verdict = rules.is_as_made(made)
    assert verdict.code == ("table_other_contributors" if mine or theirs else "")
    assert verdict.params.get("tables") == (f"T{other.number}" if mine or theirs else None)


@pytest.mark.parametrize(
    ("report", "protects"),
    [
        (None, True),
        ({"rounded": True, "cells": []}, True),
        ({"rounded": False, "cells": []}, False),
        ({"rounded": False, "cells": [{"hidden": False}]}, False),
        ({"rounded": False, "cells": [{"hidden": False}, {"hidden": True}]}, True),
    ],
)
def test_cells_are_protected_where_one_is_hidden_or_all_are_rounded(it, report, protects):
    other = beside(it, status="approved", definition={**BY, "kind": "rows", "holding": "c2"})
    made = beside(it, hidden=False)
    it.reports[other.pk] = report
    assert bool(rules.is_as_made(made)) is not protects


def test_of_imported_cells_nothing_is_held_against_the_data(it):
    assert rules.is_as_made(table(it.project, person_key=["c9"]))

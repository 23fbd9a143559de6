"""What the database itself refuses about tables of statistics."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from deid_portal.accounts.models import User
from projects.core.models import Project
from projects.datasets.models import Dataset, StoredFile
from projects.processing.models import RunTable
from projects.statistics.models import Tabulation
from tests.projects import rows
from tests.projects.rows import account, allowed, another, change, delete, put, refused, unkept

pytestmark = pytest.mark.django_db
HERE, ELSEWHERE = uuid.uuid4(), uuid.uuid4()
NOW = timezone.now()
STAYS = "what a table is made of, what came of it and what was said of it stays as it is"
JUDGES = "a supervisor of the project reviews a table, senior management signs it"
OWN = "nobody judges a table that they made under another account"


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def member(role: str, project: uuid.UUID = HERE, user: User | None = None) -> User:
    return rows.member(project, role, user)


def made(status: str = "protected", by: User | None = None, **given: Any) -> Tabulation:
    """A table that came to ``status`` by the acts of its judges."""
    row = put(
        Tabulation, project_id=HERE, imported=put(StoredFile), definition={}, person_key=[], made_by=by or account(), **given
    )  # fmt: skip
    for step in {"running": (), "reviewed": ("protected", "reviewed")}.get(
        status, ("protected", "reviewed", status)
    ):
        if step != row.status:
            change(row, **became(step))
            row.refresh_from_db()
        if step == status:
            break
    return row


def became(status: str) -> dict[str, Any]:
    new: dict[str, Any] = {"status": status}
    if status == "failed":
        new["failed_code"] = "internal"
    if status in ("open", "protected"):
        new["report"] = put(StoredFile)
    if status == "protected":
        new |= {"result": put(StoredFile), "result_sha256": "a" * 64}
    if status in WORDS:
        word, role = WORDS[status]
        new |= said(word, member(role))
    return new


WORDS = {
    "reviewed": ("reviewed", "supervisor"),
    "approved": ("signed", "management"),
    "refused": ("refused", "supervisor"),
}


def said(word: str, by: User) -> dict[str, Any]:
    return {f"{word}_by": by, f"{word}_at": NOW, f"{word}_reason": "as seen"}


def written(status: str, **given: Any) -> Tabulation:
    """A row with all of that at once, as somebody puts it who goes past every step."""
    file = {"report": put(StoredFile), "result": put(StoredFile), "result_sha256": "a" * 64}
    here = {"project_id": HERE, "imported": put(StoredFile), "definition": {}, "person_key": []}
    return put(Tabulation, status=status, **here, **file, **given)


@pytest.mark.parametrize("role", ["supervisor", "management", "planner", "executor", "recipient", None])
@pytest.mark.parametrize("status", ["reviewed", "approved", "refused"])
def test_each_word_is_said_by_a_judge_of_the_project(status, role):
    word, _ = WORDS[status]
    before = {"reviewed": "protected", "approved": "reviewed", "refused": "protected"}[status]
    right = (
        role
        in {
            "reviewed": ("supervisor",),
            "approved": ("management",),
            "refused": ("supervisor", "management"),
        }[status]
    )
    by = member(role) if role else account()
    new = {"status": status} | said(word, by)
    with allowed() if right else refused(JUDGES):
        change(made(before), **new)
    with allowed() if right else refused(JUDGES):
        reviewed = said("reviewed", member("supervisor")) if status == "approved" else {}
        written(status, **reviewed, **said(word, by))
    if role:
        with refused(JUDGES):
            change(made(before), **(new | said(word, member(role, ELSEWHERE))))


@pytest.mark.parametrize("status", ["reviewed", "approved", "refused"])
def test_nobody_judges_their_own_table_under_another_account(status):
    word, role = WORDS[status]
    before = {"reviewed": "protected", "approved": "reviewed", "refused": "protected"}[status]
    mine = account()
    second = member(role, user=account(mine))
    reviewed = said("reviewed", member("supervisor")) if status == "approved" else {}
    with refused(OWN):
        change(made(before, mine), status=status, **said(word, second))
    with refused(OWN):
        written(status, made_by=mine, **reviewed, **said(word, second))
    with allowed():
        change(made(before), status=status, **said(word, second))
    # Others who have two accounts, as who made it has.
    other = member(role)
    account(other)
    with allowed():
        change(made(before, mine), status=status, **said(word, other))
    with allowed():
        written(status, made_by=mine, **reviewed, **said(word, other))


def test_who_signs_has_not_reviewed_it_under_another_account():
    reviewer, second = member("supervisor"), member("management")
    for one in (reviewer, second):  # found out later
        change(one, person_id=reviewer.pk)
    row = made()
    change(row, status="reviewed", **said("reviewed", reviewer))
    with refused("who signs a table has not reviewed it under another account"):
        change(row, status="approved", **said("signed", second))
    with refused("who signs a table has not reviewed it under another account"):
        written("approved", **said("reviewed", reviewer), **said("signed", second))
    with allowed():
        change(made("reviewed"), status="approved", **said("signed", second))
    other = member("management")
    account(other)
    with allowed():
        change(row, status="approved", **said("signed", other))


def test_accounts_that_are_linked_later_do_not_keep_a_table_from_being_taken_back():
    row = made("approved")
    for word in ("reviewed", "signed"):
        change(getattr(row, f"{word}_by"), person_id=row.made_by_id)
    change(row.made_by, person_id=row.made_by_id)
    with allowed():
        change(row, **became("refused"))


MADE = (
    "id",
    "project_id",
    "number",
    "title",
    "rules_id",
    "rules_name",
    "made_by_id",
    "made_at",
    "imported_id",
)


@pytest.mark.parametrize("name", [*MADE, "definition", "person_key"])
def test_what_it_is_made_of_stays(name):
    new = {"definition": {"kind": "rows"}, "person_key": ["c"], "imported_id": uuid.uuid4()}
    for before, after in (("running", "protected"), ("protected", "reviewed"), ("approved", "refused")):
        row = made(before)
        with refused(STAYS):
            change(row, **became(after), **({name: new[name]} if name in new else another(row, name)))


def test_of_which_data_it_is_stays():
    row = put(Tabulation, project_id=HERE, dataset_id=uuid.uuid4(), definition={}, person_key=[])
    with refused(STAYS):
        change(row, dataset_id=uuid.uuid4(), **became("protected"))
    with refused(STAYS):
        change(row, dataset_id=None, imported=put(StoredFile), **became("protected"))


SAID = [
    {"report_id": uuid.uuid4()},
    {"result_id": uuid.uuid4()},
    {"result_sha256": "b" * 64},
    {"reviewed_by": 0},
    {"reviewed_at": NOW + timedelta(1)},
    {"reviewed_reason": "another"},
    {"signed_by": 0},
    {"signed_at": NOW + timedelta(1)},
    {"signed_reason": "another"},
]


@pytest.mark.parametrize("new", SAID, ids=lambda one: next(iter(one)))
def test_what_came_of_it_and_what_was_said_stays_along_with_the_next_word(new):
    """Taking it back changes nothing of what was signed; so does signing of what was reviewed."""
    name = next(iter(new))
    word = name.partition("_")[0]
    if 0 in new.values():
        new = {name: member("supervisor" if word == "reviewed" else "management")}
    with refused(STAYS):
        change(made("approved"), **became("refused"), **new)
    if word != "signed":
        with refused(STAYS):
            change(made("reviewed"), **became("approved"), **new)


@pytest.mark.parametrize("name", ["refused_by", "refused_at", "refused_reason"])
def test_a_refusal_is_final(name):
    row = made("refused")
    new = {"refused_by": member("management"), "refused_at": NOW + timedelta(1), "refused_reason": "another"}
    with refused(STAYS):
        change(row, **{name: new[name]})


MOVES = {
    "running": ("open", "failed", "protected"),
    "protected": ("reviewed", "refused"),
    "reviewed": ("approved", "refused"),
    "approved": ("refused",),
    "refused": (),
    "open": (),
    "failed": (),
}


@pytest.mark.parametrize("before", MOVES)
def test_a_table_goes_forward_only(before):
    row = put_at(before)
    for after in MOVES:
        new = whole(row, after)
        if after in MOVES[before]:
            with allowed():
                change(row, **new)
        else:
            with refused(STAYS):
                change(row, **new)
    with refused("a table of statistics is never deleted"):
        delete(row)


def put_at(status: str) -> Tabulation:
    if status not in ("open", "failed"):
        return made(status)
    row = made("running")
    change(row, **became(status))
    row.refresh_from_db()
    return row


def whole(row: Tabulation, status: str) -> dict[str, Any]:
    """All that a row of ``status`` has and this one has not, so that no constraint is in the way where nothing is taken away."""
    new: dict[str, Any] = {"status": status, "failed_code": "internal" if status == "failed" else ""}
    if status not in ("running", "failed") and row.report_id is None:
        new["report"] = put(StoredFile)
    if status in ("protected", "reviewed", "approved", "refused") and row.result_id is None:
        new |= {"result": put(StoredFile), "result_sha256": "a" * 64}
    for needs, (word, role) in WORDS.items():
        needed = status == needs or (status == "approved" and needs == "reviewed")
        if needed and getattr(row, f"{word}_by_id") is None:
            new |= said(word, member(role))
    return new


class TestRequestedInAnEnclave:
    REQUESTED = "only a recipient of an enclave asks for a table"

    def requested(self, role: str = "recipient", sharing: str = "enclave", **given: Any) -> Tabulation:
        project = put(Project, state="monitoring", sharing_type=sharing)
        said: dict[str, Any] = {"purpose": "a report", "run_table": put(RunTable), "dataset": put(Dataset)}
        by = rows.member(project, role)
        return put(Tabulation, project=project, definition={}, person_key=[], made_by=by, **said | given)

    def test_nobody_else_asks_and_nowhere_else(self):
        with allowed():
            self.requested()
        for given in ({"role": "executor"}, {"sharing": "controlled"}, {"sharing": "public"}):
            with refused(self.REQUESTED):
                self.requested(**given)

    def test_it_has_a_purpose_that_stays(self):
        with refused("tabulation_requested_for_a_purpose"):
            self.requested(purpose="")
        row = self.requested()
        change(row, **became("protected"))
        with refused(STAYS):
            change(row, status="refused", purpose="another")
        with refused(STAYS):
            change(row, status="refused", run_table=put(RunTable))

"""What the database itself refuses about the disposal of data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone

from projects.core.models import Project
from projects.datasets.models import StoredFile
from projects.disposal.models import Disposal
from projects.releases.models import Release
from tests.projects.rows import account, allowed, another, change, delete, put, refused, unkept

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def ended(state: str = "closed") -> Project:
    return put(Project, state=state, created_by=account())


def disposal(**given: Any) -> Disposal:
    return put(Disposal, **({"project": ended(), "proposed_by": account(), "content": {"files": []}} | given))


def decided(by: Any, outcome: str = "destroying") -> dict[str, Any]:
    return {"outcome": outcome, "decided_by": by, "decided_at": timezone.now(), "decision_reason": "agreed"}


def done(by: Any) -> Disposal:
    row = disposal()
    change(row, **decided(by))
    change(row, outcome="destroyed", finished_at=timezone.now())
    return row


def test_nobody_destroys_what_they_proposed() -> None:
    mine = account()
    second, row = account(mine), disposal(proposed_by=mine)
    alone = account(alone=True)
    with refused("disposal_second_person"):
        change(disposal(proposed_by=alone), **decided(alone))
    with refused("under another account"):
        change(row, **decided(second))
    for one in (mine, second):
        with allowed():
            change(row, **decided(one, "kept"))
    with allowed():
        change(row, **decided(account()))


def test_it_begins_as_a_proposal_and_ends_by_way_of_the_keys() -> None:
    for outcome in ("destroying", "kept"):
        with refused("after somebody proposed it"):
            disposal(**decided(account(), outcome))
    row = disposal()
    with refused("stays as it was proposed"):
        change(row, **decided(account(), "destroyed"), finished_at=timezone.now())


@pytest.mark.parametrize("state", ["monitoring", "approved", "suspended", "verification"])
def test_a_project_that_goes_on_loses_nothing(state: str) -> None:
    more = {"suspended_from": "monitoring"} if state == "suspended" else {}
    with refused("once their project has ended"):
        disposal(project=put(Project, state=state, created_by=account(), **more))
    row = disposal()
    with refused("once their project has ended"):
        change(row.project, state=state, **more)
        change(row, **decided(account()))


def test_a_release_in_force_keeps_the_data() -> None:
    row = disposal()
    with refused("no release is in force"):
        put(Release, project=row.project, files=[{"file_name": "x"}])
        change(row, **decided(account()))


@pytest.mark.parametrize("name", ["project", "number", "content", "content_hash", "reason", "proposed_by"])
def test_what_was_proposed_stays(name: str) -> None:
    row = disposal()
    new = {"content": {"files": [1]}, "project": ended(), "proposed_by": account()}
    with refused("stays as it was proposed"):
        change(row, **({name: new[name]} if name in new else another(row, name)))


def test_what_was_decided_stays() -> None:
    over, row = done(account()), disposal()
    change(row, **decided(account()))
    for altered in (
        {"decided_by": account()},
        {"decision_reason": "another"},
        {"decided_at": timezone.now()},
    ):
        with refused("stays as it was proposed"):
            change(row, **altered)
    for outcome in ("waiting", "kept"):
        with refused("stays as it was proposed|CHECK|check"):
            change(row, outcome=outcome)
    with refused("stays as it was proposed"):
        change(over, measured={})
    with refused("a disposal is kept"):
        delete(row)


def test_what_is_destroyed_of_the_store_stays_so() -> None:
    file = put(StoredFile, destroyed_at=timezone.now(), wrapped_key=b"", size=1)
    with refused("stays so"):
        change(file, destroyed_at=None)
    with refused("stays so"):
        change(file, wrapped_key=b"a key again")
    with allowed():
        change(file, destroyed_at=timezone.now())

"""What the database itself refuses about queries in the enclave."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from projects.core.models import Project
from projects.datasets.models import StoredFile
from projects.enclave.models import EnclaveQuery
from projects.releases.models import Release
from tests.projects import rows
from tests.projects.rows import account, change, delete, put, refused, unkept

pytestmark = pytest.mark.django_db
RECIPIENTS = "only a recipient of an enclave queries what was released there"
FINAL = "what was asked in the enclave and what came of it stays as it is"


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def made(role: str = "recipient", sharing: str = "enclave", **given: Any) -> EnclaveQuery:
    project = put(Project, sharing_type=sharing)
    release = put(Release, project_id=project.pk)
    by = rows.member(project.pk, role) if role else account()
    return put(
        EnclaveQuery,
        **{"project_id": project.pk, "release_id": release.pk, "asked_by": by, "tables": []} | given,
    )


@pytest.mark.parametrize(
    ("role", "sharing"), [("executor", "enclave"), ("", "enclave"), ("recipient", "controlled")]
)
def test_who_is_no_recipient_of_an_enclave_asks_nothing(role, sharing):
    assert made().pk
    with refused(RECIPIENTS):
        made(role, sharing)


def test_the_release_is_of_the_project():
    with refused(RECIPIENTS):
        made(release_id=uuid.uuid4())


def test_an_answer_comes_once_and_stays():
    query = made()
    with refused(FINAL):
        change(query, purpose="another")
    change(query, status="answered", result=put(StoredFile), row_count=1, milliseconds=3)
    query.refresh_from_db()
    for given in (
        {"row_count": 2},
        {"status": "running", "result": None, "row_count": None},
        {"is_cut": True},
    ):
        with refused(FINAL):
            change(query, **given)
    with refused("a query in the enclave is never deleted"):
        delete(query)


def test_one_runs_at_a_time():
    query = made()
    with refused("UNIQUE|enclave_query_one_at_a_time"):
        put(
            EnclaveQuery,
            project_id=query.project_id,
            release_id=query.release_id,
            asked_by=query.asked_by,
            tables=[],
        )


@pytest.mark.parametrize(
    "given",
    [
        {"status": "answered"}, {"status": "failed"}, {"failed_code": "internal"}, {"row_count": 1}, {"is_cut": True}, {"status": "open"},
    ],
)  # fmt: skip
def test_a_row_says_what_it_is_whole(given):
    with refused("enclave_query_|CHECK"):
        made(**given)

"""What a program may send without the portal failing (500) or building an answer larger than it can hold."""

from __future__ import annotations

import json

import pytest

from approvals import api
from deid_portal.api.errors import exception_handler
from projects.core.models import Project

pytestmark = pytest.mark.django_db
DEEP = "[" * 200_000 + "]" * 200_000


@pytest.fixture
def planner(client, people):
    client.force_login(people.planner, backend="deid_portal.accounts.backends.AccountBackend")
    return client


def test_a_limit_has_a_most(client, people, monkeypatch):
    monkeypatch.setattr(api.Portions, "max_limit", 3)
    client.force_login(people.auditor, backend="deid_portal.accounts.backends.AccountBackend")
    answer = client.get("/api/audit/events/?limit=999999999").json()
    assert answer["count"] > len(answer["results"]) == 3
    assert "limit=3&offset=3" in answer["next"]


@pytest.mark.parametrize("query", ["offset=9223372036854775808", "limit=9223372036854775808", "offset=-1"])
def test_a_number_above_what_a_database_counts_to_is_no_fault(planner, query):
    assert planner.get(f"/api/projects/?{query}").status_code in {200, 422}


@pytest.mark.parametrize(
    "sent", [DEEP, '{"title": "\\ud800"}', '{"\\udfff": 1}'], ids=["deep", "half a sign", "in a name"]
)
def test_json_that_cannot_be_kept_is_refused(planner, sent):
    answer = planner.post("/api/projects/", sent, content_type="application/json")
    assert answer.status_code == 400
    assert json.loads(answer.content)
    assert not Project.objects.exists()


def test_a_refused_choice_that_is_half_a_sign_can_be_told(client, people, project):
    client.force_login(people.planner, backend="deid_portal.accounts.backends.AccountBackend")
    address = f"/api/projects/{project.pk}/members/"
    answer = client.post(address, '{"username": "x", "role": "\\ud800"}', content_type="application/json")
    assert answer.status_code == 400
    assert json.loads(answer.content)


def test_half_a_sign_inside_free_json_is_unstorable():
    with pytest.raises(UnicodeEncodeError) as error:
        "\ud800".encode()
    assert exception_handler(error.value, {}).status_code == 422

"""The API: the same rules and reasons as the pages."""

from __future__ import annotations

import uuid

import pytest
from django.urls import reverse

from projects.jobs.services import job_run
from tests.projects.processing.conftest import UNPREPARED, at_processing

from .conftest import NOTE
from .test_pages import INSIDE, OUTSIDE

START = at_processing


def url(name, project, **kwargs):
    return reverse(f"api:processing-{name}", kwargs={"project_id": project.pk, **kwargs})


def send(client, address, body=None):
    return client.post(address, body, content_type="application/json")


@pytest.mark.parametrize("who", INSIDE)
def test_reading(finished, processing, people, client, secrets, who):
    client.force_login(getattr(people, who))
    run = client.get(url("run", processing, run_id=finished.pk))
    assert run.json()["is_result"] is True
    assert run.json()["report"]["rows_in"] == 300
    assert [one["number"] for one in client.get(url("runs", processing)).json()] == [1]
    assert [one["number"] for one in client.get(url("recipes", processing)).json()] == [1]
    assert client.get(url("recipe", processing, number=1)).json()["fits_verdicts"] is True
    catalogue = client.get(url("techniques", processing)).json()
    assert "model.k_anonymity" in {one["key"] for one in catalogue["techniques"]}
    assert {one["kind"] for one in catalogue["hierarchies"]} >= {"star", "dates", "table"}
    assert client.get(url("suggestion", processing)).json()["steps"]
    assert not [value for value in secrets if value in run.content.decode()]
    if who != "executor":
        assert send(client, url("runs", processing)).status_code == 403
        assert send(client, url("recipes", processing), {"content": {}}).json()["code"] == "not_your_role" or who in (
            "auditor", "assessor",
        )  # fmt: skip


@pytest.mark.parametrize("who", OUTSIDE)
def test_hidden(finished, processing, people, client, who):
    client.force_login(getattr(people, who))
    for address in (
        url("techniques", processing), url("suggestion", processing), url("recipes", processing),
        url("recipe", processing, number=1), url("runs", processing), url("run", processing, run_id=finished.pk),
    ):  # fmt: skip
        assert client.get(address).status_code == 404
    assert send(client, url("runs", processing)).status_code == 404
    assert send(client, url("recipes", processing), {"content": {}}).status_code == 404


def test_signed_out(processing, client):
    assert client.get(url("runs", processing)).status_code == 401


def test_from_suggestion_to_result(processing, people, client):
    client.force_login(people.executor)
    assert send(client, url("runs", processing)).json()["code"] == "no_recipe"
    content = client.get(url("suggestion", processing)).json()
    silent = send(client, url("recipes", processing), {"content": content})
    assert (silent.status_code, silent.json()["code"]) == (422, "preparation_not_stated")
    content |= {"unprepared": UNPREPARED}
    saved = send(client, url("recipes", processing), {"content": content})
    assert saved.status_code == 201
    changed = {"content": content | {"title": "x"}}
    assert send(client, url("recipes", processing), changed).json()["code"] == "note_needed"
    assert send(client, url("recipes", processing), changed | {"note": NOTE}).json()["number"] == 2
    run = send(client, url("runs", processing))
    assert run.status_code == 202
    assert send(client, url("runs", processing)).json()["code"] == "already_running"
    job_run(run.json()["job"])
    found = client.get(url("run", processing, run_id=run.json()["id"])).json()
    assert found["status"] == "succeeded"
    assert found["report"]["result_sha256"] == found["result_sha256"]
    assert found["error"] is None


def test_bad_recipes_and_what_does_not_exist(processing, content, people, client):
    client.force_login(people.executor)
    answer = send(client, url("recipes", processing), {"content": content | {"steps": [{"technique": "x"}]}})
    assert (answer.status_code, answer.json()["code"]) == (422, "technique_unknown")
    assert "steps[0].technique" in answer.json()["reason"]
    assert send(client, url("recipes", processing), {"content": [1]}).status_code == 400
    assert client.get(url("recipe", processing, number=7)).status_code == 404
    assert client.get(url("run", processing, run_id=uuid.uuid4())).status_code == 404


@pytest.mark.parametrize("strange", [[], "x", 5, None, True, 1.5], ids=repr)
@pytest.mark.parametrize(("name", "field"), [("previews", "recipe"), ("recipes", "content")])
def test_what_is_no_recipe_is_a_bad_request(processing, people, client, name, field, strange):
    client.force_login(people.executor)
    answer = send(client, url(name, processing), {field: strange})
    assert answer.status_code == 400
    assert field in answer.content.decode()


@pytest.mark.parametrize("subject", [5, {"a": 1}, [5], [["x"]], True, "x", [], 0], ids=repr)
@pytest.mark.parametrize(("name", "field"), [("previews", "recipe"), ("recipes", "content")])
@pytest.mark.parametrize("key", [None, ("病历号",)], ids=["no key", "a key"])
def test_whose_rows_they_are_may_be_anything_in_what_is_sent(
    processing, content, people, client, monkeypatch, name, field, subject, key
):
    monkeypatch.setattr("projects.processing.recipes.sets.person_key_of", lambda _table: key)
    client.force_login(people.executor)
    answer = send(client, url(name, processing), {field: content | {"subject": subject}})
    assert (answer.status_code, answer.json()["code"]) == (422, "subject_decided")


@pytest.mark.parametrize("links", [5, "x", {}, [5], [["x"]], True], ids=repr)
def test_links_may_be_anything_in_what_is_sent(processing, content, people, client, links):
    client.force_login(people.executor)
    whole = {"recipe": 1, "tables": {"": content}, "references": links}
    answer = send(client, url("recipes", processing), {"content": whole})
    assert answer.status_code == 422
    assert answer.json()["code"] in ("references_declared", "tables_differ")


def test_a_failed_run_says_why(processing, content, people, client):
    client.force_login(people.executor)
    model = next(step for step in content["steps"] if step["technique"] == "model.k_anonymity")
    model["parameters"] |= {"k": 40, "suppression_limit": 0.0, "maximum_levels": {"出生日期": 0, "性别": 0}}
    send(client, url("recipes", processing), {"content": content})
    run = send(client, url("runs", processing)).json()
    job_run(run["job"])
    error = client.get(url("run", processing, run_id=run["id"])).json()["error"]
    assert error["code"] == "no_solution"
    assert error["mend"]

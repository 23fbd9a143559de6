"""Data page and API: what each person sees, and what each may do."""

from __future__ import annotations

import pytest
from django.urls import reverse

from approvals.audit.models import AuditEvent
from projects.datasets.selectors import dataset_get
from projects.jobs.selectors import latest_job
from projects.jobs.services import job_run

from .conftest import at_identification

pytestmark = pytest.mark.django_db
START = at_identification
SEES = {
    "planner": 200,
    "executor": 200,
    "supervisor": 200,
    "management": 200,
    "auditor": 200,
    "assessor": 200,
}
SEES |= {"recipient": 404, "outsider": 404, "superuser": 404, "administrator": 404}


@pytest.fixture
def dataset(upload):
    return upload()


def address(name, dataset, *more):
    return reverse(name, args=[dataset.project_id, *more])


@pytest.mark.parametrize(("who", "status"), SEES.items())
def test_reading(client, people, dataset, who, status):
    client.force_login(getattr(people, who))
    for url in (
        address("datasets:page", dataset),
        address("api:dataset-list", dataset),
        address("api:dataset-detail", dataset, dataset.pk),
        address("api:dataset-preview", dataset, dataset.pk),
        reverse("jobs:detail", args=[latest_job(dataset.project, "datasets.detect").pk]),
        reverse("jobs:progress", args=[latest_job(dataset.project, "datasets.detect").pk]),
        reverse("api:job-detail", args=[latest_job(dataset.project, "datasets.detect").pk]),
        reverse("api:job-list") + f"?project={dataset.project_id}",
    ):
        response = client.get(url)
        assert response.status_code == status, url
        text = response.content.decode()
        assert "张三" not in text
        assert "no-store" in response["Cache-Control"]
        if status == 404:
            assert dataset.name not in text


@pytest.mark.parametrize("who", [*SEES])
@pytest.mark.parametrize("name", ["datasets:confirm", "api:dataset-confirm"])
def test_confirming(client, people, dataset, who, name):
    client.force_login(getattr(people, who))
    form = {"encoding": "utf-8", "delimiter": ",", "quote": '"', "header": "on"}
    data = form if name.startswith("datasets") else {}
    kind = {} if data else {"content_type": "application/json"}
    response = client.post(address(name, dataset, dataset.pk), data, **kind)
    dataset.refresh_from_db()
    if who == "executor":
        assert response.status_code in (200, 302), response.content
        assert dataset.status == "checking"
        job_run(latest_job(dataset.project, "datasets.check").pk)
        page = client.get(address("datasets:page", dataset)).content.decode()
        assert dataset_get(dataset.project, dataset.pk).status == "ready"
        assert dataset.sha256 in page
    else:
        assert response.status_code == (403 if SEES[who] == 200 else 404)
        assert dataset.status == "uploaded"


@pytest.mark.parametrize("who", [*SEES])
@pytest.mark.parametrize("name", ["datasets:raw_look", "api:dataset-raw-look"])
def test_raw_look(client, people, dataset, who, name):
    client.force_login(getattr(people, who))
    response = client.post(address(name, dataset, dataset.pk), {"reason": "To judge the remark column"})
    seen = "张三" in response.content.decode()
    events = AuditEvent.objects.filter(action="dataset.raw_look").count()
    if who == "executor":
        assert (response.status_code, seen, events) == (200, True, 1)
        assert "no-store" in response["Cache-Control"]
        assert "张三" not in client.get(address("datasets:page", dataset)).content.decode()
    else:
        assert (response.status_code, seen, events) == (403 if SEES[who] == 200 else 404, False, 0)


@pytest.mark.parametrize("name", ["datasets:raw_look", "api:dataset-raw-look"])
@pytest.mark.parametrize("reason", ["", "   "])
def test_a_raw_look_without_a_reason_shows_nothing(client, people, dataset, name, reason):
    client.force_login(people.executor)
    response = client.post(address(name, dataset, dataset.pk), {"reason": reason})
    assert response.status_code in (400, 422)
    assert "张三" not in response.content.decode()
    assert client.get(address(name, dataset, dataset.pk)).status_code == 405


def test_a_wrong_format_is_told_in_the_form(client, people, dataset):
    client.force_login(people.executor)
    response = client.post(address("datasets:confirm", dataset, dataset.pk), {"encoding": "utf-7"})
    assert response.status_code == 422
    response = client.post(
        address("api:dataset-confirm", dataset, dataset.pk),
        {"format": {"kind": "csv", "delimiter": "x"}},
        content_type="application/json",
    )
    assert (response.status_code, response.json()["code"]) == (422, "dataset.format")


def test_a_data_set_of_another_project_is_not_found(client, people, dataset):
    from tests.fixtures import make_project

    other = make_project(people, "Another")
    client.force_login(people.executor)
    for name in ("datasets:confirm", "datasets:raw_look", "api:dataset-confirm", "api:dataset-raw-look"):
        assert client.post(reverse(name, args=[other.pk, dataset.pk]), {"reason": "x"}).status_code == 404


def test_a_refused_file_says_where_and_how_to_correct_it(client, people, upload):
    dataset = upload(b"")
    client.force_login(people.executor)
    page = client.get(address("datasets:page", dataset)).content.decode()
    assert dataset.refused_text in page
    body = client.get(address("api:dataset-detail", dataset, dataset.pk)).json()
    assert body["refused"]["code"] == "table.empty"


def test_progress_fragment_and_cancel(client, people, ready_project, upload):
    upload(detect=False)
    job = latest_job(ready_project, "datasets.detect")
    client.force_login(people.executor)
    page = client.get(address("datasets:page", job)).content.decode()
    progress, cancel = (reverse(f"jobs:{name}", args=[job.pk]) for name in ("progress", "cancel"))
    assert progress in page
    assert cancel in page
    response = client.get(progress)
    assert 'hx-trigger="every 2s"' in response.content.decode()
    assert "HX-Refresh" not in response
    client.force_login(people.supervisor)
    assert cancel not in client.get(progress).content.decode()
    assert client.post(cancel).status_code == 403
    assert client.post(reverse("api:job-cancel", args=[job.pk])).json()["code"] == "not_your_role"
    client.force_login(people.executor)
    assert client.get(cancel).status_code == 405
    response = client.post(cancel, HTTP_REFERER="http://testserver/somewhere/")
    assert response.url == "http://testserver/somewhere/"
    assert client.post(cancel, HTTP_REFERER="https://evil.example/").status_code == 403
    response = client.get(progress)
    assert response["HX-Refresh"] == "true"
    assert "every 2s" not in response.content.decode()
    body = client.get(reverse("api:job-detail", args=[job.pk])).json()
    assert body["status"] == "cancelled"


def test_few_queries(client, people, dataset, django_assert_max_num_queries):
    client.force_login(people.executor)
    client.get(address("datasets:page", dataset))
    with django_assert_max_num_queries(20):
        client.get(address("datasets:page", dataset))

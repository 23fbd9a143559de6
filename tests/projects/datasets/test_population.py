"""A population table is named beside the data set, and takes nothing of it over."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from approvals.audit.models import AuditEvent
from projects.datasets.models import Dataset
from projects.datasets.services import dataset_confirm
from projects.datasets.tables.selectors import dataset_now, first_table, populations_now
from projects.jobs.selectors import latest_job
from projects.jobs.services import job_run

from .conftest import at_identification

pytestmark = pytest.mark.django_db
START = at_identification
REGISTER = "年龄\n34\n7\n7\n".encode()
QUERY = "?population=1"


def sent():
    return {"file": SimpleUploadedFile("register.csv", REGISTER)}


@pytest.mark.parametrize("name", ["datasets:upload", "api:dataset-list"])
def test_it_is_named_by_the_executor_and_is_no_data_set(client, upload, people, ready_project, name, store):
    source = upload()
    client.force_login(people.executor)
    answer = client.post(reverse(name, args=[ready_project.pk]) + QUERY, sent())
    assert answer.status_code in (201, 302), answer.content
    found = Dataset.objects.get(population=True)
    assert found.replaces is None
    assert AuditEvent.objects.filter(action="dataset.uploaded").latest("seq").facts["population"] is True
    table = first_table(type(ready_project).objects.get(pk=ready_project.pk))
    assert dataset_now(table) == source
    assert populations_now(table.project) == {}
    job_run(latest_job(ready_project, "datasets.detect", found.pk).pk)
    dataset_confirm(Dataset.objects.get(pk=found.pk), by=people.executor)
    job_run(latest_job(ready_project, "datasets.check", found.pk).pk)
    table = first_table(type(ready_project).objects.get(pk=ready_project.pk))
    assert populations_now(table.project) == {table.pk: found}
    assert dataset_now(table) == source
    page = reverse("datasets:page", args=[ready_project.pk])
    assert "register.csv" in client.get(page).content.decode()
    shown = client.get(page + QUERY).content.decode()
    assert found.sha256[:12] in shown
    assert source.sha256[:12] not in shown
    for row in client.get(reverse("api:dataset-list", args=[ready_project.pk])).json():
        assert row.get("population", False) is (row["id"] == str(found.pk))
    client.force_login(people.recipient)
    assert client.get(page + QUERY).status_code == 404


@pytest.mark.parametrize("who", ["planner", "supervisor", "management", "recipient", "outsider", "superuser"])
def test_nobody_else_names_one(client, people, ready_project, who, store):
    client.force_login(getattr(people, who))
    for name in ("datasets:upload", "api:dataset-list"):
        answer = client.post(reverse(name, args=[ready_project.pk]) + QUERY, sent())
        assert answer.status_code in (403, 404)
    assert not Dataset.objects.exists()

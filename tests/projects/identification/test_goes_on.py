"""From the data to the columns: what goes on by itself where a person let it, and where each act leads."""

from __future__ import annotations

import io

import pytest
from django.urls import reverse

from approvals.audit.models import AuditEvent
from projects.core.pages import next_url
from projects.datasets.selectors import datasets_of
from projects.datasets.services import dataset_upload
from projects.datasets.tables.selectors import first_table
from projects.identification import selectors
from projects.identification.models import IdentificationRound
from projects.jobs.selectors import latest_job
from projects.jobs.services import job_run

pytestmark = pytest.mark.django_db
FORM = {"encoding": "utf-8", "delimiter": ",", "quote": '"', "header": "on"}


@pytest.fixture
def executor(client, people):
    client.force_login(people.executor)
    return client


@pytest.fixture
def detected(ready_project, people, table):
    dataset = dataset_upload(
        first_table(ready_project), content=io.BytesIO(table.content), name="visits.csv", by=people.executor
    )
    job_run(latest_job(ready_project, "datasets.detect", dataset.pk).pk)
    return datasets_of(ready_project).get(pk=dataset.pk)


def checked(executor, dataset, **more):
    address = reverse("datasets:confirm", args=[dataset.project_id, dataset.pk])
    answer = executor.post(address, FORM | more)
    job_run(latest_job(dataset.project, "datasets.check", dataset.pk).pk)
    return answer


def page(project, name="page"):
    return reverse(f"identification:{name}", args=[project.pk])


def test_the_scan_starts_after_the_check_for_who_let_it(executor, people, detected):
    answer = checked(executor, detected, then="scan")
    assert answer.url == page(detected.project)
    job = latest_job(detected.project, "identification.scan")
    assert job.requested_by == people.executor
    started = AuditEvent.objects.get(action="identification.scan_started")
    assert started.actor_id == str(people.executor.pk)
    assert job_run(job.pk).status == "succeeded"
    assert selectors.current_round(detected.project).dataset_id == detected.pk


def test_nothing_starts_where_nobody_let_it(executor, detected):
    answer = checked(executor, detected)
    assert answer.url.startswith(reverse("datasets:page", args=[detected.project_id]))
    assert not IdentificationRound.objects.exists()


def test_a_broken_file_is_refused_and_not_scanned(executor, ready_project, people):
    broken = dataset_upload(
        first_table(ready_project), content=io.BytesIO(b"a,b\n1,2\n3\n"), name="x.csv", by=people.executor
    )
    job_run(latest_job(ready_project, "datasets.detect", broken.pk).pk)
    checked(executor, datasets_of(ready_project).get(pk=broken.pk), then="scan")
    assert datasets_of(ready_project).get(pk=broken.pk).status == "refused"
    assert not IdentificationRound.objects.exists()


def test_the_page_of_the_columns_takes_the_file_and_shows_its_check(
    executor, client, people, ready_project, detected
):
    shown = executor.get(page(ready_project))
    assert reverse("datasets:page", args=[ready_project.pk]) in shown.content.decode()
    assert next_url(ready_project, people.executor) == reverse("datasets:page", args=[ready_project.pk])
    checked(executor, detected)
    assert next_url(ready_project, people.executor) == page(ready_project)
    client.force_login(people.supervisor)
    assert (
        reverse("datasets:upload", args=[ready_project.pk])
        not in client.get(page(ready_project)).content.decode()
    )


def test_who_may_upload_does_it_there(executor, client, people, ready_project):
    address = reverse("datasets:upload", args=[ready_project.pk])
    assert address in executor.get(page(ready_project)).content.decode()
    client.force_login(people.supervisor)
    assert address not in client.get(page(ready_project)).content.decode()

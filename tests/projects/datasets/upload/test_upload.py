"""Uploads over HTTP: who may, what is read, what is left behind."""

from __future__ import annotations

import gc
import io
import resource
import tracemalloc
from types import SimpleNamespace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from projects.datasets.models import Dataset, StoredFile
from projects.datasets.store import store as store_module
from projects.datasets.store.store import store_open
from projects.datasets.upload import uploading
from tests.projects.datasets.conftest import CSV, at_identification

pytestmark = pytest.mark.django_db
START = at_identification
BOUNDARY = "----------deid"
NAMES = ["datasets:upload", "api:dataset-list"]


def files_of(store):
    return [path for path in store.rglob("*") if path.is_file()] if store.exists() else []


def sent(content=CSV, name="visits.csv"):
    return {"file": SimpleUploadedFile(name, content)}


@pytest.fixture(autouse=True)
def commits(monkeypatch):
    """A test's transaction never commits; what the store does on commit happens at once instead."""
    now = SimpleNamespace(atomic=transaction.atomic, on_commit=lambda function: function())
    monkeypatch.setattr(store_module, "transaction", now)


@pytest.fixture
def executor(client, people):
    client.force_login(people.executor)
    return client


class Body:
    """A request's body made while it is read: form fields, then ``size`` bytes of a file."""

    def __init__(self, size: int, fields: dict[str, str] | None = None, end: bool = True) -> None:
        head = b"".join(
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n'.encode()
            for k, v in (fields or {}).items()
        )
        head += (
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="big.csv"\r\n'.encode()
        )
        head += b"Content-Type: text/csv\r\n\r\n"
        tail = f"\r\n--{BOUNDARY}--\r\n".encode()
        self.head, self.size, self.tail = head, size, tail if end else b""
        self.length = len(head) + size + len(tail)
        self.position = 0

    def read(self, wanted: int = -1) -> bytes:
        if self.position < len(self.head):
            data = self.head[self.position :]
            data = data if wanted < 0 else data[:wanted]
        elif self.position < len(self.head) + self.size:
            rest = len(self.head) + self.size - self.position
            data = b"0123456789abcde\n" * (min(rest, wanted if wanted > 0 else rest) // 16 + 1)
            data = data[: min(rest, wanted) if wanted > 0 else rest]
        else:
            data = self.tail[self.position - len(self.head) - self.size :]
        self.position += len(data)
        return data

    def readline(self, wanted: int = -1) -> bytes:
        """What is left is drained with this after a connection broke."""
        return self.read(wanted)


def post(path, body, client, **meta):
    """A POST through the whole stack, its body read from a stream; returns status and text."""
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": path,
        "SERVER_NAME": "testserver",
        "SERVER_PORT": "80",
        "HTTP_HOST": "testserver",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": body,
        "wsgi.errors": io.StringIO(),
        "wsgi.multiprocess": True,
        "wsgi.multithread": False,
        "wsgi.run_once": False,
        "CONTENT_TYPE": f"multipart/form-data; boundary={BOUNDARY}",
        "CONTENT_LENGTH": str(body.length),
        "HTTP_COOKIE": "; ".join(f"{k}={v.value}" for k, v in client.cookies.items()),
        **meta,
    }
    status = []
    # A request's beginning and end would close the connection that the test's transaction is on.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    try:
        response = WSGIHandler()(environ, lambda line, headers: status.append(int(line[:3])))
        text = b"".join(response).decode()
    finally:
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)
    return status[0], text


@pytest.fixture
def token(executor, ready_project, settings):
    settings.ALLOWED_HOSTS = ["testserver"]
    executor.get(reverse("datasets:page", args=[ready_project.pk]))
    return executor.cookies["csrftoken"].value


@pytest.mark.parametrize("name", NAMES)
def test_upload_over_http(executor, ready_project, name):
    response = executor.post(reverse(name, args=[ready_project.pk]), sent())
    assert response.status_code in (201, 302), response.content
    dataset = Dataset.objects.get()
    assert store_open(dataset.stored).read() == CSV
    assert dataset.name == "visits.csv"
    if name.startswith("api"):
        body = response.json()
        assert body["status"] == "uploaded"
        assert body["job"]


def test_api_with_a_token(ready_project, people):
    from deid_portal.accounts import services

    client = APIClient()
    client.force_authenticate(people.executor)
    response = client.post(reverse("api:dataset-list", args=[ready_project.pk]), sent(), format="multipart")
    assert response.status_code == 201
    assert services


WRONG = {"planner": 403, "supervisor": 403, "management": 403, "auditor": 403, "assessor": 403}
WRONG |= {"recipient": 404, "outsider": 404, "superuser": 404, "administrator": 404}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("who", "status"), WRONG.items())
def test_nobody_elses_body_is_read(client, people, ready_project, settings, store, name, who, status):
    settings.ALLOWED_HOSTS = ["testserver"]
    client.force_login(getattr(people, who))
    body = Body(50_000)
    assert post(reverse(name, args=[ready_project.pk]), body, client)[0] == status
    assert body.position == 0
    assert files_of(store) == []


@pytest.mark.parametrize(("name", "status"), list(zip(NAMES, (302, 401), strict=True)))
def test_a_strangers_body_is_not_read(client, ready_project, settings, store, name, status):
    settings.ALLOWED_HOSTS = ["testserver"]
    body = Body(50_000)
    found, _text = post(reverse(name, args=[ready_project.pk]), body, client)
    assert (found, files_of(store)) == (status, [])
    assert body.position == 0 or name.startswith("api")


@pytest.mark.parametrize("name", NAMES)
def test_in_the_wrong_state_the_body_is_not_read(client, people, project, settings, store, name):
    settings.ALLOWED_HOSTS = ["testserver"]
    client.force_login(people.executor)
    body = Body(50_000)
    assert post(reverse(name, args=[project.pk]), body, client)[0] == 403
    assert body.position == 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("length", ["abc", "-7", "9" * 5000, "1e3", ""])
def test_a_length_that_is_no_number_is_an_empty_body(executor, ready_project, settings, store, name, length):
    settings.ALLOWED_HOSTS = ["testserver"]
    path = reverse(name, args=[ready_project.pk])
    status, _text = post(path, Body(1000), executor, CONTENT_LENGTH=length)
    assert status in (400, 403, 422)
    assert files_of(store) == []


def test_without_a_csrf_token_nothing_is_kept(
    people, ready_project, store, django_capture_on_commit_callbacks
):
    client = Client(enforce_csrf_checks=True)
    client.force_login(people.executor)
    for name in NAMES:
        with django_capture_on_commit_callbacks(execute=True):
            assert client.post(reverse(name, args=[ready_project.pk]), sent()).status_code == 403
    assert not StoredFile.objects.exists()
    assert files_of(store) == []


@pytest.mark.parametrize("where", ["field", "header"])
def test_the_csrf_token_comes_in_the_form_or_in_the_header(token, executor, ready_project, where):
    fields = {"csrfmiddlewaretoken": token} if where == "field" else {}
    meta = {"HTTP_X_CSRFTOKEN": token} if where == "header" else {}
    path = reverse("datasets:upload", args=[ready_project.pk])
    assert post(path, Body(1000, fields), executor, **meta)[0] == 302
    assert Dataset.objects.get().size == 1000


def test_a_foreign_origin_is_turned_away_before_the_body(token, executor, ready_project, store):
    body = Body(1_000_000, {"csrfmiddlewaretoken": token})
    path = reverse("datasets:upload", args=[ready_project.pk])
    assert post(path, body, executor, HTTP_ORIGIN="https://evil.example")[0] == 403
    assert body.position == 0


def test_fifty_megabytes_keep_memory_flat(token, executor, ready_project):
    size = 50 * 1024**2
    path = reverse("datasets:upload", args=[ready_project.pk])
    post(path, Body(1000, {"csrfmiddlewaretoken": token}), executor)
    tracemalloc.start()
    try:
        status, _text = post(path, Body(size, {"csrfmiddlewaretoken": token}), executor)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert status == 302
    dataset = Dataset.objects.latest("uploaded_at")
    assert dataset.size == size
    assert peak < 16 * 1024**2


@pytest.mark.parametrize("name", NAMES)
def test_a_broken_connection_keeps_nothing(token, executor, ready_project, store, name):
    body = Body(300_000, {"csrfmiddlewaretoken": token}, end=False)
    body.length += 500_000
    status, text = post(reverse(name, args=[ready_project.pk]), body, executor, HTTP_X_CSRFTOKEN=token)
    assert status in (400, 403, 422), text
    assert not Dataset.objects.exists()
    assert not StoredFile.objects.exists()
    assert files_of(store) == []


@pytest.mark.parametrize("name", NAMES)
def test_too_large_is_refused_before_the_body(token, executor, ready_project, settings, store, name):
    settings.DEID_UPLOAD_LIMIT = 1024**2
    body = Body(5 * 1024**2)
    status, _text = post(reverse(name, args=[ready_project.pk]), body, executor, HTTP_X_CSRFTOKEN=token)
    assert status in (413, 422)
    assert body.position < 1024**2 or name.startswith("api")
    assert files_of(store) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_file_beyond_the_limit_is_cut_short(token, executor, ready_project, settings, store, name):
    settings.DEID_UPLOAD_LIMIT = 1024**2
    body = Body(1024**2 + 500_000, {"csrfmiddlewaretoken": token})
    status, _text = post(reverse(name, args=[ready_project.pk]), body, executor, HTTP_X_CSRFTOKEN=token)
    assert status in (413, 422)
    assert files_of(store) == []
    assert not StoredFile.objects.exists()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("data", [{}, {"file": "a text"}, {"other": SimpleUploadedFile("x.csv", CSV)}])
def test_no_file_is_told(executor, ready_project, store, name, data):
    response = executor.post(reverse(name, args=[ready_project.pk]), data)
    assert response.status_code == 422
    assert files_of(store) == []


def test_a_second_file_in_the_form_is_skipped(executor, ready_project, store):
    files = [SimpleUploadedFile("one.csv", CSV), SimpleUploadedFile("two.csv", CSV * 2)]
    executor.post(reverse("datasets:upload", args=[ready_project.pk]), {"file": files})
    assert StoredFile.objects.count() == 1


def test_a_hostile_name_stays_a_text(executor, ready_project, store):
    name = "../../../../tmp/<script>alert(1)</script>.csv"
    executor.post(reverse("datasets:upload", args=[ready_project.pk]), sent(name=name))
    dataset = Dataset.objects.get()
    assert "/" not in dataset.name
    assert [path.name for path in files_of(store)] == [f"{dataset.stored_id.hex}.enc"]
    page = executor.get(reverse("datasets:page", args=[ready_project.pk])).content.decode()
    assert "<script>alert" not in page


def test_get_of_the_upload_address_leads_to_the_page(executor, ready_project):
    response = executor.get(reverse("datasets:upload", args=[ready_project.pk]))
    assert response.status_code == 302


@pytest.mark.parametrize("name", NAMES)
def test_no_room_is_told_before_the_body(token, executor, ready_project, store, monkeypatch, name):
    monkeypatch.setattr(uploading, "RESERVE", 2**60)
    body = Body(5 * 1024**2)
    status, _text = post(reverse(name, args=[ready_project.pk]), body, executor, HTTP_X_CSRFTOKEN=token)
    assert status == 507
    assert body.position < 1024**2 or name.startswith("api")
    assert files_of(store) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_disk_that_fills_up_meanwhile_keeps_nothing(token, executor, ready_project, store, name):
    """The system itself refuses to write more: here by a limit on files, with the same effect as a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2 * 1024**2 + 77, hard))
    try:
        body = Body(5 * 1024**2, {"csrfmiddlewaretoken": token})
        status, text = post(reverse(name, args=[ready_project.pk]), body, executor, HTTP_X_CSRFTOKEN=token)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert status == 507, text
    assert files_of(store) == []
    assert not StoredFile.objects.exists()
    gc.collect()
    assert executor.get(reverse("core:home")).status_code == 200

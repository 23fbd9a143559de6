"""Files: what the portal serves beside its pages, and that nothing that was brought to it lies among them."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.test import Client
from django.urls import get_resolver

from tests.fixtures import make_people

from .undoing import BACKEND

# What a browser needs to show a page, and nothing that could be data.
KINDS = {
    ".css",
    ".js",
    ".map",
    ".svg",
    ".png",
    ".gif",
    ".ico",
    ".eot",
    ".ttf",
    ".otf",
    ".woff",
    ".woff2",
    ".txt",
    ".md",
}
WITHOUT_KIND = {"LICENSE"}
OUTSIDE = (
    "/media/", "/media/x.csv", "/var/", "/var/store/", "/store/", "/uploads/", "/static/", "/static/../manage.py",
    "/static/%2e%2e/manage.py", "/static/..%2fmanage.py", "/static//etc/passwd", "/static/%00", "/db.sqlite3",
    "/.env", "/.git/config", "/admin/", "/admin/login/", "/__debug__/", "/robots.txt", "/api-auth/login/",
)  # fmt: skip


def static_files() -> list[str]:
    return [path for finder in get_finders() for path, _storage in finder.list([])]


def test_static_files_are_what_a_browser_needs():
    files = static_files()
    assert len(files) > 20
    strange = [
        path for path in files if Path(path).suffix not in KINDS and Path(path).name not in WITHOUT_KIND
    ]
    assert not strange


def test_nothing_that_is_stored_lies_below_a_served_folder():
    served = [Path(settings.STATIC_ROOT), *map(Path, settings.STATICFILES_DIRS)]
    stored = [Path(settings.DEID_STORE_DIR), Path(settings.DATABASES["default"]["NAME"])]
    assert not settings.MEDIA_URL.strip("/")
    for folder in served:
        for place in stored:
            assert not place.resolve().is_relative_to(folder.resolve()), place


@pytest.mark.django_db
@pytest.mark.parametrize("account", ["nobody", "planner", "superuser"])
def test_no_file_is_served_beside_them(account):
    client = Client(raise_request_exception=False)
    if account != "nobody":
        client.force_login(getattr(make_people(), account), backend=BACKEND)
    for path in OUTSIDE:
        for method in ("GET", "HEAD", "POST", "PUT", "DELETE"):
            response = client.generic(method, path)
            # Who is not signed in learns nothing of what is there; there is nothing.
            assert response.status_code in (404, 405), f"{method} {path}: {response.status_code}"


@pytest.mark.django_db
def test_static_files_are_read_by_anybody_and_written_by_nobody():
    client = Client()
    path = "/static/" + next(one for one in static_files() if one.endswith(".css"))
    answer = client.get(path)
    assert answer.status_code == 200
    assert "csrftoken" not in answer.cookies
    assert b"".join(answer.streaming_content) if answer.streaming else answer.content
    assert [client.generic(method, path).status_code for method in ("POST", "PUT", "PATCH", "DELETE")] == [
        405
    ] * 4


def test_there_is_no_administration_but_the_portals_own():
    """Django's admin writes past the services."""
    assert "django.contrib.admin" not in settings.INSTALLED_APPS
    assert not {"admin", "djdt", "rest_framework"} & set(get_resolver().namespace_dict)

"""A project whose every name is hostile, carried to its release: each page and endpoint is shown and each document made, in both languages.

Nightly, by ``make fuzz``: the documents alone take a minute.
"""

from __future__ import annotations

import csv
import io
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from approvals.documents.models import Document
from approvals.documents.services import document_open
from deid_portal.accounts.services import user_create
from deid_portal.demo.story import Story, csv_bytes
from deid_portal.organisation.services import ensure_defaults
from projects.workflow import State
from tests.fixtures import APPOINTED, POSTS

from .addresses import addresses
from .expectations import EXPECTED
from .objects import OBJECTS
from .undoing import BACKEND, undone

pytestmark = pytest.mark.django_db
# What formats texts, what marks them up, what turns their direction, and more than a line of it.
MARK = "<i x=1>"
NAMES = [
    "占比%", "比例(%)", "%s %(a)s %%", f"{MARK}'\"&amp;", "{0} {a.b} {{ x }} {% y %}", "\u202eعربي עברית", "👩‍⚕️ 😀", "a,b;c|d", "=1+1",
    "长" * 200, "../x", "`$(x)`",
]  # fmt: skip
TITLE = " ".join(NAMES[:7])[:150]
REASON = "理由 " + " ".join(NAMES[:8])
ROWS = 400


def person(name: str, post: Any) -> Any:
    until = timezone.localdate() + timedelta(days=30) if post.value == "assessor" else None
    return user_create(
        username=name,
        password="correct-horse-battery",
        full_name=f"{name} {TITLE}"[:80],
        post=post,
        access_until=until,
        appointed=APPOINTED.get(name, ()),
        by=None,
    )


def with_hostile_columns() -> bytes:
    rows = list(csv.reader(io.StringIO(csv_bytes(ROWS).decode("gb18030"))))
    for place, row in enumerate(rows):
        row += NAMES if place == 0 else [f"{name[:20]} {place % 3}" for name in NAMES]
    sink = io.StringIO()
    csv.writer(sink).writerows(rows)
    return sink.getvalue().encode()


@pytest.fixture
def story():
    people = {name: person(name, post) for name, post in POSTS.items()}
    ensure_defaults()
    carried = Story(people, TITLE, with_hostile_columns(), file_name=f"{NAMES[3]} %s 😀.csv")
    carried.reach(State.MONITORING)
    return carried


def places(project: Any) -> list[str]:
    """Every address that is read and belongs to the project."""
    world, found = SimpleNamespace(people=None), []
    for name, methods in EXPECTED.items():
        address = addresses()[name]
        if "GET" not in methods or "project_id" not in address.arguments:
            continue
        rules = methods["GET"] if isinstance(methods["GET"], list) else [methods["GET"]]
        for rule in rules:
            given = {
                one: rule.arguments[one] if one in rule.arguments else OBJECTS[one](world, "auditor", project)
                for one in address.arguments
            }
            if all(isinstance(value, int | str) or value for value in given.values()) and not any(
                map(callable, given.values())
            ):
                found.append(reverse(name, kwargs=given))
    return found


def test_every_name_is_shown_as_it_is(story, say):
    asked, faults = 0, []
    for language in ("zh-hans", "en"):
        for role in ("planner", "executor", "auditor", "recipient"):
            client = Client(raise_request_exception=False, headers={"Accept-Language": language})
            client.force_login(story.people[role], backend=BACKEND)
            for url in [*places(story.project), "/", "/api/projects/", reverse("core:notifications")]:
                with undone():
                    response = client.get(url)
                body = b"".join(response.streaming_content) if response.streaming else response.content
                asked += 1
                if response.status_code >= 500:
                    faults.append(f"{role} {language} {url}: {response.status_code}")
                elif response["Content-Type"].startswith("text/html") and MARK.encode() in body:
                    faults.append(f"{role} {language} {url}: markup")
    documents = list(Document.objects.filter(project_id=story.project.pk))
    for document in documents:
        with translation.override(document.language):
            assert document_open(document)[:5] == b"%PDF-"
    say(
        f"hostile names: {asked} pages and endpoints, {len(documents)} documents in {sorted({one.language for one in documents})}"
    )
    assert len(documents) > 2
    assert not faults, "\n".join(faults)

"""Drafts of the forms that follow a release: each is kept for who may save it, and shown to them again."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from projects.core.drafts.models import FormDraft
from projects.workflow import State
from tests.projects.releases import stories

START = stories.released
HALF = "半句话，还没有写完"


@pytest.mark.parametrize(
    ("address", "who", "other", "form"),
    [
        ("monitoring:page", "supervisor", "management", "monitoring.change"),
        ("lessons:page", "planner", "executor", "lessons.lesson"),
        ("impact:page", "planner", "management", "impact.assessment"),
    ],
)
def test_it_is_kept_for_who_may_save_it(
    story_at: Any, people: Any, client: Any, address: str, who: str, other: str, form: str
) -> None:
    project = story_at(State.MONITORING, stories.released).project
    path = reverse(address, args=[project.pk])
    client.force_login(getattr(people, who))
    asks = client.get(path).context["form"]
    words = next(
        name
        for name, field in asks.fields.items()
        if getattr(field.widget, "template_name", "").endswith("textarea.html")
    )
    assert client.post(path, {words: HALF, "then": "keep"}).status_code == 204
    draft = FormDraft.objects.get()
    assert (draft.form, draft.project, draft.saved_by) == (form, project, getattr(people, who))
    assert HALF in client.get(path).content.decode()
    client.force_login(getattr(people, other))
    assert client.post(path, {words: HALF, "then": "keep"}).status_code == 403
    assert HALF not in client.get(path).content.decode()
    assert FormDraft.objects.count() == 1

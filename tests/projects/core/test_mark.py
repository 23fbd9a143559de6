"""What the documents of a project bear on top: chosen by its planning manager, on the record, on every paper from then on."""

from __future__ import annotations

import pytest
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.organisation.letterhead.versions import letterhead_set
from projects.core.enums import ProjectMark
from projects.core.selectors import mark_text
from projects.core.services import project_mark, project_move
from projects.workflow import Move

pytestmark = pytest.mark.django_db


def test_without_a_choice_the_letterhead_says_it(project, people):
    assert mark_text(project) == ""
    letterhead_set(name="示例医院", mark="internal", by=people.administrator)
    assert mark_text(project) == "内部资料"
    marked = project_mark(project, mark=ProjectMark.NONE, by=people.planner)
    assert mark_text(marked) == ""
    assert mark_text(project_mark(marked, mark=ProjectMark.TRADE, by=people.planner)) == "商业秘密"


def test_it_is_on_the_record_and_no_hash_changes(project, people):
    project_mark(project, mark=ProjectMark.WORK, by=people.planner)
    event = AuditEvent.objects.get(action="project.marked")
    assert event.facts["mark"] == "work"
    assert event.project_id == project.pk
    # It gives nobody a permission, so that the proof of rows does not read it.
    assert event.rows == {} or "mark" not in str(event.rows)
    project.refresh_from_db()
    with pytest.raises(Refused) as refused:
        project_mark(project, mark=ProjectMark.WORK, by=people.planner)
    assert refused.value.verdict.code == "marked_already"


@pytest.mark.parametrize("who", ["executor", "supervisor", "management", "auditor", "administrator"])
def test_nobody_else_marks(client, project, people, who):
    with pytest.raises(Refused):
        project_mark(project, mark=ProjectMark.WORK, by=getattr(people, who))


def test_the_page_saves_and_the_overview_shows(client, project, people):
    client.force_login(people.planner)
    path = reverse("core:project_mark", args=[project.pk])
    assert client.get(path).status_code == 200
    assert client.post(path, {"mark": "secret"}).status_code == 422
    assert client.post(path, {"mark": "trade"}).status_code == 302
    overview = client.get(reverse("core:project", args=[project.pk])).content.decode()
    assert "商业秘密" in overview
    shown = client.get(reverse("api:project-mark", args=[project.pk])).json()
    assert shown == {"mark": "trade", "shown": "商业秘密"}


def test_what_has_ended_is_not_marked(project, people):
    project_move(project, move=Move.WITHDRAW, by=people.planner, reason="not needed")
    with pytest.raises(Refused) as refused:
        project_mark(project, mark=ProjectMark.WORK, by=people.planner)
    assert refused.value.verdict.code == "wrong_state"

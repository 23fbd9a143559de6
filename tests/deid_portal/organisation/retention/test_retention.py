"""The terms of retention: two persons, versions, and what they do for a project that has ended."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.urls import reverse
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.organisation.models import RetentionTerms
from deid_portal.organisation.proposals.models import ProposalStatus
from deid_portal.organisation.retention.terms import MOST_DAYS, terms_decide, terms_now, terms_propose
from projects.core.services import project_move
from projects.core.tasks_registry import tasks_of
from projects.vault.services import secret_get_or_create
from projects.workflow import Move
from tests.projects.rows import change

pytestmark = pytest.mark.django_db


def put(people: Any, **days: int | None) -> RetentionTerms:
    proposed = terms_propose(days, reason="by our rules", by=people.planner)
    return terms_decide(proposed, accept=True, reason="agreed", by=people.administrator)


def test_until_two_persons_have_decided_there_is_no_term(people):
    assert (terms_now().version, dict(terms_now().days)) == (0, {})
    proposed = terms_propose({"source": 30}, reason="by our rules", by=people.planner)
    assert terms_now().version == 0
    with pytest.raises(Refused) as refused:
        terms_decide(proposed, accept=True, reason="my own", by=people.planner)
    assert refused.value.verdict.code == "own_proposal"
    for who in ("executor", "supervisor", "management", "auditor", "recipient"):
        with pytest.raises(Refused):
            terms_propose({"source": 1}, reason="mine", by=getattr(people, who))
    terms_decide(proposed, accept=True, reason="agreed", by=people.administrator)
    assert (terms_now().version, dict(terms_now().days)) == (1, {"source": 30})
    assert AuditEvent.objects.filter(action="retention.in_force").exists()


def test_versions_are_kept_and_replace_each_other(people):
    put(people, source=30)
    with pytest.raises(Refused) as refused:
        terms_propose({"source": 30}, reason="the same", by=people.planner)
    assert refused.value.verdict.code == "nothing_changed"
    put(people, source=10, auxiliary=0)
    found = list(RetentionTerms.objects.values_list("number", "status"))
    assert found == [(2, ProposalStatus.IN_FORCE), (1, ProposalStatus.REPLACED)]
    assert dict(terms_now().days) == {"source": 10, "auxiliary": 0}


@pytest.mark.parametrize("days", [-1, MOST_DAYS + 1])
def test_a_term_lies_within_bounds(people, days):
    with pytest.raises(ValidationError) as error:
        terms_propose({"result": days}, reason="by our rules", by=people.planner)
    assert set(error.value.message_dict) == {"result"}


def test_the_database_keeps_two_persons_apart(people):
    proposed = terms_propose({"source": 30}, reason="by our rules", by=people.planner)
    with pytest.raises(IntegrityError):
        change(
            proposed,
            status=ProposalStatus.IN_FORCE,
            decided_by=people.planner,
            decided_at=timezone.now(),
            decision_reason="mine",
        )


def test_the_task_of_an_ended_project_has_the_day_of_the_first_term_of_what_is_there(people, project):
    secret_get_or_create(project, "pseudonyms", people.executor)
    project_move(project, move=Move.WITHDRAW, by=people.planner, reason="no longer wanted")
    put(people, source=1, auxiliary=30)
    (task,) = [one for one in tasks_of(people.planner) if one.icon == "trash"]
    assert task.deadline.due == timezone.localdate() + timedelta(days=30), "there never was a source"
    assert task.project_id == project.pk


def test_the_page_shows_what_holds_and_takes_a_proposal(people, client):
    put(people, source=30)
    client.force_login(people.planner)
    url = reverse("organisation:retention")
    page = client.get(url, headers={"accept-language": "en"}).content.decode()
    assert "30 days after the end of the project" in page
    assert client.post(url, {"source": "-3", "reason": "x"}).status_code == 422
    assert client.post(url, {"source": "3", "auxiliary": "", "reason": "shorter"}).status_code == 302
    waiting = RetentionTerms.objects.get(status=ProposalStatus.PROPOSED)
    assert waiting.days == {"source": 3, "workspace": None, "result": None, "auxiliary": None}

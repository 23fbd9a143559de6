"""Coefficients of the surroundings: proposed by one, put in force by another, kept with every version, and counted from then on."""

from __future__ import annotations

from fractions import Fraction

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.accounts.services import user_create
from deid_portal.organisation.environment.coefficients import (
    coefficients_decide,
    coefficients_now,
    coefficients_propose,
    versions,
)
from deid_portal.organisation.proposals.home import proposals_waiting
from deid_portal.organisation.proposals.models import ProposalStatus
from projects.objective.surroundings.coefficients import SHIPPED, coefficients
from projects.workflow.posts import Post
from techniques.disclosure_risk.scales.degree import Capability

pytestmark = pytest.mark.django_db
PAGE = "organisation:coefficients"


@pytest.fixture
def second(people):
    return user_create(username="second", password=None, full_name="Second", post=Post.ADMINISTRATOR, by=None)


def propose(by, low="0.6", high="1"):
    return coefficients_propose(low=Fraction(low), high=Fraction(high), reason="our own measure", by=by)


def test_what_is_in_force_counts_and_every_version_stays(people, second):
    assert coefficients() == SHIPPED
    first = propose(people.planner)
    assert coefficients().version == 0, "nothing counts before a second person has said so"
    coefficients_decide(first, accept=True, reason="agreed", by=second)
    assert (coefficients().version, coefficients().of[Capability.LOW]) == (1, Fraction(3, 5))
    assert coefficients().of[Capability.MEDIUM] == 1
    refused = propose(second, low="0.75", high="1.25")
    coefficients_decide(refused, accept=False, reason="too generous", by=people.planner)
    assert coefficients().version == 1
    later = propose(second, low="0.5")
    coefficients_decide(later, accept=True, reason="stricter", by=people.planner)
    assert coefficients_now().version == 3
    assert [(one.number, one.status, one.decision_reason) for one in versions()] == [
        (3, ProposalStatus.IN_FORCE, "stricter"),
        (2, ProposalStatus.TURNED_DOWN, "too generous"),
        (1, ProposalStatus.REPLACED, "agreed"),
    ]
    assert len({one.content_hash for one in versions()}) == 3
    actions = set(AuditEvent.objects.values_list("action", flat=True))
    assert {"coefficients.proposed", "coefficients.in_force", "coefficients.turned_down"} <= actions
    stated = AuditEvent.objects.filter(action="coefficients.in_force").latest("seq")
    assert "organisation.environmentcoefficients" in str(stated.rows)


def test_two_people_by_rule_and_by_constraint(people, second):
    waiting = propose(people.planner)
    with pytest.raises(Refused, match="own_proposal"):
        coefficients_decide(waiting, accept=True, reason="mine", by=people.planner)
    for nobody in (people.executor, people.auditor, people.superuser):
        with pytest.raises(Refused):
            coefficients_decide(waiting, accept=True, reason="why not", by=nobody)
        with pytest.raises(Refused):
            propose(nobody)
    with pytest.raises(Refused, match="one_is_waiting"):
        propose(second, low="0.7")
    for forged in ("low = 90", "status = 'in_force', decided_by_id = made_by_id, decided_at = made_at, decision_reason = 'x'"):  # fmt: skip
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"UPDATE organisation_environmentcoefficients SET {forged}")
    assert len(proposals_waiting(second)) == 1
    assert not proposals_waiting(people.planner)


@pytest.mark.parametrize(
    ("low", "high", "field"),
    [
        ("0.49", "1", "low"),
        ("0.76", "1", "low"),
        ("0.6", "0.9", "high"),
        ("0.6", "1.3", "high"),
        ("0.601", "1", "low"),
    ],
)
def test_coefficients_out_of_bounds_are_refused(people, low, high, field):
    with pytest.raises(ValidationError) as error:
        propose(people.planner, low, high)
    assert list(error.value.message_dict) == [field]


def test_pages_and_api_from_proposal_to_force(client, people, second):
    client.force_login(people.planner)
    page = client.get(reverse(PAGE)).content.decode()
    assert 'name="low"' in page
    said = {"low": "0.6", "high": "1.2", "reason": "measured by ourselves"}
    assert client.post(reverse(PAGE), said | {"low": "0.2"}).status_code == 422
    assert client.post(reverse(PAGE), said | {"low": "0.5", "high": "1"}).status_code == 422, "no change"
    assert client.post(reverse(PAGE), said).status_code == 302
    page = client.get(reverse(PAGE)).content.decode()
    assert 'name="decision"' not in page, "who proposed it does not decide"
    client.force_login(second)
    page = client.get(reverse(PAGE), headers={"accept-language": "en"}).content.decode()
    assert "A coefficient above 1" in page
    (waiting,) = versions()
    decide = reverse("organisation:coefficients_decide", args=[waiting.pk])
    client.post(decide, {"decision": "accept", "reason": ""})
    assert coefficients().version == 0, "a reason is needed"
    client.post(decide, {"decision": "accept", "reason": "good"})
    assert coefficients().version == 1

    api = reverse("api:organisation-coefficients")
    made = client.post(api, said | {"high": "1"}, content_type="application/json")
    assert made.status_code == 201
    wrong = client.post(api, said | {"low": "0.1"}, content_type="application/json")
    assert wrong.status_code == 400
    assert list(wrong.json()["errors"]) == ["low"]
    client.force_login(people.planner)
    decided = client.post(
        reverse("api:organisation-coefficients-decide", args=[made.json()["id"]]),
        {"accept": True, "reason": "back to 1"},
        content_type="application/json",
    )
    assert (decided.status_code, decided.json()["status"]) == (200, "in_force")
    listed = client.get(api).json()
    assert [(one["number"], one["low"], one["medium"], one["high"]) for one in listed] == [
        (2, 0.6, 1.0, 1.0),
        (1, 0.6, 1.0, 1.2),
    ]

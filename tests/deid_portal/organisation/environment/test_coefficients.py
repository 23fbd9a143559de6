"""Coefficients of the surroundings: proposed by one, put in force by another, kept with every version, and counted from then on."""

from __future__ import annotations

import hashlib
from fractions import Fraction

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext

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
from techniques.disclosure_risk.scales.degree import SCENARIO_NAMES, Capability, Scenario, degree

pytestmark = pytest.mark.django_db
PAGE = "organisation:coefficients"


@pytest.fixture
def second(people):
    return user_create(username="second", password=None, full_name="Second", post=Post.ADMINISTRATOR, by=None)


def propose(by, low="0.6", high="1", **scenarios):
    needed = {Scenario(name): k for name, k in scenarios.items()}
    return coefficients_propose(
        low=Fraction(low), high=Fraction(high), scenarios=needed, reason="our own measure", by=by
    )


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


class TestScenarios:
    def test_what_is_in_force_is_the_coefficient_of_the_scenario(self, people, second):
        made = propose(people.planner, external=8, public=50)
        coefficients_decide(made, accept=True, reason="agreed", by=second)
        now = coefficients()
        assert now.scenarios == {
            Scenario.INTERNAL: Fraction(1, 3), Scenario.EXTERNAL: Fraction(1, 8), Scenario.PUBLIC: Fraction(1, 50),
        }  # fmt: skip
        assert [now.is_own(scenario) for scenario in Scenario] == [False, True, True]
        assert not degree(7, now.scenarios[Scenario.EXTERNAL]).passed
        assert degree(8, now.scenarios[Scenario.EXTERNAL]).passed
        stated = AuditEvent.objects.get(action="coefficients.proposed").facts
        assert (stated["k_internal"], stated["k_external"], stated["k_public"]) == (3, 8, 50)

    def test_a_version_that_names_none_keeps_them(self, people, second):
        coefficients_decide(propose(people.planner, external=8), accept=True, reason="agreed", by=second)
        coefficients_decide(propose(people.planner, low="0.7"), accept=True, reason="agreed", by=second)
        assert coefficients().scenarios[Scenario.EXTERNAL] == Fraction(1, 8)
        with pytest.raises(Refused, match="nothing_changed"):
            propose(people.planner, low="0.7", external=8)

    @pytest.mark.parametrize(
        ("scenarios", "fields"),
        [
            ({"internal": 1}, ["internal"]),
            ({"internal": 6}, ["external"]),
            ({"external": 21}, ["public"]),
            ({"public": 1001}, ["public"]),
            ({"internal": 4, "external": 3}, ["external"]),
        ],
    )
    def test_a_scenario_that_reaches_further_asks_for_no_smaller_k(self, people, scenarios, fields):
        with pytest.raises(ValidationError) as error:
            propose(people.planner, **scenarios)
        assert list(error.value.message_dict) == fields

    def test_the_database_holds_it_too(self, people):
        propose(people.planner)
        for forged in ("internal = 1", "external = 2", "public = 4", "public = 1001"):
            with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(f"UPDATE organisation_environmentcoefficients SET {forged}")

    def test_the_hash_of_a_version_with_the_standard_s_scenarios_is_what_it_was(self, people):
        made = propose(people.planner)
        assert made.content_hash == hashlib.sha256(b"[1, 60, 100]").hexdigest()

    def test_who_decides_is_warned_of_smaller_classes_than_the_standard_s(self, client, people, second):
        propose(people.planner, external=4, public=30)
        client.force_login(second)
        page = client.get(reverse(PAGE), headers={"accept-language": "en"})
        assert page.context["below_standard"] == [str(_said(Scenario.EXTERNAL))]
        assert "Smaller classes than the standard suggests" in page.content.decode()


def _said(scenario):
    with translation.override("en"):
        return gettext(SCENARIO_NAMES[scenario])


def test_pages_and_api_from_proposal_to_force(client, people, second):
    client.force_login(people.planner)
    page = client.get(reverse(PAGE)).content.decode()
    assert 'name="low"' in page
    said = {
        "low": "0.6",
        "high": "1.2",
        "internal": 3,
        "external": 5,
        "public": 20,
        "reason": "measured by ourselves",
    }
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
    for name, value in (("low", "0.1"), ("public", 4)):
        wrong = client.post(api, said | {name: value}, content_type="application/json")
        assert wrong.status_code == 400
        assert list(wrong.json()["errors"]) == [name]
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

"""The numbers of signatures: two persons, versions, and what they ask of a team."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.urls import reverse
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.organisation.models import SIGNERS_BOUNDS, SignerQuorum
from deid_portal.organisation.proposals.models import ProposalStatus
from deid_portal.organisation.signers.quorum import signers_decide, signers_now, signers_propose
from projects.core.evidence import evidence_state
from projects.core.services import member_add
from projects.workflow import Evidence, Role
from tests.projects.rows import change

pytestmark = pytest.mark.django_db
ONE = {"public": 1, "controlled": 1, "enclave": 1}


def put(people: Any, **needed: int) -> SignerQuorum:
    proposed = signers_propose(ONE | needed, reason="by our rules", by=people.planner)
    return signers_decide(proposed, accept=True, reason="agreed", by=people.administrator)


def test_until_two_persons_have_decided_one_person_signs(people):
    assert signers_now() == ONE
    proposed = signers_propose(ONE | {"public": 2}, reason="by our rules", by=people.administrator)
    assert signers_now() == ONE
    with pytest.raises(Refused) as refused:
        signers_decide(proposed, accept=True, reason="my own", by=people.administrator)
    assert refused.value.verdict.code == "own_proposal"
    for who in ("executor", "supervisor", "management", "auditor", "recipient"):
        with pytest.raises(Refused):
            signers_propose(ONE | {"public": 3}, reason="mine", by=getattr(people, who))
    signers_decide(proposed, accept=True, reason="agreed", by=people.planner)
    assert signers_now() == ONE | {"public": 2}
    assert AuditEvent.objects.filter(action="signers.in_force").exists()


def test_versions_are_kept_and_replace_each_other(people):
    put(people, public=2)
    with pytest.raises(Refused) as refused:
        signers_propose(ONE | {"public": 2}, reason="the same", by=people.planner)
    assert refused.value.verdict.code == "nothing_changed"
    put(people, enclave=3)
    found = list(SignerQuorum.objects.values_list("number", "status"))
    assert found == [(2, ProposalStatus.IN_FORCE), (1, ProposalStatus.REPLACED)]
    assert signers_now() == ONE | {"enclave": 3}


@pytest.mark.parametrize("number", [SIGNERS_BOUNDS[0] - 1, SIGNERS_BOUNDS[1] + 1])
def test_a_number_lies_within_bounds(people, number):
    with pytest.raises(ValidationError) as error:
        signers_propose(ONE | {"controlled": number}, reason="by our rules", by=people.planner)
    assert set(error.value.message_dict) == {"controlled"}


def test_the_database_keeps_two_persons_and_bounds(people):
    proposed = signers_propose(ONE | {"public": 2}, reason="by our rules", by=people.planner)
    with pytest.raises(IntegrityError):
        change(proposed, public=SIGNERS_BOUNDS[1] + 1)


def test_nobody_decides_about_their_own_in_the_database(people):
    proposed = signers_propose(ONE | {"public": 2}, reason="by our rules", by=people.planner)
    with pytest.raises(IntegrityError):
        change(
            proposed,
            status=ProposalStatus.IN_FORCE,
            decided_by=people.planner,
            decided_at=timezone.now(),
            decision_reason="mine",
        )


def test_a_team_is_complete_with_as_many_as_will_have_to_sign(people, project):
    put(people, public=2)
    project.sharing_type = "public"
    (missing,) = evidence_state(project, Evidence.TEAM_COMPLETE).missing
    assert "2" in missing
    project.sharing_type = "controlled"
    assert evidence_state(project, Evidence.TEAM_COMPLETE).met
    project.sharing_type = "public"
    member_add(project, user=people.outsider, role=Role.MANAGEMENT, by=people.planner)
    assert evidence_state(project, Evidence.TEAM_COMPLETE).met


def test_the_page_shows_what_holds_and_takes_a_proposal(people, client):
    put(people, public=2)
    client.force_login(people.administrator)
    url = reverse("organisation:signers")
    page = client.get(url, headers={"accept-language": "en"}).content.decode()
    assert "In force: version 1" in page
    assert client.post(url, ONE | {"public": "9", "reason": "x"}).status_code == 422
    assert client.post(url, ONE | {"enclave": "2", "reason": "stricter"}).status_code == 302
    waiting = SignerQuorum.objects.get(status=ProposalStatus.PROPOSED)
    assert (waiting.public, waiting.controlled, waiting.enclave) == (1, 1, 2)

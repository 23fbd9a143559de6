"""A second person who says too little: the page comes again with what is missing, and the version waits on."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from deid_portal.masking.services import policy_propose
from deid_portal.organisation.agreements.clauses import clauses_propose
from deid_portal.organisation.agreements.shipped import shipped as shipped_clauses
from deid_portal.organisation.checklists.lists import checklist_propose
from deid_portal.organisation.checklists.shipped import shipped
from deid_portal.organisation.disclosure.rule_sets import rules_propose
from deid_portal.organisation.environment.coefficients import coefficients_propose
from deid_portal.organisation.grading.policy import NONE_YET, grading_propose
from deid_portal.organisation.policies.enums import PolicyKind
from deid_portal.organisation.policies.services import Wording, policy_add
from deid_portal.organisation.proposals.models import ProposalStatus
from deid_portal.organisation.retention.terms import terms_propose
from deid_portal.organisation.signers.quorum import signers_propose
from deid_portal.records.services import catalogue_propose
from projects.workflow import Stage
from tests.deid_portal.records.test_records import POSTS
from tests.pages import sent_nowhere

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


def policy_version(people: Any) -> Any:
    today = timezone.localdate()
    wording = Wording("2026", "What is laid down.", today, today + timedelta(days=365), ("staff",))
    return policy_add(
        title="A law", kind=PolicyKind.LAW, regulation="", every_project=False, owner=people.executor,
        wording=wording, document=None, reason="our own", by=people.planner,
    ).versions.get()  # fmt: skip


def table_rules(people: Any) -> Any:
    """One of two sets that wait on the same page."""
    given = {"counts": True, "rules": {"minimum_contributors": 3}, "reason": "our own", "by": people.planner}
    rules_propose(name="first", **given)
    return rules_propose(name="second", **given)


LAID = {
    "organisation:clauses_decide": lambda people: clauses_propose(
        shipped_clauses(), reason="our own", by=people.planner
    ),
    "organisation:checklist_decide": lambda people: checklist_propose(
        Stage.OBJECTIVE, shipped(Stage.OBJECTIVE), reason="our own", by=people.planner
    ),
    "organisation:coefficients_decide": lambda people: coefficients_propose(
        low=Fraction(3, 5), high=Fraction(1), reason="our own", by=people.planner
    ),
    "organisation:grading_decide": lambda people: grading_propose(
        NONE_YET.rules, reason="our own", by=people.planner
    ),
    "organisation:policy_decide": policy_version,
    "organisation:retention_decide": lambda people: terms_propose(
        {"source": 30}, reason="our own", by=people.planner
    ),
    "organisation:signers_decide": lambda people: signers_propose(
        {"public": 2, "controlled": 1, "enclave": 1}, reason="our own", by=people.planner
    ),
    "organisation:table_rules_decide": table_rules,
    "records:catalogue_decide": lambda people: catalogue_propose(POSTS, reason="our own", by=people.planner),
    "masking:decide": lambda people: policy_propose(
        title="Desk", scene="operations", treatments={}, name="desk", reason="a desk", by=people.planner
    ),
}


@pytest.mark.parametrize("name", LAID)
def test_a_decision_that_says_too_little_is_asked_for_again(name, client, people):
    version = LAID[name](people)
    parts = [version.policy_id, version.pk] if name == "organisation:policy_decide" else [version.pk]
    address = reverse(name, args=parts)
    client.force_login(people.administrator)
    mute = client.post(address, {"decision": "accept", "reason": " "}, headers=ENGLISH)
    assert mute.status_code == 422
    page = mute.content.decode()
    assert page.count('<a href="#decision_reason">') == 1, "once, though several may wait"
    assert page.count('id="decision_reason_error"') == 1
    assert sent_nowhere(page) == [], "the page stands at the address of the decision, its other forms do not"
    unsaid = client.post(address, {"reason": "As agreed on Tuesday"}, headers=ENGLISH)
    assert unsaid.status_code == 422
    page = unsaid.content.decode()
    assert "State whether the version is brought into force or rejected." in page
    assert page.count('value="As agreed on Tuesday"') == 1, "what was typed is kept, where it was typed"
    kept = client.post(address, {"decision": "accept", "then": "keep"})
    assert kept.status_code == 422, "a decision has no draft"
    version.refresh_from_db()
    assert version.status == ProposalStatus.PROPOSED
    assert client.post(address, {"decision": "turn_down", "reason": "Too much"}).status_code == 302
    version.refresh_from_db()
    assert version.status == ProposalStatus.TURNED_DOWN

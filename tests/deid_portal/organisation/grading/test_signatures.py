"""How many sign by the grade of the data: with the number by sharing type, the larger one counts, and it is said which."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from approvals.decisions.selectors import open_signoff
from deid_portal.demo.story import SCOPE
from deid_portal.organisation.grading.policy import GradeRule, grading_decide, grading_propose, policy_at
from deid_portal.organisation.models import GradingPolicy
from deid_portal.organisation.proposals.models import ProposalStatus
from projects.core.enums import SharingType
from projects.core.evidence import evidence_state
from projects.core.services import member_add
from projects.impact.content import content_read
from projects.impact.services import impact_decide, impact_lay
from projects.objective import services as objective
from projects.verification.documents import SIGNED_KIND, report_document_context
from projects.verification.rules import RELEASE
from projects.verification.selectors import current_verification
from projects.verification.services import release_decide
from projects.verification.sign_off.quorum import quorum_of
from projects.workflow import Evidence, Role, State
from techniques.core.canonical import canonical_hash
from tests.projects.impact.test_impact import ANSWERS
from tests.projects.rows import put, unkept
from tests.projects.verification.stories import SmallStory
from tests.projects.verification.test_signers import signers_set

pytestmark = pytest.mark.django_db


def graded(people: Any, **signers: int) -> None:
    """A grading in force that asks for nothing but signatures."""
    rules = {
        grade: GradeRule(("public", "controlled", "enclave"), 2, False, signers.get(grade, 1))
        for grade in ("general", "sensitive", "important")
    }
    waiting = grading_propose(rules, reason="the law", by=people.planner)
    grading_decide(waiting, accept=True, reason="agreed", by=people.administrator)


BY_GRADE = {"by": "grade", "value": "sensitive", "version": 1}
BY_SHARING = {"by": "sharing", "value": "controlled", "version": 1}


@pytest.mark.parametrize(
    ("by_grade", "by_sharing", "needed", "by"),
    [
        (1, 1, 1, None),
        (2, 1, 2, [BY_GRADE]),
        (1, 2, 2, [BY_SHARING]),
        (2, 3, 3, [BY_SHARING]),
        (3, 2, 3, [BY_GRADE]),
        (2, 2, 2, [BY_SHARING, BY_GRADE]),
    ],
)
def test_the_larger_number_counts(people, by_grade, by_sharing, needed, by):
    graded(people, sensitive=by_grade, important=5)
    if by_sharing > 1:
        signers_set(people, by_sharing)
    story = SmallStory(people)
    story.open()
    assert quorum_of(story.fresh()).needed == 1, "neither sharing type nor grade is known yet"
    objective.sharing_choose(
        story.project, sharing_type=SharingType.CONTROLLED, irrevocable_understood=False, by=people.planner
    )
    assert quorum_of(story.fresh()).needed == by_sharing
    objective.scope_save(story.fresh(), scope=SCOPE, by=people.planner)
    quorum = quorum_of(story.fresh())
    assert (quorum.needed, quorum.by) == (needed, by)


def test_a_team_with_too_few_is_told_why(people):
    graded(people, sensitive=2)
    story = SmallStory(people)
    story.open()
    objective.sharing_choose(
        story.project, sharing_type=SharingType.CONTROLLED, irrevocable_understood=False, by=people.planner
    )
    objective.scope_save(story.fresh(), scope=SCOPE, by=people.planner)
    with translation.override("en"):
        (said,) = evidence_state(story.fresh(), Evidence.TEAM_COMPLETE).missing
    assert said == (
        "Senior management: 2 people have to sign the result, 1 in the team "
        "(the data are graded as “Sensitive data” by version 1 of the grading)"
    )


class TwoSign(SmallStory):
    """Two members of senior management are in the team from the beginning, and the impact is assessed."""

    def open(self) -> None:
        super().open()
        member_add(
            self.project, user=self.people["outsider"], role=Role.MANAGEMENT, by=self.people["planner"]
        )

    def verify(self) -> None:
        laid = impact_lay(self.project, content=content_read(ANSWERS), by=self.people["executor"])
        impact_decide(laid, accept=True, reason="agreed", by=self.people["supervisor"])
        super().verify()


@pytest.fixture
def story(people):
    """A result of data whose grade asks for two waits for senior management."""
    graded(people, sensitive=2)
    made = TwoSign(people)
    made.reach(State.RELEASE_APPROVAL)
    return made


WHY = "2 signatures are needed, because the data are graded as “Sensitive data” by version 1 of the grading."


def test_pages_api_and_report_say_where_the_number_comes_from(story, people, client):
    project = story.fresh()
    client.force_login(people.management)
    english = {"accept-language": "en"}
    page = client.get(reverse("verification:decide", args=[project.pk]), headers=english).content.decode()
    assert "0 of 2 have signed." in page
    assert WHY in page
    answer = client.get(reverse("api:verification-answer", args=[project.pk]), headers=english).json()
    assert (answer["signing"]["needed"], answer["signing"]["why"]) == (2, WHY)
    for person, state in ((people.management, State.RELEASE_APPROVAL), (people.outsider, State.APPROVED)):
        assert release_decide(story.fresh(), decision="approved", reason="seen", by=person).state == state
    verification = current_verification(story.fresh())
    with translation.override("en"):
        facts = dict(report_document_context(verification, kind=SIGNED_KIND)["facts"])
    assert facts["Signatures needed"] == WHY


def test_what_waits_keeps_the_number_of_its_day_and_why(story, people):
    graded(people, sensitive=1)
    signoff = open_signoff(story.project.pk, RELEASE)
    assert (signoff.needed, signoff.needed_by) == (2, [BY_GRADE])
    assert quorum_of(story.fresh()).needed == 2, "the plan was submitted before"
    assert release_decide(story.fresh(), decision="approved", reason="seen", by=people.management).state == (
        State.RELEASE_APPROVAL
    )


def test_a_version_of_before_keeps_its_meaning_and_its_hash(people, client):
    """In it one person signs data of every grade, and what it says is as it was hashed."""
    rule = {"sharing": ["enclave"], "minimum_k": 5, "impact": True}
    rules = dict.fromkeys(("general", "sensitive", "important"), rule)
    with unkept():
        version = put(
            GradingPolicy,
            number=1,
            rules=rules,
            content_hash=canonical_hash([1, rules]),
            status=ProposalStatus.IN_FORCE,
            made_by=people.planner,
            decided_by=people.administrator,
            decided_at=timezone.now(),
            decision_reason="agreed",
        )
        version.refresh_from_db()
        assert version.hash_of_content() == version.content_hash
        assert policy_at(None).rules["important"] == GradeRule(("enclave",), 5, True, 1)
        client.force_login(people.planner)
        assert client.get(reverse("organisation:grading")).status_code == 200
        (shown,) = client.get(reverse("api:organisation-grading")).json()
        assert shown["rules"]["important"] == rule | {"signers": 1}

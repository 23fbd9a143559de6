"""What the database itself refuses about roles, reviews, sign-offs and justifications, and what it lets pass.

Duties are apart (GB/T 37964 clause 6): who executes a project judges nothing in it, under no account of theirs.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest
from django.utils import timezone

from approvals.decisions.models import Justification, ManagementReview, Review, Signature, SignOff
from deid_portal.accounts.models import User
from projects.core.models import Membership
from tests.projects.rows import (
    account,
    allowed,
    another,
    appoint,
    appointed,
    change,
    delete,
    put,
    refused,
    unkept,
)

pytestmark = pytest.mark.django_db
HERE, ELSEWHERE = uuid.uuid4(), uuid.uuid4()
DUTY = "who executes a project does not review"
UNANSWERED = "what was returned does not pass as it was"
OWN = "under another account"


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def member(user: User, role: str, project: uuid.UUID = HERE) -> Membership:
    return put(Membership, user=appointed(user, role), role=role, project_id=project)


def review(by: User, project: uuid.UUID = HERE, outcome: str = "passed", **given: object) -> Review:
    return put(Review, reviewed_by=by, project_id=project, outcome=outcome, **given)


def decision(by: User, project: uuid.UUID = HERE, decision: str = "approved", **given: object) -> SignOff:
    return put(
        SignOff,
        decided_by=by,
        decided_at=timezone.now(),
        reason="as seen",
        project_id=project,
        decision=decision,
        **given,
    )


def request(project: uuid.UUID = HERE, **given: object) -> SignOff:
    return put(SignOff, project_id=project, **given)


def decide(row: SignOff, by: User, decision: str = "approved") -> None:
    change(row, decision=decision, decided_by=by, decided_at=timezone.now(), reason="as seen")


def signature(by: User, project: uuid.UUID = HERE) -> Signature:
    """One of two that a sign-off waits for."""
    return signed(by, put(SignOff, project_id=project, submitted_by=account(), decision="", needed=2))


JUDGEMENTS = pytest.mark.parametrize("judge", [review, decision])


def managed(
    by: User, project: uuid.UUID = HERE, of: Review | None = None, **given: object
) -> ManagementReview:
    """Of a stage that others handed in and supervised."""
    of = of or review(account(), project, submitted_by=account())
    said = {"project_id": project, "subject_hash": of.subject_hash, "outcome": "sound"} | given
    return put(ManagementReview, review=of, reviewed_by=by, **said)


DUTIES = pytest.mark.parametrize("judge", [review, decision, signature])


@DUTIES
def test_who_executes_a_project_judges_nothing_in_it(judge):
    executor = account()
    member(executor, "executor")
    second = account(executor)
    for one in (executor, second):
        with refused(DUTY):
            judge(one)
        with allowed():
            judge(one, ELSEWHERE)


@DUTIES
def test_other_people_and_other_roles_judge(judge):
    member(account(), "executor")
    supervisor = account()
    member(supervisor, "supervisor")
    for one in (supervisor, account(supervisor), account(), account(account())):
        with allowed():
            judge(one)


@DUTIES
def test_who_judged_a_project_does_not_execute_it(judge):
    person = account()
    second = account(person)
    judge(person)
    for one in (person, second):
        with refused("does not execute it"):
            member(one, "executor")
        for role, project in (("supervisor", HERE), ("executor", ELSEWHERE)):
            with allowed():
                member(one, role, project)
    for one in (account(), account(account())):
        with allowed():
            member(one, "executor")
    # Another person of two accounts judged there too, under one account alone.
    third = account()
    account(third)
    judge(third)
    with allowed():
        member(account(account()), "executor")


def test_one_person_has_one_role_in_a_project():
    planner = account()
    second = account(planner)
    member(planner, "planner")
    with refused("one person has one role"):
        member(second, "supervisor")
    for one, role, project in (
        (second, "planner", HERE),
        (second, "supervisor", ELSEWHERE),
        (account(), "supervisor", HERE),
        (account(account()), "supervisor", HERE),
    ):
        with allowed():
            member(one, role, project)


def test_a_membership_stays_as_it_was_given():
    row = member(account(), "supervisor")
    for new in ({"project_id": ELSEWHERE}, {"user": account()}, {"role": "executor"}):
        with refused("a role in a project is never exchanged"):
            change(row, **new)
    with refused("a membership is ended, never deleted"):
        delete(row)
    with allowed():
        change(row, ended_at=timezone.now())


@JUDGEMENTS
def test_nobody_judges_what_they_submitted_under_another_account(judge):
    submitter = account()
    second = account(submitter)
    with refused(OWN):
        judge(second, submitted_by=submitter)
    for by in (account(submitter), account(), account(account())):
        with allowed():
            judge(by, submitted_by=account(account()))


FIELDS = ("project_id", "subject_kind", "subject_id", "subject_hash", "submitted_by_id")
CHANGES = [
    *((review, name) for name in (*FIELDS, "stage", "outcome", "reviewed_by_id")),
    *((decision, name) for name in (*FIELDS, "decision", "decided_by_id")),
]


PERSONS = ("submitted_by_id", "reviewed_by_id", "decided_by_id")
OTHERS = {"outcome": "returned", "decision": "returned", "project_id": ELSEWHERE}


@pytest.mark.parametrize(("judge", "name"), CHANGES)
def test_what_was_judged_before_a_link_does_not_come_to_speak_of_anything_else(judge, name):
    """Whatever of it is altered: it is asked again whether these persons may, and they may no more."""
    judging, submitting = account(), account()
    row = judge(judging, submitted_by=submitting)
    second = account(judging)
    change(submitting, person_id=judging.pk)
    with refused(OWN):
        change(
            row, **{name: OTHERS.get(name) or (second.pk if name in PERSONS else another(row, name)[name])}
        )
    with allowed():
        change(row, work_hash="f" * 64)


@pytest.mark.parametrize(("judge", "name"), CHANGES)
def test_what_was_judged_before_a_role_was_held_is_not_altered_by_who_executes(judge, name):
    judging = account()
    row = judge(judging)
    second = account(judging)
    change(judging, person_id=None)
    change(second, person_id=None)
    # No rule of one role speaks against it, since they are not known to be one person yet.
    for project in (HERE, ELSEWHERE):
        member(second, "executor", project)
    change(judging, person_id=judging.pk)
    change(second, person_id=judging.pk)
    judge_named = name in PERSONS and name != "submitted_by_id"
    with refused(DUTY):
        change(row, **{name: OTHERS.get(name) or (second.pk if judge_named else another(row, name)[name])})
    with allowed():
        change(row, work_hash="f" * 64)


@pytest.mark.parametrize(("judge", "name"), CHANGES)
def test_an_executor_of_another_project_is_none_of_this_one(judge, name):
    judging = account()
    member(judging, "executor", ELSEWHERE)
    member(account(), "executor")
    row = judge(judging, submitted_by=account())
    second = account(judging)
    others = OTHERS | {"project_id": uuid.uuid4(), "submitted_by_id": account().pk}
    others |= dict.fromkeys(PERSONS[1:], second.pk)
    with allowed():
        change(row, **{name: others.get(name) or another(row, name)[name]})


def test_a_lapse_stays_where_the_persons_turned_out_to_be_one():
    judging, submitting = account(), account()
    row = decision(judging, submitted_by=submitting)
    account(judging)
    change(submitting, person_id=judging.pk)
    change(row, lapsed_at=timezone.now(), lapsed_why="the content changed")
    for new in ({"lapsed_at": None, "lapsed_why": ""}, {"lapsed_at": timezone.now()}):
        with refused(OWN):
            change(row, **new)
    with allowed():
        change(row, work_hash="f" * 64)


def test_an_open_request_lapses_whoever_submitted_it():
    row = request(submitted_by=account(account()))
    with allowed():
        change(row, lapsed_at=timezone.now(), lapsed_why="the content changed")
    with allowed():
        change(row, subject_hash="f" * 64)


def test_a_decision_that_is_entered_later_is_asked_the_same():
    submitter = account()
    second, executor = account(submitter), account()
    member(executor, "executor")
    row = request(submitted_by=submitter)
    for by, message in ((second, OWN), (executor, DUTY), (account(executor), DUTY)):
        with refused(message):
            decide(row, by)
    for by in (account(), account(account())):
        with allowed():
            decide(row, by)


def returned_by(judge, project: uuid.UUID = HERE, **given: object):
    if judge is review:
        return review(account(), project, "returned", **given)
    return decision(account(), project, "returned", **given)


@JUDGEMENTS
def test_what_was_returned_does_not_pass_as_it_was(judge):
    hash_ = "a" * 64
    returned_by(judge, subject_hash=hash_)
    with refused(UNANSWERED):
        review(account(), subject_hash=hash_)
    open_ = request(subject_hash=hash_)
    with refused(UNANSWERED):
        decide(open_, account())
    # It may be returned again; what is another content, or another project's, is not concerned.
    with allowed():
        review(account(), outcome="returned", subject_hash=hash_)
    for word in ("returned", "rejected"):
        with allowed():
            decide(open_, account(), word)
    with allowed():
        review(account(), subject_hash="b" * 64)
    with allowed():
        review(account(), ELSEWHERE, subject_hash=hash_)
    for project, other in ((HERE, "b" * 64), (ELSEWHERE, hash_)):
        row = request(project, subject_hash=other, subject_kind=f"kind of {project} {other}")
        with allowed():
            decide(row, account())


@JUDGEMENTS
def test_what_passed_or_was_approved_before_stays_so(judge):
    hash_ = "a" * 64
    approved = decision(account(), subject_hash=hash_)
    review(account(), subject_hash=hash_)
    with allowed():
        review(account(), subject_hash=hash_)
    with allowed():
        decide(request(subject_hash=hash_), account())
    returned_by(judge, subject_hash=hash_)
    # An approval that stands may still lapse.
    with allowed():
        change(approved, lapsed_at=timezone.now(), lapsed_why="returned since")


@JUDGEMENTS
def test_nobody_justifies_what_they_returned(judge):
    judging = account()
    row = judge(judging, HERE, "returned")
    other = judge(account(), HERE, "returned")
    of = "review" if judge is review else "signoff"
    for linked in (False, True):
        by = account(judging) if linked else judging
        with refused("nobody justifies work that they returned themselves"):
            put(Justification, given_by=by, **{of: row})
        with allowed():
            put(Justification, given_by=by, **{of: other})
    for by in (account(), account(account())):
        with allowed():
            put(Justification, given_by=by, **{of: row})


def test_a_justification_is_written_once():
    row = put(Justification, review=review(account(), outcome="returned"))
    with refused("a justification is written once"):
        change(row, text="another one")
    with refused("a justification is written once"):
        delete(row)


def test_who_plans_supervises_or_signs_holds_the_post_by_two_people():
    for role in ("planner", "supervisor", "management"):
        user = put(User, username=f"nobody-{role}")
        with refused("was appointed to that post"):
            put(Membership, user=user, role=role, project_id=HERE)
        appoint(user, role, status="ended", ended_at=timezone.now(), end_reason="over")
        with refused("was appointed to that post"):
            put(Membership, user=user, role=role, project_id=HERE)
        with allowed():
            member(user, role)
    with allowed():
        put(Membership, user=put(User, username="nobody"), role="executor", project_id=HERE)


def signed(by: User, signoff: SignOff, **given: object) -> Signature:
    said = {"project_id": signoff.project_id, "subject_hash": signoff.subject_hash} | given
    return put(Signature, signoff=signoff, signed_by=by, **said)


def test_a_signature_is_of_another_person_than_the_work() -> None:
    submitter, second = account(), account()
    asked = put(SignOff, project_id=HERE, submitted_by=submitter, decision="", needed=2)
    for one in (submitter, account(submitter)):
        with refused("signs what they submitted"):
            signed(one, asked)
    assert signed(second, asked).signed_by == second


def test_one_person_signs_once_and_executes_nothing_there() -> None:
    signer, third = account(), account()
    asked = put(SignOff, project_id=HERE, submitted_by=account(), decision="", needed=3)
    signed(signer, asked)
    with refused("one person signs one content once"):
        signed(signer, asked)
    with refused("who reviewed or approved a project does not execute it"):
        member(signer, "executor")
    signed(third, asked)
    with refused("none is given beyond"):
        signed(account(), asked)


def test_what_several_sign_does_not_come_in_approved() -> None:
    with refused("is not approved by one"):
        decision(account(), needed=2)
    assert decision(account(), needed=1).needed == 1


def test_what_several_sign_is_approved_by_the_last_of_as_many_persons() -> None:
    first, second, last = account(), account(), account()
    asked = put(SignOff, project_id=HERE, submitted_by=account(), decision="", needed=3)
    # They have signed other content as well, and the last has signed nothing but that.
    other = put(
        SignOff, project_id=HERE, submitted_by=account(), decision="", needed=4, subject_kind="another",
        subject_hash=asked.subject_hash,
    )  # fmt: skip
    for one in (first, second, last):
        signed(one, other)
    for one in (first, second):
        with refused("as many different people have signed"):
            decide(asked, last)
        signed(one, asked)
    for same in (first, second, account(second)):
        with refused("as many different people have signed"):
            decide(asked, same)
    with allowed():
        decide(asked, last)
    # One person returns it, whoever has signed.
    with allowed():
        decide(asked, first, "returned")
    # What nobody else has signed yet is not approved by who is to sign first.
    with refused("as many different people have signed"):
        decide(put(SignOff, project_id=HERE, submitted_by=account(), decision="", needed=2), last)


def test_a_sign_off_is_signed_while_it_is_open_and_about_its_content() -> None:
    returned = put(
        SignOff, project_id=HERE, submitted_by=account(), decision="returned", decided_by=account(),
        decided_at=timezone.now(), reason="no", needed=2,
    )  # fmt: skip
    with refused("exactly what waits"):
        signed(account(), returned)
    asked = put(SignOff, project_id=HERE, submitted_by=account(), decision="", needed=2)
    for wrong in ({"subject_hash": "other"}, {"project_id": ELSEWHERE}):
        with refused("exactly what waits"):
            signed(account(), asked, **wrong)


def manager(project: uuid.UUID = HERE) -> User:
    user = account()
    member(user, "management", project)
    return user


def test_records_are_reviewed_by_senior_management_of_the_project() -> None:
    assert managed(manager()).outcome == "sound"
    for one in (account(), manager(ELSEWHERE)):
        with refused("only senior management of the project"):
            managed(one)
    for role in ("planner", "supervisor"):
        other = account()
        member(other, role)
        with refused("only senior management of the project"):
            managed(other)
    former = manager()
    change(Membership.objects.get(user=former), ended_at=timezone.now())
    with refused("only senior management of the project"):
        managed(former)
    with refused("outcome_known"):
        managed(manager(), outcome="well")


def test_records_are_reviewed_as_the_supervisor_passed_them() -> None:
    mine = manager()
    returned = review(account(), outcome="returned", submitted_by=account())
    elsewhere = review(account(), ELSEWHERE, submitted_by=account())
    for of in (returned, elsewhere):
        with refused("as its supervisor passed them"):
            managed(mine, of=of)
    with refused("as its supervisor passed them"):
        managed(mine, subject_hash="another")


def test_nobody_reviews_the_records_of_a_stage_that_they_handed_in_or_supervised() -> None:
    mine = manager()
    for part in ("reviewed_by", "submitted_by"):
        for person in (mine, account(mine)):
            people = {"reviewed_by": account(), "submitted_by": account(), part: person}
            own = review(people.pop("reviewed_by"), stage="objective", **people)
            with refused("that they handed in or supervised"):
                managed(mine, of=own)
            # Another review of the same stage counts, one of another stage or project does not.
            with refused("that they handed in or supervised"):
                managed(mine, of=review(account(), stage="objective", submitted_by=account()))
            with allowed():
                managed(mine, of=review(account(), stage="processing", submitted_by=account()))
            change(own, project_id=ELSEWHERE)
            with allowed():
                managed(mine, of=review(account(), stage="objective", submitted_by=account()))
            change(own, stage=f"{part} {person.pk}")


def test_who_executes_a_project_under_an_account_that_was_linked_later_reviews_no_records_of_it() -> None:
    mine, executor = manager(), account(alone=True)
    member(executor, "executor")
    with allowed():
        managed(mine)
    change(executor, person_id=mine.person_id)
    with refused(DUTY):
        managed(mine)


def test_a_review_by_senior_management_stays() -> None:
    row = managed(manager())
    for name in ("result", "outcome", "subject_hash"):
        with refused("written once"):
            change(row, **{name: "deviating"})
    with refused("written once"):
        delete(row)

"""What the database itself refuses about releases: that one person comes to hold two numbers of shares (A.2.6), and that what was
signed about recipients is altered."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from deid_portal.accounts.models import User
from projects.core.models import Project
from projects.releases.models import (
    ChangeSignature,
    CopyStatement,
    Delivery,
    Publication,
    RecipientChange,
    Release,
    ShareHolding,
    TermsAcceptance,
)
from tests.projects.rows import account, agree, allowed, another, change, delete, put, refused, unkept

pytestmark = pytest.mark.django_db
HERE, ELSEWHERE = uuid.uuid4(), uuid.uuid4()
ONE_NUMBER = "nobody holds shares of two numbers"


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def hold(holder: User, number: int, project: uuid.UUID = HERE) -> ShareHolding:
    return put(ShareHolding, holder=holder, number=number, project_id=project)


def test_nobody_holds_two_numbers_under_two_accounts():
    person = account()
    second = account(person)
    first = hold(person, 1)
    with refused(ONE_NUMBER):
        hold(second, 2)
    # Nor one after the other.
    change(first, ended_at=timezone.now())
    with refused(ONE_NUMBER):
        hold(second, 2)
    for holder, number, project in (
        (second, 1, HERE),
        (second, 2, ELSEWHERE),
        (account(), 2, HERE),
        (account(account()), 2, HERE),
    ):
        with allowed():
            hold(holder, number, project)


def test_a_holding_ends_whoever_turned_out_to_be_one_person():
    person, other = account(), account()
    rows = [hold(person, 1), hold(other, 2)]
    account(person)
    change(other, person_id=person.pk)
    for row in rows:
        with allowed():
            change(row, ended_at=timezone.now())


@pytest.mark.parametrize("name", ["project_id", "number", "holder_id"])
def test_a_number_is_never_exchanged(name):
    row = hold(account(), 1)
    with refused("a number of shares is never exchanged"):
        change(row, **another(row, name))
    with allowed():
        change(row, ended_at=timezone.now())


def test_a_holding_is_never_deleted():
    row = hold(account(), 1)
    with refused("a holding is ended, never deleted"):
        delete(row)


def test_an_agreement_stays_as_it_was_signed():
    project, person = put(Project, state="approved"), account()
    with refused("with the scan"):
        agree(project, person, scan_sha256="")
    agreement = agree(project, person)
    for name in ("purpose", "signed_by", "organisation"):
        with refused("stays as it was recorded"):
            change(agreement, **another(agreement, name))
    for months in (0, 3):
        with refused("stays as it was recorded"):
            change(agreement, check_months=months)
    change(agreement, ended_at=timezone.now())
    with refused("ended as it ended"):
        change(agreement, ended_at=None)
    agreed = agree(project, person, check_months=12)
    for months in (None, 0, 3):
        with refused("stays as it was recorded"):
            change(agreed, check_months=months)
    with refused("never deleted"):
        delete(agreement)


def test_what_is_live_gets_no_agreement_that_nobody_signed():
    project, person, day = (
        put(Project, state="approved", sharing_type="controlled"),
        account(),
        timezone.localdate(),
    )
    agreement = agree(project, person, check_months=6, fetch_approval=True)
    change(project, state="monitoring")
    change(agreement, ended_at=timezone.now())
    for wider in (
        {"purpose": "everything"}, {"valid_until": day + timedelta(days=1)}, {"recipient": account()},
        {"check_months": 12}, {"check_months": 0}, {"check_months": None}, {"country": "SG"}, {"fetch_approval": False},
        {"fetch_approval": None},
    ):  # fmt: skip
        with refused("approved by senior management first"):
            agree(project, **({"recipient": person, "check_months": 6, "fetch_approval": True} | wider))
    for country in (None, "CN"):
        with allowed():
            agree(project, person, check_months=6, country=country, fetch_approval=True)
    for months in (6, 3):
        with allowed():
            agree(project, person, check_months=months, fetch_approval=True)
    wanted = uuid.uuid4()
    decided = {"decided_by": account(), "decided_at": timezone.now(), "reason": "so"}
    asked = {
        "project": project,
        "recipient": person,
        "asks": ["purpose"],
        "terms": {"a": 1},
        "scan_sha256": "f" * 64,
    }
    proposed = put(RecipientChange, outcome="waiting", **asked)
    change(proposed, outcome="approved", agreement_id=wanted, **decided)
    with allowed():
        agree(project, person, pk=wanted, purpose="everything")
    with refused("approved by senior management first"):
        agree(project, person, pk=wanted, purpose="everything", scan_sha256="e" * 64)


def test_a_change_of_recipients_is_decided_by_somebody_else_and_stays():
    proposer = account(alone=True)
    row = put(RecipientChange, asks=["term"], terms={"a": 1}, outcome="waiting", proposed_by=proposer)
    decided = {"outcome": "refused", "decided_at": timezone.now(), "reason": "so"}
    with refused("under another account"):
        change(row, decided_by=account(proposer), **decided)
    with refused("recipient_change_second_person"):
        change(row, decided_by=proposer, **decided)
    with refused("stays as it was proposed"):
        change(row, terms={"a": 2})
    change(row, decided_by=account(), **decided)
    with refused("decided as it was decided"):
        change(row, outcome="waiting", decided_by=None, decided_at=None, reason="")
    with refused("is kept"):
        delete(row)


def test_a_change_that_two_have_to_sign_is_approved_by_the_second():
    project, proposer, first, second = put(Project), account(), account(), account()
    row = put(
        RecipientChange, project=project, asks=["term"], terms={"a": 1}, content_hash="f" * 64, outcome="waiting",
        proposed_by=proposer, needed=2,
    )  # fmt: skip
    decided = {
        "outcome": "approved",
        "decided_at": timezone.now(),
        "reason": "so",
        "agreement_id": uuid.uuid4(),
    }
    signature = {"project": project, "change": row, "content_hash": "f" * 64, "reason": "seen"}
    with refused("begins as a proposal"):
        put(RecipientChange, asks=["term"], terms={}, decided_by=first, **decided)
    with refused("stays as it was proposed"):
        change(row, needed=1)
    with refused("as many different people"):
        change(row, decided_by=first, **decided)
    for wrong in ({"content_hash": "e" * 64}, {"project": put(Project)}):
        with refused("exactly what waits"):
            put(ChangeSignature, **(signature | {"signed_by": first} | wrong))
    for by in (proposer, account(proposer)):
        with refused("proposed themselves"):
            put(ChangeSignature, signed_by=by, **signature)
    given = put(ChangeSignature, signed_by=first, **signature)
    with refused("beyond those that are needed"):
        put(ChangeSignature, signed_by=second, **signature)
    for by in (first, account(first)):
        with refused("as many different people"):
            change(row, decided_by=by, **decided)
    with refused("written once"):
        change(given, reason="other")
    with refused("written once"):
        delete(given)
    change(row, decided_by=second, **decided)


def test_one_person_signs_a_change_once():
    project, first = put(Project), account()
    row = put(
        RecipientChange, project=project, asks=["term"], terms={"a": 1}, content_hash="f" * 64, outcome="waiting",
        proposed_by=account(), needed=3,
    )  # fmt: skip
    signature = {"project": project, "change": row, "content_hash": "f" * 64, "reason": "seen"}
    put(ChangeSignature, signed_by=first, **signature)
    with refused("one person signs one change once"):
        put(ChangeSignature, signed_by=account(first), **signature)
    several = account()
    account(several)
    with allowed():
        put(ChangeSignature, signed_by=several, **signature)


def test_terms_are_accepted_by_whose_they_are_and_once():
    agreement = agree(put(Project, state="approved"), account())
    with refused("by the recipient"):
        put(TermsAcceptance, agreement=agreement, accepted_by=account())
    accepted = put(TermsAcceptance, agreement=agreement, accepted_by=agreement.recipient)
    with refused("written once"):
        change(accepted, terms_hash="0" * 64)
    with refused("written once"):
        delete(accepted)


def publication(**given):
    """A proposal for a public release in force."""
    project = given.pop("project", None) or put(Project, state="monitoring", sharing_type="public")
    release = given.pop("release", None) or put(Release, project=project, files=[])
    return put(Publication, project=project, release=release, **given)


DECIDED = {"decided_at": timezone.now(), "reason": "as signed"}


def test_only_a_public_release_in_force_is_published():
    controlled = put(Project, state="monitoring", sharing_type="controlled")
    over = put(Project, state="monitoring", sharing_type="public")
    ended = put(Release, project=over, files=[], ended_at=timezone.now(), ended_why="over")
    for given in ({"project": controlled}, {"project": over, "release": ended}):
        with refused("only a completely public release in force"):
            publication(**given)
    with refused("begins as a proposal"):
        publication(status="verifying", decided_by=account(), **DECIDED)


def test_a_publication_stays_as_proposed_and_goes_forward_only():
    row, supervisor = publication(), account()
    for name in ("title", "summary", "conditions", "contact", "content_hash", "token", "release_id"):
        with refused("a publication stays as it was proposed"):
            change(row, **another(row, name))
    with refused("never back"):
        change(
            row,
            status="live",
            decided_by=supervisor,
            published_at=timezone.now(),
            version=1,
            designation="none",
            **DECIDED,
        )
    change(row, status="verifying", decided_by=supervisor, **DECIDED)
    with refused("a publication stays as it was proposed"):
        change(row, decided_by=account())
    live = {"status": "live", "published_at": timezone.now(), "version": 1, "designation": "none"}
    change(row.release, seal_broken_at=timezone.now())
    with refused("a broken seal is not published"):
        change(row, **live)
    change(row.release, seal_broken_at=None)
    change(row, **live)
    for back in ("waiting", "verifying"):
        with refused(""):
            change(row, status=back)
    with refused("publication_withdrawn_whole"):
        change(row, status="withdrawn")
    change(row, status="withdrawn", ended_by=supervisor, ended_at=timezone.now(), ended_why="an error")
    with refused(""):
        change(row, status="live", ended_by=None, ended_at=None, ended_why="")
    with refused("withdrawn, never deleted"):
        delete(row)


def test_nobody_decides_about_their_own_publication():
    row = publication(proposed_by=account())
    second = account(row.proposed_by)
    with refused("publication_second_person|under another account"):
        change(row, status="verifying", decided_by=row.proposed_by, **DECIDED)
    with refused("under another account"):
        change(row, status="verifying", decided_by=second, **DECIDED)
    with allowed():
        change(row, status="verifying", decided_by=account(), **DECIDED)


def test_who_has_several_accounts_proposes_a_publication():
    proposer = account()
    account(proposer)
    with allowed():
        publication(proposed_by=proposer)


def test_who_fetched_another_release_has_no_copy_of_this_one():
    recipient, other = account(), account()
    here, there = put(Release, files=[]), put(Release, files=[])
    at = timezone.now()
    fetched = {"status": "fetched", "notice_acknowledged_at": at, "verified_at": at, "fetched_at": at}
    put(Delivery, release=there, recipient=recipient, **fetched)
    put(Delivery, release=here, recipient=other, **fetched)
    put(Delivery, release=here, recipient=recipient, notice_acknowledged_at=at)
    with refused("who fetched nothing has no copy to destroy"):
        put(CopyStatement, release=here, recipient=recipient, how="wiped")
    with allowed():
        put(CopyStatement, release=there, recipient=recipient, how="wiped")


def test_a_release_has_one_publication_at_a_time():
    row = publication()
    with refused("UNIQUE|publication_one_of_a_release"):
        publication(project=row.project, release=row.release)
    change(row, status="refused", decided_by=account(), **DECIDED)
    with allowed():
        publication(project=row.project, release=row.release)

"""What the database itself refuses about samples that recipients check."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from projects.core.models import Membership, Project
from projects.findings.models import Finding, ReceivedSample, RecipientRemedy, SampleDeviation
from projects.releases.models import Delivery, Release
from tests.projects.rows import account, allowed, change, delete, member, put, refused, unkept

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def fetched(project: Project | None = None, **given: Any) -> Delivery:
    release = put(Release, project=project or put(Project), files=[])
    now = timezone.now()
    given = {"recipient": account()} | given
    return put(Delivery, release=release, status="fetched", verified_at=now, fetched_at=now, **given)


def sample(delivery: Delivery | None = None, **given: Any) -> ReceivedSample:
    delivery = delivery or fetched()
    said = {
        "release": delivery.release,
        "recipient": delivery.recipient,
        "rows": 100,
        "size": 5,
        "seed": "ff",
    }
    return put(ReceivedSample, **said | given)


def ticket(of: ReceivedSample, **given: Any) -> Finding:
    said = {"source": "received", "stage": "release", "severity": "minor", "title": "a", "description": "b"}
    said |= {"project": of.release.project, "origin_id": of.pk, "due_on": timezone.localdate()}
    return put(Finding, **said | given)


def deviation(of: ReceivedSample | None = None, **given: Any) -> SampleDeviation:
    of = of or sample()
    return put(SampleDeviation, **{"sample": of, "kind": "other", "text": "x", "ticket": ticket(of)} | given)


def remedy(of: SampleDeviation, **given: Any) -> RecipientRemedy:
    said = {"kind": "deleted", "text": "x", "done_on": timezone.localdate()}
    return put(RecipientRemedy, deviation=of, **said | {"recorded_by": of.sample.recipient} | given)


def decided(by: Any, state: str = "confirmed") -> dict[str, Any]:
    return {"state": state, "reason": "so it is", "decided_by": by, "decided_at": timezone.now()}


REPORTED = {
    "outcome": "found",
    "checked_on": timezone.localdate(),
    "checked": 5,
    "reported_at": timezone.now(),
}


def opened(**given: Any) -> Delivery:
    """In an enclave nothing is fetched: its seal was verified for who asked."""
    release = put(Release, project=put(Project, sharing_type="enclave"), files=[])
    given = {"recipient": account(), "status": "ready", "verified_at": timezone.now()} | given
    return put(Delivery, release=release, **given)


def inside(delivery: Delivery | None = None, **given: Any) -> ReceivedSample:
    return sample(delivery or opened(), **{"inside": True, "outcome": "reading"} | given)


def test_inside_an_enclave_a_sample_is_drawn_for_who_opened_the_release() -> None:
    delivery = opened()
    for given in ({"outcome": "open"}, {"inside": False, "outcome": "open"}, {"recipient": account()}):
        with refused("or opened it in an enclave"):
            inside(delivery, **given)
    with refused("or opened it in an enclave"):
        inside(opened(verified_at=None, status="verifying"))
    with refused("or opened it in an enclave"):
        inside(fetched())
    made = inside(delivery)
    with refused("UNIQUE constraint failed"):
        inside(delivery, number=made.number + 1)


def test_what_was_read_inside_is_reported_as_it_was_seen() -> None:
    made = inside()
    with refused("stays as it was drawn"):
        change(made, **REPORTED)
    change(made, outcome="open", persons=50, shown_rows=7)
    with refused("stays as it was drawn"):
        change(made, outcome="reading")
    with refused("sample_inside_reported_as_seen"):
        change(made, **REPORTED)
    change(made, looked=5, pages_seen=[1])
    change(made, **REPORTED)
    with refused("stays as it was drawn"):
        change(made, looked=4)


def test_of_what_somebody_holds_nothing_is_read() -> None:
    for given in ({"persons": 5}, {"looked": 1}, {"shown_rows": 1}):
        with refused("sample_read_in_an_enclave_only"):
            sample(**given)


def test_a_sample_is_drawn_for_who_fetched_the_release() -> None:
    delivery = fetched()
    with refused("for a recipient who fetched the release"):
        sample(delivery, recipient=account())
    with refused("for a recipient who fetched the release"):
        sample(delivery, release=put(Release, project=put(Project), files=[]))
    with refused("reported on later"):
        sample(delivery, **REPORTED)
    change(delivery, status="ready", fetched_at=None)
    with refused("for a recipient who fetched the release"):
        sample(delivery)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"size": 0}, "sample_draws_something"),
        ({"size": 101}, "sample_draws_something"),
        ({"seed": ""}, "sample_draws_something"),
    ],
)
def test_a_sample_draws_rows_of_the_file(given: dict[str, Any], name: str) -> None:
    with refused(name):
        sample(**given)


def test_one_sample_waits_for_its_report() -> None:
    delivery = fetched()
    row = sample(delivery, number=1)
    with refused("UNIQUE|sample_one_open"):
        sample(delivery, number=2)
    for given in ({"checked": 6}, {"checked": 0}, {"checked_on": None}, {"outcome": "open"}):
        with refused("sample_reported_whole_or_open"):
            change(row, **REPORTED | given)
    with allowed():
        change(row, **REPORTED)
        sample(delivery, number=2)


def test_what_was_drawn_and_reported_stays() -> None:
    row = sample()
    for field, value in (
        ("seed", "00"),
        ("size", 4),
        ("rows", 99),
        ("file", 1),
        ("recipient_id", account().pk),
    ):
        with refused("stays as it was drawn"):
            change(row, **{field: value})
    change(row, **REPORTED)
    for given in ({"outcome": "nothing"}, {"checked": 4}):
        with refused("stays as it was drawn"):
            change(row, **given)
    with refused("a sample that was drawn stays drawn"):
        delete(row)


def test_what_was_found_becomes_a_finding_and_is_written_once() -> None:
    of = sample()
    for given in ({"source": "other"}, {"origin_id": uuid4()}):
        with refused("becomes a finding of the project"):
            deviation(of, ticket=ticket(of, **given))
    row = deviation(of)
    with refused("written once"):
        change(row, text="y")
    with refused("written once"):
        delete(row)
    with refused("UNIQUE|deviation_once_per_kind"):
        deviation(of, ticket=ticket(of))


def test_the_finder_says_what_was_done_and_a_supervisor_decides() -> None:
    of = deviation(sample(fetched(recipient=account(alone=True))))
    project = of.ticket.project
    with refused("the recipient who found it says what was done"):
        remedy(of, recorded_by=account())
    with refused("somebody else decides later"):
        remedy(of, **decided(member(project, "supervisor")))
    row = remedy(of)
    with refused("UNIQUE|recipient_remedy_one_current"):
        remedy(of)
    elsewhere, gone = member(put(Project), "supervisor"), member(project, "supervisor")
    change(project.memberships.get(user=gone), ended_at=timezone.now())
    for nobody in (account(), member(project, "planner"), elsewhere, gone):
        with refused("a supervisor decides on what a recipient did"):
            change(row, **decided(nobody))
    put(Membership, project=project, user=of.sample.recipient, role="supervisor")
    with refused("recipient_remedy_second_person"):
        change(row, **decided(of.sample.recipient))
    second = account(of.sample.recipient)
    put(Membership, project=project, user=second, role="supervisor")
    with refused("never the recipient under another account"):
        change(row, **decided(second))
    with allowed():
        change(row, **decided(member(project, "supervisor"), "again"))
        remedy(of)


def test_a_planner_states_it_in_the_stead_of_a_recipient_who_is_gone() -> None:
    of = deviation()
    project, recipient = of.ticket.project, of.sample.recipient
    planner = member(project, "planner")
    stead = {"recorded_by": planner, "kind": "unclear", "stead_reason": "They left."}
    role = put(Membership, project=project, user=recipient, role="recipient")
    with refused("inactive or no recipient any more"):
        remedy(of, **stead)
    change(role, ended_at=timezone.now())
    with refused("the recipient who found it says what was done"):
        remedy(of, **stead | {"stead_reason": ""})
    for nobody in (account(), member(project, "supervisor"), member(put(Project), "planner"), recipient):
        with refused("inactive or no recipient any more"):
            remedy(of, **stead | {"recorded_by": nobody})
    # That a recipient is gone from another project is no reason to speak for who found this.
    with refused("inactive or no recipient any more"):
        remedy(of, **stead | {"recorded_by": member(deviation().ticket.project, "planner")})
    with refused("recipient_remedy_unclear_in_stead"):
        remedy(of, kind="unclear")
    change(role, ended_at=None)
    change(recipient, is_active=False)
    row = remedy(of, **stead)
    with refused("stays as it was stated"):
        change(row, stead_reason="other")
    with allowed():
        change(row, **decided(member(project, "supervisor")))


def test_a_recipient_who_plans_under_another_account_says_nothing_in_their_own_stead() -> None:
    of = deviation()
    planner = member(of.ticket.project, "planner", account(of.sample.recipient))
    with refused("inactive or no recipient any more"):
        remedy(of, recorded_by=planner, stead_reason="They left.")
    other = member(of.ticket.project, "planner")
    account(other)
    with allowed():
        remedy(of, recorded_by=other, stead_reason="They left.")


def test_a_recipient_decides_on_nothing_that_was_stated_in_their_stead() -> None:
    of = deviation()
    project, recipient = of.ticket.project, of.sample.recipient
    row = remedy(of, recorded_by=member(project, "planner"), stead_reason="They left.")
    for same in (recipient, account(recipient)):
        put(Membership, project=project, user=same, role="supervisor")
        with refused("never the recipient under another account"):
            change(row, **decided(same))
    judge = member(project, "supervisor")
    with allowed():
        change(row, **decided(judge))
    # Who decides has two accounts as well, and is somebody else.
    account(judge)
    with allowed():
        change(row, **decided(judge))


def test_what_was_done_stays_as_stated_and_decided() -> None:
    row = remedy(deviation())
    for field, value in (("text", "y"), ("kind", "kept"), ("recorded_by_id", account().pk)):
        with refused("stays as it was stated"):
            change(row, **{field: value})
    judge = member(row.deviation.ticket.project, "supervisor")
    with refused("recipient_remedy_decided_whole"):
        change(row, **decided(judge) | {"reason": ""})
    change(row, **decided(judge))
    for given in ({"state": "again"}, {"reason": "other"}, {"decided_by": account()}):
        with refused("stays as it was stated"):
            change(row, **given)
    with refused("is kept"):
        delete(row)


def test_what_a_recipient_found_is_closed_after_the_remedy() -> None:
    of = deviation()
    closed = {"status": "closed", "closed_by": account(), "closed_at": timezone.now()}
    with refused("closed once what they did is confirmed"):
        change(of.ticket, **closed)
    row = remedy(of)
    judge = member(of.ticket.project, "supervisor")
    for state in ("waiting", "again"):
        if state == "again":
            change(row, **decided(judge, state))
        with refused("closed once what they did is confirmed"):
            change(of.ticket, **closed)
    # What was done about another finding is none of this one.
    other = remedy(deviation())
    change(other, **decided(member(other.deviation.ticket.project, "supervisor")))
    with refused("closed once what they did is confirmed"):
        change(of.ticket, **closed)
    change(remedy(of), **decided(judge))
    with allowed():
        change(of.ticket, **closed)

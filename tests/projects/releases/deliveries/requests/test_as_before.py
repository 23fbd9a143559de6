"""Agreements that ask for no approval of each fetch, those from before among them."""

from __future__ import annotations

import pytest
from django.utils import timezone

from approvals.governance.verdict import Refused
from projects.releases.agreements.changes.selectors import asks_of
from projects.releases.agreements.terms import terms_hash, terms_of
from projects.releases.deliveries.requests.documents import slip_context
from projects.releases.deliveries.requests.models import Fetch
from projects.releases.deliveries.requests.selectors import fetch_whole
from projects.releases.deliveries.requests.services import fetch_request
from projects.releases.enums import TermsChanged
from projects.releases.models import Agreement
from projects.releases.rules import can_be_agreed
from projects.workflow import State
from tests.projects.releases import stories
from tests.projects.rows import agree, change, refused, unkept

START = stories.released


@pytest.fixture
def released(story_at):
    return story_at(State.MONITORING, START)


def test_they_are_fetched_under_as_before(released, people):
    released.fetch()
    fetch = Fetch.objects.get()
    assert fetch.request is None
    assert fetch.agreement == Agreement.objects.get()
    with pytest.raises(Refused) as refusal:
        fetch_request(fetch.delivery.release, file=0, purpose="the fees", by=people.recipient)
    assert refusal.value.verdict.code == "fetch_not_needed"
    said = slip_context(fetch_whole(fetch.pk))
    assert said["approved"] == []
    assert dict(said["agreement"]).values()


def test_what_was_accepted_before_it_was_asked_keeps_its_hash(released):
    agreement = Agreement.objects.get()
    agreement.fetch_approval = None
    kept = terms_hash(agreement)
    assert "fetch_approval" not in terms_of(agreement).model_dump(exclude_none=True)
    for agreed in (True, False):
        agreement.fetch_approval = agreed
        assert terms_hash(agreement) != kept


def test_no_approval_any_more_is_for_senior_management(released, people):
    project, agreement = released.project, Agreement.objects.get()
    names = ("purpose", "valid_until", "check_months", "country", "scan_sha256")
    held = {name: getattr(agreement, name) for name in names}
    said = {name: value for name, value in held.items() if name != "scan_sha256"}
    assert asks_of(project, people.recipient, **said, fetch_approval=True) == []
    with unkept():
        change(agreement, ended_at=timezone.now())
        stricter = agree(
            project, people.recipient, **held, signed_on=agreement.signed_on, fetch_approval=True
        )
        for agreed in (None, False):
            assert asks_of(project, people.recipient, **said, fetch_approval=agreed) == [
                TermsChanged.APPROVAL
            ]
        assert asks_of(project, people.recipient, **said, fetch_approval=True) == []
        with refused("stays as it was recorded"):
            change(stricter, fetch_approval=False)


def test_only_controlled_sharing_has_fetches_to_approve(released):
    project = released.project
    assert can_be_agreed(project, None, True)
    for sharing in ("enclave", "public"):
        project.sharing_type = sharing
        assert can_be_agreed(project, None, True).code == "fetch_approval_not_controlled"

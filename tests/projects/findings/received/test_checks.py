"""A recipient checks samples as often as it was agreed; what is due reminds them, and nothing is refused to who is late (T/ISC 0078
11.2 e)."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext
from hypothesis import given
from hypothesis import strategies as st

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.demo.story import SCAN
from deid_portal.messaging.telling.collecting import superiors
from projects.core.deadlines import months_later
from projects.core.enums import SharingType
from projects.core.tasks_registry import tasks_of
from projects.datasets.store.store import store_write
from projects.findings.received.rules import may_draw
from projects.findings.received.services import sample_draw, sample_report
from projects.releases.agreements.changes.presentation import terms_rows
from projects.releases.agreements.changes.services import change_decide, change_propose
from projects.releases.agreements.checks import (
    ON_RECEIPT,
    Check,
    checks_in,
    interval_text,
    is_less_often,
    next_due,
)
from projects.releases.agreements.terms import SCAN_PURPOSE, terms_hash, terms_of
from projects.releases.enums import CheckInterval
from projects.releases.forms import AgreementForm
from projects.releases.models import Agreement, CopyStatement, Delivery, Release
from projects.releases.rules import can_be_agreed, may_receive
from projects.releases.services import agreement_end, agreement_record
from projects.workflow import State
from techniques.core.canonical import canonical_hash
from tests.projects.findings.received.test_samples import START
from tests.projects.rows import change, put, unkept

DAYS = st.dates(date(1990, 1, 1), date(2090, 12, 31))
INTERVALS = [one.value for one in CheckInterval if one]
LOCAL_DATE = timezone.localdate


@given(day=DAYS, months=st.integers(0, 400))
def test_so_many_months_later_is_the_same_day_or_the_last_of_its_month(day, months):
    later = months_later(day, months)
    assert (later.year - day.year) * 12 + later.month - day.month == months
    last = monthrange(later.year, later.month)[1]
    assert later.day == (day.day if day.day <= last else last)


@given(day=DAYS, months=st.sampled_from(INTERVALS), signed=DAYS)
def test_the_next_check_is_never_due_before_it_was_agreed_nor_earlier_than_its_months(day, months, signed):
    due = next_due(day, day, months, signed)
    assert due in (months_later(day, months), signed)
    assert due >= signed
    assert due >= months_later(day, months)
    # A later check never brings the next one forward, and a longer interval neither.
    assert next_due(day, day + timedelta(days=1), months, signed) >= due
    assert [next_due(day, day, one, signed) for one in INTERVALS] == sorted(
        next_due(day, day, one, signed) for one in INTERVALS
    )


@given(day=DAYS, months=st.sampled_from([None, *CheckInterval.values]), signed=DAYS)
def test_the_check_on_receipt_is_due_14_days_after_whatever_else_was_agreed(day, months, signed):
    due = next_due(day, None, months, signed)
    assert due == max(day + timedelta(days=14), signed)
    later = next_due(day, day, months, signed)
    assert (later is None) == (not months), "once it is reported, what was agreed counts"


@pytest.mark.parametrize(
    ("day", "months", "due"),
    [
        (date(2026, 11, 30), 3, date(2027, 2, 28)),
        (date(2027, 11, 30), 3, date(2028, 2, 29)),
        (date(2026, 8, 31), 6, date(2027, 2, 28)),
        (date(2028, 2, 29), 12, date(2029, 2, 28)),
        (date(2026, 12, 31), 12, date(2027, 12, 31)),
    ],
)
def test_at_the_ends_of_months(day, months, due):
    assert next_due(day, day, months, day) == due


def test_no_interval_is_less_often_than_any():
    often = [*INTERVALS, 0]
    assert [is_less_often(one, 3) for one in often] == [False, True, True, True]
    assert [is_less_often(0, one) for one in often] == [True, True, True, False]
    assert not is_less_often(None, 0)
    assert not is_less_often(0, None)
    assert is_less_often(None, 12)


pages = pytest.mark.django_db


@pytest.fixture
def held(story_at):
    return story_at(State.MONITORING, START)


@pytest.fixture
def release(held):
    return Release.objects.get(project=held.project)


def at(monkeypatch, day):
    monkeypatch.setattr(timezone, "localdate", lambda value=None: day if value is None else LOCAL_DATE(value))


def check_of(held):
    (check,) = checks_in(held.project.pk).values()
    return check


def read(client, url):
    return client.get(url, headers={"accept-language": "en"}).content.decode()


def todo(person):
    return [one for one in tasks_of(person) if one.icon == "search"]


def agree_anew(held, people, months, **more):
    """Another agreement with the same recipient for a shorter term, which nobody but its recipient has to take note of."""
    before = Agreement.objects.get(project=held.project, ended_at=None)
    prohibitions = ("prohibits_reidentification", "prohibits_linkage", "prohibits_onward_sharing")
    said = terms_of(before).model_dump() | {"check_months": months} | more
    with store_write(SCAN_PURPOSE) as writer:
        writer.write(SCAN)
    said |= dict.fromkeys(prohibitions, True)
    return agreement_record(
        held.project, recipient=before.recipient, **said, scan=writer.stored, by=people.planner
    )


@pages
def test_what_is_due_reminds_the_recipient_and_nothing_is_refused(held, release, people, monkeypatch):
    first = timezone.localdate(Delivery.objects.exclude(fetched_at=None).earliest("fetched_at").fetched_at)
    assert Agreement.objects.get().check_months == CheckInterval.YEAR, "as the demo agrees it"
    on_receipt = first + ON_RECEIPT
    assert (check_of(held).due_on, check_of(held).last_on) == (on_receipt, None)
    (task,) = todo(people.recipient)
    assert (task.deadline.due, task.tone) == (on_receipt, "warn")
    agree_anew(held, people, 3)
    assert check_of(held).due_on == on_receipt, "the check on receipt is none of those every 3 months"
    at(monkeypatch, on_receipt + timedelta(days=1))
    assert todo(people.recipient)[0].deadline.is_overdue
    assert superiors(todo(people.recipient)[0], people.recipient) == [people.planner]
    sample = sample_draw(release, file=0, size=5, by=people.recipient)
    today = LOCAL_DATE()
    sample_report(sample, checked_on=today, checked=5, deviations={}, by=people.recipient)
    due = months_later(today, 3)
    assert (check_of(held).due_on, check_of(held).last_on) == (due, today)
    at(monkeypatch, due - timedelta(days=15))
    assert todo(people.recipient) == []
    at(monkeypatch, due - timedelta(days=14))
    (task,) = todo(people.recipient)
    assert (task.deadline.due, task.tone) == (due, "warn")
    assert task.url == reverse("recipient_samples:page", args=[release.pk])
    at(monkeypatch, due)
    assert not todo(people.recipient)[0].deadline.is_overdue
    before = may_draw(people.recipient, release), may_receive(people.recipient, release).code
    at(monkeypatch, due + timedelta(days=1))
    (task,) = todo(people.recipient)
    assert (task.deadline.is_overdue, task.tone) == (True, "fail")
    assert superiors(task, people.recipient) == [people.planner]
    assert (may_draw(people.recipient, release), may_receive(people.recipient, release).code) == before
    for who in ("planner", "executor", "supervisor", "outsider"):
        assert todo(getattr(people, who)) == []


@pages
def test_who_sees_the_recipients_sees_who_is_late(held, release, people, monkeypatch, client):
    agree_anew(held, people, 3)
    due = check_of(held).due_on
    page, register = reverse("releases:page", args=[held.project.pk]), reverse("board:register")
    api = reverse("api:agreements", args=[held.project.pk])
    said = {"days": "Check of samples overdue since " + due.isoformat(), "none": "No check reported yet"}
    client.force_login(people.planner)
    shown = read(client, page)
    assert f"Next check of samples due {due}" in shown
    assert "On receipt and every 3 months" in shown
    assert said["none"] in shown
    assert said["days"] not in shown
    at(monkeypatch, due + timedelta(days=2))
    for who in ("planner", "supervisor"):
        client.force_login(getattr(people, who))
        assert said["days"] in read(client, page)
        assert said["days"] in read(client, register)
    now, earlier = client.get(api).json()
    first = check_of(held).fetched_on.isoformat()
    assert now["check_months"] == 3
    assert now["check"] == {"fetched_on": first, "last_on": None, "due_on": due.isoformat()}
    assert (earlier["check_months"], earlier["check"]) == (12, None), "it has ended"
    client.force_login(people.recipient)
    samples = read(client, reverse("recipient_samples:page", args=[release.pk]))
    assert "2 days overdue" in samples
    answer = client.get(reverse("api:receive-detail", args=[release.pk])).json()
    assert (answer["check_months"], answer["check"]) == (3, now["check"])


@pages
def test_the_next_check_counts_from_the_last_that_was_reported(held, release, people, monkeypatch):
    agree_anew(held, people, 3)
    today = timezone.localdate()
    sample = sample_draw(release, file=0, size=5, by=people.recipient)
    assert check_of(held).last_on is None, "drawn, not reported"
    sample_report(sample, checked_on=today, checked=5, deviations={}, by=people.recipient)
    assert (check_of(held).last_on, check_of(held).due_on) == (today, months_later(today, 3))
    # A day on which nothing was reported does not count, a report about a later day does.
    late = months_later(today, 3) + timedelta(days=1)
    at(monkeypatch, late)
    assert len(todo(people.recipient)) == 1
    again = sample_draw(release, file=0, size=5, by=people.recipient)
    assert len(todo(people.recipient)) == 1
    sample_report(again, checked_on=late, checked=5, deviations={}, by=people.recipient)
    assert todo(people.recipient) == []
    assert check_of(held).due_on == months_later(late, 3)


@pages
def test_nothing_is_due_of_what_was_never_agreed_and_of_what_is_not_held(held, release, people):
    agree_anew(held, people, CheckInterval.QUARTER)
    assert len(checks_in(held.project.pk)) == 1
    with unkept():
        for one in Delivery.objects.filter(release=release):
            change(one, fetched_at=None, status="expired")
        assert checks_in(held.project.pk) == {}
    with unkept():
        put(CopyStatement, release=release, recipient=people.recipient, how="wiped")
        assert checks_in(held.project.pk) == {}
    with unkept():
        agreement_end(Agreement.objects.get(ended_at=None), why="over", by=people.planner)
        assert checks_in(held.project.pk) == {}
    with unkept():
        held.close()
        assert checks_in(held.project.pk) == {}
    for months in (0, None):
        agreed = Agreement(check_months=months, signed_on=date(2020, 1, 1))
        checks = [Check(agreed, release.pk, date(2020, 1, 1), last) for last in (None, date(2020, 1, 3))]
        assert [one.due_on for one in checks] == [date(2020, 1, 15), None], "the one on receipt, and no other"


@pages
def test_fewer_checks_of_a_live_release_are_a_change_and_more_are_not(held, people):
    agree_anew(held, people, 6)
    for months in (12, 0, None):
        with pytest.raises(Refused, match="needs_approval"):
            agree_anew(held, people, months)
    terms = terms_of(Agreement.objects.get(ended_at=None))
    with store_write(SCAN_PURPOSE) as writer:
        writer.write(SCAN)
    fewer = terms.model_copy(update={"check_months": CheckInterval.YEAR})
    asked = {"recipient": people.recipient, "scan": writer.stored, "by": people.planner}
    with pytest.raises(Refused, match="nothing_asked"):
        change_propose(held.project, terms=terms, **asked)
    asking = change_propose(held.project, terms=fewer, **asked)
    assert asking.asks == ["checks"]
    rows = {str(row.label): row for row in terms_rows(fewer, Agreement.objects.get(ended_at=None))}
    assert rows[gettext("Checks of samples by the recipient")].differs
    change_decide(asking, approve=True, reason="so", seen_hash=asking.content_hash, by=people.management)
    now = Agreement.objects.get(ended_at=None)
    assert now.check_months == CheckInterval.YEAR
    event = AuditEvent.objects.filter(action="recipient_change.proposed").latest("seq")
    assert event.facts["check_months"] == 12
    recorded = AuditEvent.objects.filter(action="agreement.recorded").latest("seq")
    assert recorded.facts["check_months"] == 6


@pages
def test_what_was_accepted_before_it_was_asked_keeps_its_hash_and_says_that_nothing_was_agreed(held):
    agreement = Agreement.objects.get()
    agreement.check_months = None
    said = terms_of(agreement).model_dump(mode="json")
    assert said.pop("check_months") is None
    assert terms_hash(agreement) == canonical_hash([said, agreement.scan_sha256])
    hashes = {terms_hash(agreement)}
    for one in CheckInterval:
        agreement.check_months = one
        hashes.add(terms_hash(agreement))
    assert len(hashes) == 5, "each of them is another thing to accept"
    with translation.override("en"):
        assert interval_text(None) == "On receipt only, as no interval was agreed"
        assert interval_text(0) == "On receipt only"


@pages
def test_of_an_enclave_no_interval_is_agreed(held, people):
    project = held.project
    project.sharing_type = SharingType.ENCLAVE
    for months in CheckInterval:
        with pytest.raises(Refused, match="nothing_held"):
            can_be_agreed(project, months).require()
    assert can_be_agreed(project, None)
    assert "check_months" not in AgreementForm(project=project).fields
    assert AgreementForm(project=held.project, data={"check_months": "3"}).fields["check_months"]
    held.project.refresh_from_db()
    form = AgreementForm(project=held.project)
    assert form["check_months"].value() == CheckInterval.YEAR

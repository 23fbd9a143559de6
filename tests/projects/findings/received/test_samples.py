"""A recipient checks samples of what they fetched; what they find is closed once what they did is confirmed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.core.models import Notification
from projects.core.services import member_end
from projects.core.tasks_registry import tasks_of
from projects.findings import events
from projects.findings.draw import rows_drawn
from projects.findings.enums import FindingSeverity, FindingSource, FindingStatus
from projects.findings.models import Finding
from projects.findings.received.enums import DeviationKind, RemedyKind, RemedyState, SampleOutcome
from projects.findings.received.models import ReceivedSample, RecipientRemedy, SampleDeviation
from projects.findings.received.presentation import numbers_of
from projects.findings.received.rules import MOST_ROWS
from projects.findings.received.services import (
    DAYS,
    remedy_decide,
    remedy_record,
    remedy_record_in_stead,
    sample_draw,
    sample_report,
)
from projects.findings.services import finding_act, finding_check
from projects.monitoring.enums import ChangeKind
from projects.monitoring.models import ChangeEvent
from projects.releases.deliveries.copies.services import copy_state
from projects.releases.models import Release
from projects.releases.services import release_end
from projects.workflow import Stage, State
from tests.projects.releases import stories

pytestmark = pytest.mark.django_db


def START(people):
    """Released, and fetched by its recipient."""
    story = stories.released(people)
    story.fetch()
    return story


@pytest.fixture
def fetched(story_at):
    return story_at(State.MONITORING, START)


@pytest.fixture
def release(fetched):
    return Release.objects.get(project=fetched.project)


@pytest.fixture
def sample(release, people):
    return sample_draw(release, file=0, size=20, by=people.recipient)


def from_today(given):
    """A distance is counted from the day of the test and not of the run, which may go over midnight."""
    return {
        key: timezone.localdate() + value if isinstance(value, timedelta) else value
        for key, value in given.items()
    }


def report(sample, people, by=None, **given):
    said = {
        "checked_on": timezone.localdate(),
        "checked": 20,
        "deviations": {DeviationKind.IDENTIFIER: "Column 3 of row 17 holds a name."},
    }
    return sample_report(sample, **said | given, by=by or people.recipient)


@pytest.fixture
def deviation(sample, people):
    report(sample, people)
    return SampleDeviation.objects.select_related("ticket").get()


def state_remedy(deviation, people, **given):
    said = {"kind": RemedyKind.DELETED, "text": "The file was overwritten.", "done_on": timezone.localdate()}
    return remedy_record(deviation, **said | given, by=people.recipient)


def acted(ticket, people):
    return finding_act(ticket, action="The column is treated in the next release.", by=people.planner)


def test_anybody_can_repeat_the_draw():
    assert rows_drawn(1000, seed="00ff", size=5) == rows_drawn(1000, seed="00ff", size=7)[:5]
    # SHA-256 of 00ff:1, 00ff:2 …, the remainder by 1000 and 1.
    assert rows_drawn(1000, seed="00ff", size=3) == [374, 743, 773]
    assert sorted(rows_drawn(7, seed="00ff", size=20)) == [1, 2, 3, 4, 5, 6, 7]
    assert rows_drawn(0, seed="00ff", size=3) == []


def test_row_numbers_are_drawn_and_no_value_is_shown(sample, release, people):
    assert (sample.rows, sample.size, sample.number) == (release.files[0]["rows"], 20, 1)
    numbers = numbers_of(sample)
    assert len({*numbers}) == 20
    assert 1 <= numbers[0] < numbers[-1] <= sample.rows
    event = AuditEvent.objects.get(action="received_sample.drawn")
    assert event.facts == event.facts | {"sample": 20, "rows": sample.rows, "seed": sample.seed}
    with pytest.raises(Refused, match="sample_waits"):
        sample_draw(release, file=0, size=20, by=people.recipient)
    report(sample, people, deviations={})
    assert sample_draw(release, file=0, size=20, by=people.recipient).number == 2


@pytest.mark.parametrize(
    ("file", "size", "code"),
    [(1, 20, "sample_file_unknown"), (0, 0, "sample_size"), (0, MOST_ROWS + 1, "sample_size")],
)
def test_what_cannot_be_drawn(release, people, file, size, code):
    with pytest.raises(Refused, match=code):
        sample_draw(release, file=file, size=size, by=people.recipient)
    assert not ReceivedSample.objects.exists()


def test_only_who_fetched_it_draws_until_the_copy_is_destroyed(fetched, release, people):
    for one in (people.planner, people.supervisor, people.outsider):
        with pytest.raises(Refused, match="sample_not_fetched"):
            sample_draw(release, file=0, size=1, by=one)
    # A release that has ended is checked as well.
    fetched.close()
    release.refresh_from_db()
    report(sample_draw(release, file=0, size=1, by=people.recipient), people, checked=1, deviations={})
    copy_state(release, how="wiped", by=people.recipient)
    with pytest.raises(Refused, match="sample_destroyed"):
        sample_draw(release, file=0, size=1, by=people.recipient)


def test_nothing_found_is_a_report_too(sample, people, fetched):
    done = report(sample, people, deviations={})
    assert (done.outcome, done.checked) == (SampleOutcome.NOTHING, 20)
    assert not Finding.objects.filter(project=fetched.project).exists()
    with pytest.raises(Refused, match="sample_reported"):
        report(sample, people)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"checked_on": timedelta(days=1)}, "sample_day"),
        ({"checked_on": timedelta(days=-1)}, "sample_day"),
        ({"checked": 21}, "sample_checked"),
        ({"checked": 0}, "sample_checked"),
        ({"deviations": {DeviationKind.OTHER: "  "}}, "sample_text_needed"),
        ({"deviations": {DeviationKind.OTHER: "110101199003078515"}}, "personal_in_text"),
    ],
)
def test_a_report_says_when_how_much_and_nobody(sample, people, given, code):
    with pytest.raises(Refused, match=code):
        report(sample, people, **from_today(given))
    sample.refresh_from_db()
    assert sample.outcome == SampleOutcome.OPEN


def test_another_does_not_report(sample, people):
    with pytest.raises(Refused, match="sample_not_yours"):
        report(sample, people, by=people.supervisor)


@pytest.mark.parametrize(
    ("kind", "severity"),
    [
        (DeviationKind.RECOGNISED, FindingSeverity.CRITICAL),
        (DeviationKind.ADDED, FindingSeverity.CRITICAL),
        (DeviationKind.IDENTIFIER, FindingSeverity.MAJOR),
        (DeviationKind.CONTENT, FindingSeverity.MINOR),
        (DeviationKind.OTHER, FindingSeverity.MINOR),
    ],
)
def test_what_was_found_becomes_a_finding_of_the_planner(sample, people, fetched, kind, severity):
    report(sample, people, deviations={kind: "Row 17."})
    ticket = Finding.objects.get(project=fetched.project)
    assert (ticket.source, ticket.origin_id, ticket.stage) == (
        FindingSource.RECEIVED,
        sample.pk,
        Stage.RELEASE,
    )
    assert (ticket.owner, ticket.raised_by, ticket.severity) == (people.planner, people.recipient, severity)
    assert ticket.due_on == timezone.localdate() + timedelta(days=DAYS)
    assert ticket.deviation.sample == sample
    for language in ("en", "zh-hans"):
        with override(language):
            assert ticket.headline == str(kind.label), "each reader has it in their language"
    recorded = AuditEvent.objects.filter(action=events.RAISED, project_id=fetched.project.pk).latest("seq")
    with override(settings.LANGUAGE_CODE):
        assert recorded.facts["title"] == str(kind.label)


@pytest.mark.parametrize("kind", DeviationKind)
def test_only_that_identifiers_were_added_has_it_evaluated_anew(sample, people, fetched, kind):
    """T/ISC 0078 11.1 d: where the data are now, their recipient is the one who knows."""
    report(sample, people, deviations={kind: "Column 3 was joined with a list."})
    found = ChangeEvent.objects.filter(kind=ChangeKind.IDENTIFIERS)
    assert found.exists() == (kind == DeviationKind.ADDED)
    if found:
        change = found.get()
        assert (change.project, change.reported_by) == (fetched.project, None)
        assert change.reassessment.is_open
        assert str(Finding.objects.get().number) in change.said
        assert "Column 3" not in change.said


def test_one_look_back_is_enough_until_it_is_concluded(sample, release, people, fetched):
    for one in (sample, None):
        again = one or sample_draw(release, file=0, size=20, by=people.recipient)
        report(again, people, deviations={DeviationKind.ADDED: "Column 3 was joined with a list."})
    assert Finding.objects.count() == 2
    assert ChangeEvent.objects.count() == 1


def test_of_a_release_that_has_ended_nothing_is_evaluated_anew(sample, people, fetched):
    release_end(sample.release, why="no longer needed", by=people.supervisor)
    sample.release.refresh_from_db()
    report(sample, people, deviations={DeviationKind.ADDED: "Column 3 was joined with a list."})
    assert Finding.objects.get().severity == FindingSeverity.CRITICAL
    assert not ChangeEvent.objects.exists()


def test_supervisor_and_planner_are_notified(sample, people, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        report(sample, people)
    reached = Notification.objects.filter(action="received_sample.deviated").values_list("user", flat=True)
    assert {*reached} == {people.planner.pk, people.supervisor.pk}


def test_it_is_closed_once_the_supervisor_has_confirmed_the_remedy(deviation, people):
    ticket = acted(deviation.ticket, people)
    with pytest.raises(Refused, match="remedy_not_confirmed"):
        finding_check(ticket, effective=True, remark="seen", by=people.supervisor)
    state_remedy(deviation, people)
    with pytest.raises(Refused, match="recipient_remedy_waits"):
        state_remedy(deviation, people)
    for nobody in (people.planner, people.recipient, people.management):
        with pytest.raises(Refused, match="not_your_role"):
            remedy_decide(deviation, confirm=True, reason="so it is", by=nobody)
    with pytest.raises(Refused, match="remedy_not_confirmed"):
        finding_check(ticket, effective=True, remark="seen", by=people.supervisor)
    # Asked again, with a reason, and stated anew.
    again = remedy_decide(deviation, confirm=False, reason="And the backup?", by=people.supervisor)
    assert (again.state, again.reason) == (RemedyState.AGAIN, "And the backup?")
    state_remedy(deviation, people, text="The backup, too.")
    remedy_decide(deviation, confirm=True, reason="A protocol was shown.", by=people.supervisor)
    with pytest.raises(Refused, match="recipient_remedy_confirmed"):
        state_remedy(deviation, people)
    with pytest.raises(Refused, match="recipient_remedy_confirmed"):
        remedy_decide(deviation, confirm=False, reason="or not", by=people.supervisor)
    closed = finding_check(ticket, effective=True, remark="seen", by=people.supervisor)
    assert closed.status == FindingStatus.CLOSED
    events = AuditEvent.objects.filter(action__startswith="recipient_remedy.").order_by("seq")
    assert [one.action.partition(".")[2] for one in events] == ["recorded", "again", "recorded", "confirmed"]


def gone(people):
    people.recipient.is_active = False
    people.recipient.save()


def in_stead(deviation, by, **given):
    said = {"kind": RemedyKind.UNCLEAR, "text": "Letters came back.", "done_on": timezone.localdate()}
    return remedy_record_in_stead(deviation, **said | {"stead_reason": "They left."} | given, by=by)


def test_the_planner_states_it_for_a_recipient_who_is_gone_and_only_then(deviation, people):
    with pytest.raises(Refused, match="recipient_can_state"):
        in_stead(deviation, people.planner)
    with pytest.raises(Refused, match="recipient_remedy_not_known"):
        state_remedy(deviation, people, kind=RemedyKind.UNCLEAR)
    gone(people)
    for nobody in (people.supervisor, people.management, people.executor):
        with pytest.raises(Refused, match="not_your_role"):
            in_stead(deviation, nobody)
    with pytest.raises(Refused, match="sample_text_needed"):
        in_stead(deviation, people.planner, stead_reason=" ")
    made = in_stead(deviation, people.planner)
    assert (made.recorded_by, made.stead_reason) == (people.planner, "They left.")
    event = AuditEvent.objects.get(action="recipient_remedy.in_stead")
    assert event.facts["recipient_remedy"] == "unclear"
    with pytest.raises(Refused, match="recipient_remedy_waits"):
        in_stead(deviation, people.planner)
    with pytest.raises(Refused, match="not_your_role"):
        remedy_decide(deviation, confirm=True, reason="so it is", by=people.planner)
    remedy_decide(deviation, confirm=True, reason="Seen.", by=people.supervisor)
    ticket = acted(deviation.ticket, people)
    closed = finding_check(ticket, effective=True, remark="seen", by=people.supervisor)
    assert closed.status == FindingStatus.CLOSED


def test_the_planner_may_state_it_where_the_role_has_ended(deviation, people):
    role = deviation.ticket.project.memberships.get(user=people.recipient)
    member_end(role, by=people.planner)
    assert in_stead(deviation, people.planner, kind=RemedyKind.RETURNED).kind == RemedyKind.RETURNED


def test_the_planners_pages_when_the_recipient_is_gone(deviation, people, client):
    client.force_login(people.planner)
    detail = reverse("findings:detail", args=[deviation.project_id, deviation.ticket_id])
    stead = reverse("findings:remedy_in_stead", args=[deviation.project_id, deviation.ticket_id])
    assert stead not in client.get(detail).content.decode()
    assert detail not in [one.url for one in tasks_of(people.planner) if one.rank == 22]
    gone(people)
    assert stead in client.get(detail).content.decode()
    assert detail in [one.url for one in tasks_of(people.planner) if one.rank == 22]
    said = {"kind": "deleted", "text": "Seen on site.", "done_on": timezone.localdate().isoformat()}
    assert client.post(stead, said).status_code == 422
    assert client.post(stead, said | {"stead_reason": "They left."}).status_code == 302
    shown = client.get(detail).content.decode()
    assert "They left." in shown
    assert stead not in shown
    remedy_decide(deviation, confirm=False, reason="By whom?", by=people.supervisor)
    api = reverse("api:findings-remedy-in-stead", args=[deviation.project_id, deviation.ticket_id])
    assert client.post(api, said, content_type="application/json").status_code == 400
    sent = said | {"stead_reason": "They left."}
    assert client.post(api, sent, content_type="application/json").json()["stead_reason"] == "They left."


def test_what_did_not_help_is_opened_again_without_a_remedy(deviation, people):
    again = finding_check(acted(deviation.ticket, people), effective=False, remark="no", by=people.supervisor)
    assert again.status == FindingStatus.OPEN


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"done_on": timedelta(days=1)}, "recipient_remedy_day"),
        ({"done_on": timedelta(days=-1)}, "recipient_remedy_day"),
        ({"text": " "}, "sample_text_needed"),
        ({"text": "110101199003078515"}, "personal_in_text"),
    ],
)
def test_a_remedy_says_what_and_when(deviation, people, given, code):
    with pytest.raises(Refused, match=code):
        state_remedy(deviation, people, **from_today(given))
    with pytest.raises(Refused, match="recipient_remedy_missing"):
        remedy_decide(deviation, confirm=True, reason="so it is", by=people.supervisor)


def test_each_finds_what_is_to_be_done_on_the_home_page(deviation, people):
    def due(person):
        return [one.url for one in tasks_of(person) if one.hint == deviation.get_kind_display()]

    mine = reverse("recipient_samples:sample", args=[deviation.sample.release_id, deviation.sample_id])
    ticket = reverse("findings:detail", args=[deviation.project_id, deviation.ticket_id])
    assert (due(people.recipient), due(people.supervisor)) == ([mine], [])
    state_remedy(deviation, people)
    assert (due(people.recipient), due(people.supervisor)) == ([], [ticket])
    remedy_decide(deviation, confirm=False, reason="And the backup?", by=people.supervisor)
    assert (due(people.recipient), due(people.supervisor)) == ([mine], [])
    state_remedy(deviation, people)
    remedy_decide(deviation, confirm=True, reason="Seen.", by=people.supervisor)
    assert (due(people.recipient), due(people.supervisor)) == ([], [])


def test_the_pages_from_the_draw_to_the_confirmation(release, people, client):
    client.force_login(people.recipient)
    page = reverse("recipient_samples:page", args=[release.pk])
    assert client.post(page, {"file": 0, "size": MOST_ROWS + 1}).status_code == 422
    assert client.post(page, {"file": 0, "size": 5}).status_code == 302
    sample = ReceivedSample.objects.get()
    where = reverse("recipient_samples:sample", args=[release.pk, sample.pk])
    assert where in client.get(page).content.decode()
    shown = client.get(where).content.decode()
    assert ", ".join(map(str, numbers_of(sample))) in shown
    said = {"checked_on": timezone.localdate().isoformat(), "checked": 5}
    assert client.post(where, said).status_code == 422, "neither found nor not"
    assert client.post(where, said | {"nothing": "on", "other": "x"}).status_code == 422
    assert client.post(where, said | {"recognised": "Row 17, by the rare profession."}).status_code == 302
    deviation = SampleDeviation.objects.get()
    remedy = reverse("recipient_samples:remedy", args=[release.pk, deviation.pk])
    assert client.post(remedy, {"kind": "deleted", "text": "", "done_on": ""}).status_code == 422
    done = {"kind": "deleted", "text": "All copies.", "done_on": timezone.localdate().isoformat()}
    assert client.post(remedy, done).status_code == 302
    assert "All copies." in client.get(where).content.decode()
    client.force_login(people.supervisor)
    project = release.project_id
    assert str(sample) in client.get(reverse("findings:page", args=[project])).content.decode()
    detail = reverse("findings:detail", args=[project, deviation.ticket_id])
    assert "All copies." in client.get(detail).content.decode()
    decide = reverse("findings:remedy", args=[project, deviation.ticket_id])
    assert client.post(decide, {"decision": "confirm", "reason": ""}).status_code == 422
    assert client.post(decide, {"decision": "confirm", "reason": "Seen."}).status_code == 302
    assert RecipientRemedy.objects.get().state == RemedyState.CONFIRMED


def test_the_close_button_waits_for_the_remedy(deviation, people, client):
    ticket = acted(deviation.ticket, people)
    client.force_login(people.supervisor)
    detail = reverse("findings:detail", args=[deviation.project_id, ticket.pk])
    assert 'value="effective"' not in client.get(detail).content.decode()
    state_remedy(deviation, people)
    remedy_decide(deviation, confirm=True, reason="Seen.", by=people.supervisor)
    assert 'value="effective"' in client.get(detail).content.decode()


def test_programs_do_the_same(release, people, client):
    client.force_login(people.recipient)
    url = reverse("api:receive-samples", args=[release.pk])
    made = client.post(url, {"size": 5}, content_type="application/json")
    assert made.status_code == 201
    assert len(made.json()["numbers"]) == 5
    one = reverse("api:receive-sample", args=[release.pk, made.json()["id"]])
    row = {"kind": "content", "text": "A column is missing."}
    sent = {"checked_on": timezone.localdate().isoformat(), "checked": 5, "deviations": [row, row]}
    assert client.post(one, sent, content_type="application/json").status_code == 400
    sent["deviations"] = [row]
    answered = client.post(one, sent, content_type="application/json").json()
    (found,) = answered["deviations"]
    remedy = reverse("api:receive-sample-remedy", args=[release.pk, found["id"]])
    done = {"kind": "kept", "text": "Not needed.", "done_on": timezone.localdate().isoformat()}
    assert client.post(remedy, done, content_type="application/json").status_code == 201
    client.force_login(people.supervisor)
    decide = reverse("api:findings-remedy", args=[release.project_id, found["finding"]])
    decided = client.post(decide, {"confirm": True, "reason": "So it is."}, content_type="application/json")
    assert decided.json()["state"] == "confirmed"
    (listed,) = client.get(reverse("api:findings-samples", args=[release.project_id])).json()
    assert listed["deviations"][0]["remedies"][0]["reason"] == "So it is."
    # A sample is its recipient's; who looks into the project finds it there.
    assert client.get(one).status_code == 404

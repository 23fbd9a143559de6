"""Releases made outside the portal: who records them, what can be taken down, and that nothing of it is edited in silence."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override
from rest_framework.test import APIClient

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from approvals.governance.verdict import Refused
from deid_portal.accounts.events import USER_EDITED
from projects.releases.relatives.outside.models import OutsideRelease
from projects.releases.relatives.outside.rules import may_read_outside
from projects.releases.relatives.outside.selectors import outside_seen
from projects.releases.relatives.outside.services import outside_correct, outside_record, outside_withdraw

from .steps import facts, recorded, sent

pytestmark = pytest.mark.django_db
PAGE, API = reverse("board:register"), reverse("api:outside")


@pytest.fixture
def entry(people):
    return recorded(people)


def page(client, user, address=PAGE, **query):
    client.force_login(user)
    return client.get(address, query, headers={"accept-language": "en"})


def posted(client, user, address, **body):
    client.force_login(user)
    return client.post(address, body, headers={"accept-language": "en"})


def test_a_planning_manager_records_one_and_the_log_says_so(people):
    made = recorded(people, columns=[" 性别 ", "年龄"], sha256=" " + "AB" * 32)
    assert (made.mark, str(made)) == ("O-1", "O-1 Visits for the city")
    assert (made.columns, made.sha256) == (["性别", "年龄"], "ab" * 32)
    assert made.content_hash == made.hash_of_content()
    assert made.in_force
    event = AuditEvent.objects.get(action="outside_release.recorded")
    assert event.facts == {"columns": 2, "notified": 0}
    assert recorded(people, name="Another").mark == "O-2"


@pytest.mark.parametrize(
    "who", ["executor", "supervisor", "management", "auditor", "recipient", "administrator"]
)
def test_nobody_else_records_corrects_or_withdraws(people, entry, who):
    by = getattr(people, who)
    acts = (
        lambda: outside_record(facts(name="Another"), by=by),
        lambda: outside_correct(entry, facts(name="Another"), reason="so", by=by),
        lambda: outside_withdraw(entry, reason="so", by=by),
    )
    for act in acts:
        with pytest.raises(Refused, match="outside_not_a_planner"):
            act()
    assert OutsideRelease.objects.get() == entry
    assert OutsideRelease.objects.get().withdrawn_at is None


def test_who_reads_them(people, entry, client):
    readers = ("planner", "supervisor", "management", "auditor", "outsider")
    for who in (
        "planner",
        "executor",
        "supervisor",
        "management",
        "auditor",
        "recipient",
        "administrator",
        "outsider",
    ):
        user = getattr(people, who)
        assert bool(may_read_outside(user)) is (who in readers), who
        assert outside_seen(user).exists() is (who in readers), who
    text = page(client, people.auditor).content.decode()
    assert "Outside the portal" in text
    assert "City health office" in text
    assert "Record a release" not in text
    assert "City health office" not in page(client, people.executor).content.decode()


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("released_on", timezone.localdate() + timedelta(days=1), "in the future"),
        ("valid_until", timezone.localdate() - timedelta(days=31), "before the day"),
        ("sha256", "no hash", "64 hexadecimal"),
        ("sha256", "a" * 63, "64 hexadecimal"),
        ("columns", [], "one column"),
        ("columns", ["a", "A"], "more than once: A"),
        ("columns", ["a", " "], "empty"),
        ("columns", ["a\x07"], "control characters"),
        ("columns", ["a" * 201], "200"),
        ("columns", [f"c{n}" for n in range(501)], "500"),
        ("subject_columns", ["a", "a"], "more than once: a"),
        ("name", "a\x1bb", "control characters"),
        ("evidence", "a\nb", "control characters"),
    ],
)
def test_what_cannot_be_taken_down_is_refused_by_its_field(people, field, value, said):
    with override("en"), pytest.raises(ValidationError) as wrong:
        recorded(people, **{field: value})
    assert list(wrong.value.message_dict) == [field]
    assert said in wrong.value.message_dict[field][0]
    assert not OutsideRelease.objects.exists()
    assert not AuditEvent.objects.filter(action__startswith="outside_release").exists()


def test_the_form_says_what_is_wrong_and_keeps_what_was_written(people, client):
    address = reverse("board:outside_record")
    tomorrow = (timezone.localdate() + timedelta(days=1)).isoformat()
    answer = posted(
        client, people.planner, address, **sent(released_on=tomorrow, columns="a\r\nb\r\nA", sha256="x")
    )
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"released_on", "columns", "sha256"}
    assert "City health office" in answer.content.decode()
    assert posted(client, people.planner, address).status_code == 422
    assert posted(client, people.executor, address, **sent()).status_code == 403
    assert not OutsideRelease.objects.exists()


def test_hostile_names_are_shown_as_they_are(people, client):
    names = [
        "<script>alert(1)</script>",
        "占比%",
        "%s %(a)s",
        "=1+1",
        "\u202eعربي",
        "a,b;c|d",
        "👩‍⚕️ 😀",
        "{{ x }}",
    ]
    answer = posted(
        client,
        people.planner,
        reverse("board:outside_record"),
        **sent(name="<i x=1> %s", columns="\n".join(names)),
    )
    made = OutsideRelease.objects.get()
    assert answer.url == reverse("board:outside", args=[made.pk])
    assert made.columns == names
    for address in (answer.url, PAGE, reverse("board:outside_correct", args=[made.pk])):
        text = page(client, people.planner, address).content.decode()
        assert "<script>alert" not in text
        assert "<i x=1>" not in text
        assert "&lt;script&gt;alert(1)" in text


def test_a_correction_keeps_what_it_corrects(people, entry, client):
    address = reverse("board:outside_correct", args=[entry.pk])
    assert page(client, people.planner, address).context["form"].initial["columns"] == "a\nb\nc"
    body = sent(columns="a\nb\nc\nd")
    assert posted(client, people.planner, address, **body).status_code == 422, "a reason is needed"
    answer = posted(client, people.planner, address, **body, reason="A column was forgotten.")
    old, new = OutsideRelease.objects.order_by("number")
    assert answer.url == reverse("board:outside", args=[new.pk])
    assert (old.columns, old.withdrawn_by, old.withdrawn_why) == (
        ["a", "b", "c"],
        people.planner,
        "A column was forgotten.",
    )
    assert (new.columns, new.replaces) == (["a", "b", "c", "d"], old)
    event = AuditEvent.objects.get(action="outside_release.corrected")
    assert (event.reason, event.facts["replaces"]) == ("A column was forgotten.", "O-1")
    assert list(outside_seen(people.planner)) == [new]
    assert str(new) in page(client, people.planner, reverse("board:outside", args=[old.pk])).content.decode()
    with pytest.raises(Refused, match="outside_withdrawn"):
        outside_correct(old, facts(), reason="again", by=people.planner)
    with pytest.raises(Refused, match="outside_nothing_changed"):
        outside_correct(new, facts(columns=["a", "b", "c", "d"]), reason="again", by=people.planner)
    new.refresh_from_db()
    assert new.withdrawn_at is None, "what is refused leaves nothing behind"


def test_a_withdrawal_has_a_reason_and_the_entry_stays(people, entry, client):
    address = reverse("board:outside_withdraw", args=[entry.pk])
    assert posted(client, people.planner, address).status_code == 422
    with pytest.raises(Refused, match="outside_text_needed"):
        outside_withdraw(entry, reason="  ", by=people.planner)
    assert posted(client, people.planner, address, reason="It never happened.").status_code == 302
    assert not outside_seen(people.planner).exists()
    assert [one.mark for one in outside_seen(people.planner, over=True)] == ["O-1"]
    assert "It never happened." in page(client, people.planner, over="on").content.decode()
    assert posted(client, people.planner, address, reason="Twice.").status_code == 403
    event = AuditEvent.objects.get(action="outside_release.withdrawn")
    assert event.reason == "It never happened."


def test_past_the_portal_neither_rewritten_nor_deleted(people, entry):
    rows = OutsideRelease.objects.filter(pk=entry.pk)
    for alter in (
        lambda: rows.update(columns=["x"]),
        lambda: rows.update(valid_until=timezone.localdate()),
        lambda: rows.update(withdrawn_at=timezone.now()),
        rows.delete,
    ):
        with pytest.raises(IntegrityError), transaction.atomic(), recording(USER_EDITED, by=None):
            alter()
    given = {
        name: getattr(entry, name) for name in ("name", "source", "released_on", "recipients", "columns")
    }
    given |= {"sharing_type": "public", "evidence": "x", "why_outside": "x", "content_hash": "x"}
    with (
        pytest.raises(IntegrityError, match="withdrawn"),
        transaction.atomic(),
        recording(USER_EDITED, by=None),
    ):
        OutsideRelease.objects.create(number=9, replaces=entry, recorded_by=people.planner, **given)


@pytest.mark.parametrize(
    ("q", "found"), [("city", 1), ("register of somebody", 1), ("O-1", 1), ("o-2", 0), ("nobody", 0)]
)
def test_it_is_searched_by_name_source_recipient_and_mark(people, entry, client, q, found):
    assert outside_seen(people.auditor, q=q).count() == found
    assert len(page(client, people.auditor, q=q).context["outside_rows"]) == found


def test_one_whose_term_is_over_stands_there_for_who_wants_it(people):
    recorded(people, valid_until=timezone.localdate() - timedelta(days=1))
    assert not outside_seen(people.planner).exists()
    (one,) = outside_seen(people.planner, over=True)
    assert not one.in_force


def test_programs_read_and_record_the_same(people, entry):
    caller = APIClient()
    caller.force_authenticate(people.planner)
    (row,) = caller.get(API, {"q": "city"}).json()["results"]
    assert (row["mark"], row["columns"]) == ("O-1", ["a", "b", "c"])
    assert caller.get(API, {"over": "perhaps"}).status_code == 400
    body = sent() | {"columns": ["a", "A"]}
    wrong = caller.post(API, body, format="json")
    assert (wrong.status_code, list(wrong.json()["errors"])) == (400, ["columns"])
    assert caller.post(API, body | {"columns": "a"}, format="json").status_code == 400
    made = caller.post(API, body | {"columns": ["a", "b"]}, format="json")
    assert (made.status_code, made.json()["mark"]) == (201, "O-2")
    one = reverse("api:outside-correct", args=[made.json()["id"]])
    new = caller.post(one, body | {"columns": ["a"], "reason": "no b"}, format="json").json()
    assert (new["mark"], new["replaces"]) == ("O-3", made.json()["id"])
    gone = caller.post(reverse("api:outside-withdraw", args=[new["id"]]), {"reason": "never"}, format="json")
    assert gone.json()["withdrawn_why"] == "never"
    assert caller.get(reverse("api:outside-entry", args=[new["id"]])).json() == gone.json()
    caller.force_authenticate(people.executor)
    assert caller.get(API).status_code == 403
    assert caller.post(API, body, format="json").status_code == 403

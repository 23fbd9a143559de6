"""Drafts of forms (ADR 16): what is kept, for whom, what never is, and when it goes."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
import time_machine
from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone

from approvals.audit.models import AuditEvent
from deid_portal.accounts.leaving.services import leaving_record
from projects.core.drafts.forms import KEPT_FORMS, KeptForm
from projects.core.drafts.models import FormDraft, SavedForm
from projects.core.drafts.services import KEPT_DAYS, drafts_expire
from projects.core.forms import SignedForm
from projects.datasets.tasks import sweep
from projects.findings.models import Finding

pytestmark = pytest.mark.django_db
HALF = "半句话，还没有写完"


class Kept(NamedTuple):
    """A form that keeps drafts: its name among them, its address, who fills it in, who may not, and a field of it with words."""

    name: str
    address: str
    who: str
    other: str
    field: str
    arguments: tuple[Any, ...] = ()
    in_project: bool = False


IN_PROJECT = [
    Kept("core.assessment_order", "core:assessments", "supervisor", "executor", "covers"),
    Kept("core.comment", "core:comments", "executor", "auditor", "text", ("objective",)),
    Kept("findings.finding", "findings:raise", "supervisor", "executor", "description"),
    Kept("incidents.incident", "incidents:page", "executor", "outsider", "description"),
    Kept("objective.need", "objective:need", "executor", "supervisor", "benefit"),
]
OF_ORGANISATION = [
    Kept("core.project", "core:project_create", "planner", "executor", "summary"),
    Kept("organisation.clauses", "organisation:clauses", "planner", "executor", "reason"),
    Kept(
        "organisation.checklist", "organisation:checklist", "planner", "executor", "reason", ("processing",)
    ),
    Kept("organisation.grading", "organisation:grading", "planner", "executor", "reason"),
    Kept("organisation.retention", "organisation:retention", "planner", "executor", "reason"),
    Kept("organisation.signers", "organisation:signers", "planner", "executor", "reason"),
    Kept("organisation.coefficients", "organisation:coefficients", "planner", "executor", "reason"),
    Kept("organisation.policy", "organisation:policy_add", "planner", "executor", "text"),
    Kept("organisation.identifier", "organisation:metadata_add", "planner", "executor", "meaning"),
    Kept("records.catalogue", "records:catalogue", "planner", "executor", "reason"),
    Kept("masking.policy", "masking:propose", "planner", "executor", "reason"),
]
FORMS = [*(one._replace(in_project=True) for one in IN_PROJECT), *OF_ORGANISATION]
each_form = pytest.mark.parametrize("one", FORMS, ids=lambda one: one.name)


def address_of(one: Kept, project: Any) -> str:
    return reverse(one.address, args=(project.pk, *one.arguments) if one.in_project else one.arguments)


@each_form
def test_a_form_is_kept_half_filled_for_who_left_it_and_saves_nothing(one, client, people, project, caplog):
    address = address_of(one, project)
    client.force_login(getattr(people, one.who))
    events = AuditEvent.objects.count()
    assert "data-draft-said" in client.get(address).content.decode()
    kept = client.post(address, {one.field: HALF, "then": "keep"})
    assert (kept.status_code, kept.content) == (204, b"")
    draft = FormDraft.objects.get()
    assert (draft.form, draft.saved_by) == (one.name, getattr(people, one.who))
    assert draft.project == (project if one.in_project else None)
    assert draft.entries[one.field] == [HALF]
    assert AuditEvent.objects.count() == events
    assert HALF not in caplog.text
    page = client.get(address).content.decode()
    assert HALF in page
    assert f"{getattr(people, one.who)}于" in page
    assert "暂存，尚未填完。他人看不到" in page
    thrown = client.post(address, {"then": "discard"})
    assert thrown.url == address
    assert HALF not in client.get(address).content.decode()
    assert not FormDraft.objects.exists()


@each_form
def test_who_may_not_save_keeps_nothing(one, client, people, project):
    client.force_login(getattr(people, one.other))
    answer = client.post(address_of(one, project), {one.field: HALF, "then": "keep"})
    assert answer.status_code in (403, 404)
    assert not FormDraft.objects.exists()


@each_form
def test_who_may_save_too_has_a_draft_of_their_own(one, client, people, project):
    address = address_of(one, project)
    also = {"supervisor": "management", "executor": "planner", "planner": "outsider"}[one.who]
    if one.name == "objective.need":
        also = "planner"  # reads the page, and raises no need
    client.force_login(getattr(people, one.who))
    client.post(address, {one.field: HALF, "then": "keep"})
    client.force_login(getattr(people, also))
    page = client.get(address)
    assert page.status_code == 200
    assert HALF not in page.content.decode()
    client.post(address, {one.field: "anders", "then": "keep"})
    client.post(address, {"then": "discard"})
    assert FormDraft.objects.get().entries[one.field] == [HALF], "what somebody else left stays as it is"


def test_without_script_a_button_keeps_it_and_the_page_says_so(client, people, project):
    client.force_login(people.supervisor)
    address = reverse("findings:raise", args=[project.pk])
    answer = client.post(address, {"description": HALF, "then": "later"}, follow=True)
    assert answer.redirect_chain == [(address, 302)]
    page = answer.content.decode()
    assert "已存为草稿，仅本人可见。" in page
    assert HALF in page
    assert not Finding.objects.exists()


def test_what_is_saved_leaves_no_draft(client, people, project):
    client.force_login(people.supervisor)
    address = reverse("findings:raise", args=[project.pk])
    client.post(address, {"description": HALF, "then": "keep"})
    sent = {
        "source": "other", "stage": "objective", "severity": "minor", "title": "x", "description": HALF,
        "owner": str(people.executor.pk), "due_on": str(timezone.localdate()),
    }  # fmt: skip
    page = client.get(address).context["form"]
    for name in ("source", "severity", "stage"):
        sent[name] = page.fields[name].choices[-1][0]
    for name in page.fields:
        sent.setdefault(name, HALF)
    refused = client.post(address, sent | {"title": ""})
    assert refused.status_code == 422
    assert FormDraft.objects.exists(), "a refused form has lost nothing"
    assert client.post(address, sent).status_code == 302
    assert Finding.objects.exists()
    assert not FormDraft.objects.exists()


def hidden(page: Any) -> str:
    """By which the page that shows the form is known again."""
    (said,) = re.findall(r'name="opened" value="([^"]+)"', page.content.decode())
    return str(said)


def test_a_draft_that_arrives_after_its_form_was_saved_is_not_kept(client, people, project):
    client.force_login(people.executor)
    address = reverse("core:comments", args=[project.pk, "objective"])
    first, second = hidden(client.get(address)), hidden(client.get(address))
    assert first != second

    def sent(opened: str, **given: str) -> Any:
        return client.post(address, {"text": HALF, "opened": opened, **given})

    refused = sent(first, text="")
    assert (refused.status_code, hidden(refused)) == (422, first), "it is still the one that was opened"
    assert sent(first, then="keep").status_code == 204
    assert sent(first).status_code == 302
    assert not FormDraft.objects.exists()
    # It was on its way as the form was sent.
    assert sent(first, then="keep").status_code == 409
    assert not FormDraft.objects.exists()
    assert sent(second, then="keep").status_code == 204, "another one, on a page of its own, goes on"
    assert sent(second, then="discard").status_code == 302
    assert sent(first, then="later").status_code == 302
    assert FormDraft.objects.exists(), "who presses the button means it"
    client.force_login(people.planner)
    assert sent(first, then="keep").status_code == 204, "what somebody else saved says nothing of it"
    assert sent("no such", then="keep").status_code == 204


def test_what_was_saved_is_forgotten_with_the_drafts_of_its_time(client, people, project):
    client.force_login(people.supervisor)
    address = reverse("core:comments", args=[project.pk, "objective"])
    opened = hidden(client.get(address))
    assert client.post(address, {"text": HALF, "opened": opened}).status_code == 302
    assert [str(one.opened) for one in SavedForm.objects.all()] == [opened]
    drafts_expire()
    assert SavedForm.objects.exists()
    with time_machine.travel(timezone.now() + timedelta(days=KEPT_DAYS, minutes=1)):
        drafts_expire()
    assert not SavedForm.objects.exists()


def test_a_draft_of_a_list_of_the_organisation_belongs_to_the_version_that_was_in_force(
    client, people, project
):
    client.force_login(people.planner)
    address = reverse("organisation:retention")
    client.post(address, {"reason": HALF, "then": "keep"})
    FormDraft.objects.update(about="another version")
    assert HALF not in client.get(address).content.decode()


def test_it_goes_after_its_time_with_the_clocks_task(client, people, project):
    client.force_login(people.executor)
    address = reverse("incidents:page", args=[project.pk])
    client.post(address, {"description": HALF, "then": "keep"})
    assert drafts_expire() == 0
    with time_machine.travel(timezone.now() + timedelta(days=KEPT_DAYS - 1)):
        sweep()
        assert FormDraft.objects.exists()
    with time_machine.travel(timezone.now() + timedelta(days=KEPT_DAYS, minutes=1)):
        sweep()
        assert not FormDraft.objects.exists()


def test_who_leaves_takes_their_drafts_with_them(client, people, project):
    for who in ("executor", "planner"):
        client.force_login(getattr(people, who))
        address = reverse("incidents:page", args=[project.pk])
        client.post(address, {"description": HALF, "then": "keep"})
    leaving_record(people.executor, reason="moved", agreed="silent", by=people.administrator)
    assert [one.saved_by for one in FormDraft.objects.all()] == [people.planner]


def test_a_text_that_no_database_keeps_is_kept_without_what_it_cannot(client, people, project):
    client.force_login(people.executor)
    address = reverse("incidents:page", args=[project.pk])
    assert client.post(address, {"description": "a\0b", "then": "keep"}).status_code == 204
    assert FormDraft.objects.get().entries["description"] == ["ab"]


class Everything(KeptForm):
    """One field of each kind."""

    words = forms.CharField()
    several = forms.MultipleChoiceField(choices=[("a", "a"), ("b", "b"), ("c", "c")])
    moment = forms.SplitDateTimeField()
    file = forms.FileField()
    secret = forms.CharField(widget=forms.PasswordInput)
    confirmed = forms.BooleanField()
    left_out = forms.CharField()

    never_kept = frozenset({"left_out"})


class Ticked(KeptForm):
    keeps_ticks = True
    wanted = forms.BooleanField(required=False)


def sent(**given: Any) -> Any:
    data = QueryDict(mutable=True)
    for name, texts in given.items():
        data.setlist(name, texts)
    return data


def test_files_secrets_and_ticks_that_attest_are_never_kept():
    data = {
        "p-words": ["w"], "p-several": ["a", "c"], "p-moment_0": ["2026-11-28"], "p-moment_1": ["10:00"], "p-file": ["f"],
        "p-secret": ["s"], "p-confirmed": ["on"], "p-left_out": ["l"], "p-unknown": ["u"],
    }  # fmt: skip
    kept = Everything(sent(**data), prefix="p").entries
    assert kept == {name: data[name] for name in ("p-words", "p-several", "p-moment_0", "p-moment_1")}
    shown = Everything(prefix="p")
    shown.begin_with(kept | {"p-secret": ["s"], "p-confirmed": ["on"]})
    assert shown["words"].value() == "w"
    assert shown["several"].value() == ["a", "c"]
    assert 'value="10:00"' in str(shown["moment"])
    assert shown.initial.keys() == {"words", "several", "moment"}


def test_a_tick_that_attests_nothing_is_kept_as_it_was():
    for given, value in ((["on"], True), ([], False)):
        shown = Ticked(initial={"wanted": not value})
        shown.begin_with(Ticked(sent(wanted=given)).entries)
        assert shown["wanted"].value() is value


@pytest.mark.parametrize("name", sorted(KEPT_FORMS))
def test_no_form_that_is_signed_keeps_drafts(name):
    form = KEPT_FORMS[name]
    assert not issubclass(form, SignedForm)
    assert len(name) <= 40
    asks_for_secrets = [
        field for field in form.base_fields.values() if isinstance(field.widget, forms.PasswordInput)
    ]
    assert asks_for_secrets == []

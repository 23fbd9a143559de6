"""Steps 2 to 4 on one page: saved all or none, drafts of all, and what follows from another answer."""

from __future__ import annotations

import pytest
from django.urls import reverse

from approvals.governance.verdict import deny
from projects.core.enums import SharingType
from projects.core.models import Project
from projects.core.rules import CoreReason
from projects.objective import services
from projects.objective.enums import Part
from projects.objective.forms import FactorsForm, RiskForm, ScopeForm
from projects.objective.models import PartDraft
from projects.objective.plan import together
from projects.objective.rules import ObjectiveReason
from projects.objective.selectors import objective_of
from projects.objective.services import scope_save, sharing_choose
from projects.objective.targets.content import Scope
from projects.objective.targets.risk import risk_defaults

from ..steps import FACTORS, SCOPE, fresh

pytestmark = pytest.mark.django_db


@pytest.fixture
def planner(client, people):
    client.force_login(people.planner)
    return client


@pytest.fixture
def shared(project, people):
    return sharing_choose(project, sharing_type=SharingType.CONTROLLED, by=people.planner)


def address(project):
    return reverse("objective:together", args=[project.pk])


def answers(**more):
    risk = RiskForm.initial_of(risk_defaults("controlled"))
    risk = {name: "" if value is None else value for name, value in risk.items()}
    return {
        **SCOPE,
        "related": [],
        **FACTORS,
        **risk,
        "why": "",
        "why_chosen": "0",
        "useful": "suggested",
    } | more


def test_one_save_keeps_all_three_and_leads_to_the_plan(planner, shared):
    shown = planner.get(address(shared))
    assert shown.status_code == 200
    answer = planner.post(address(shared), answers(seen=shown.context["seen"]))
    assert answer.url == reverse("objective:plan_edit", args=[shared.pk])
    found = objective_of(fresh(shared))
    assert found.scope["laws"] == SCOPE["laws"]
    assert found.factors["risk_level"] == FACTORS["risk_level"]
    assert found.risk["why"] == str(RiskForm.offers["why"][0])
    assert found.utility


def test_one_wrong_answer_saves_nothing_and_each_fault_is_named(planner, shared):
    answer = planner.post(address(shared), answers(policy="", applicability="", k="1"))
    assert answer.status_code == 422
    assert objective_of(fresh(shared)) is None
    page = answer.content.decode()
    for name in ("policy", "applicability", "k"):
        assert f'href="#id_{name}"' in page
    assert answer.context["risk_refused"]


def test_no_text_answers_another_question(planner, shared):
    answer = planner.post(address(shared), answers(use_after="", personal_information=" "))
    assert answer.status_code == 422
    assert set(answer.context["factors_form"].errors) == {"use_after", "personal_information"}
    assert objective_of(fresh(shared)) is None


def test_nothing_of_the_scope_stands_in_the_questions_of_the_target(planner, shared, people):
    scope_save(shared, scope=Scope.model_validate(SCOPE), by=people.planner)
    form = planner.get(address(shared)).context["factors_form"]
    assert [form[name].value() for name in ("use_after", "personal_information")] == [None, None]
    for name in ("use_after", "personal_information"):
        assert form.fields[name].required


def test_other_values_than_the_suggested_need_a_reason_of_their_own(planner, shared):
    answer = planner.post(address(shared), answers(k="50"))
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["why"])
    assert (
        planner.post(address(shared), answers(k="50", why="A small town.", why_chosen=[])).status_code == 302
    )


def test_no_relation_is_not_said_beside_releases_that_are_ticked(people):
    from projects.objective.targets.content import RelatedRelease

    related = [RelatedRelease(number="2026-0009", title="Before", sharing_type="", state="released")]
    sent = {**SCOPE, "related": ["2026-0009"], "relation": "", "relation_chosen": ["0"]}
    assert "relation" in ScopeForm(sent, history=related).errors
    form = ScopeForm({**sent, "related": []}, history=related)
    assert form.is_valid(), form.errors
    assert form.content.relation == str(ScopeForm.offers["relation"][0])


def test_the_offered_way_of_keeping_protections_is_an_answer():
    form = FactorsForm({**FACTORS, "protection": "", "protection_chosen": ["0"]})
    assert form.is_valid(), form.errors
    assert form.content.protection == str(FactorsForm.offers["protection"][0])


def test_half_of_it_waits_as_drafts_and_can_be_thrown_away(planner, shared):
    sent = {"laws": "Half", "k": "7", "then": "keep"}
    assert planner.post(address(shared), sent).status_code == 204
    assert set(PartDraft.objects.values_list("part", flat=True)) == {Part.SCOPE, Part.FACTORS, Part.TARGETS}
    shown = planner.get(address(shared))
    assert shown.context["scope_form"]["laws"].value() == "Half"
    assert shown.context["form"]["k"].value() == "7"
    assert planner.post(address(shared), sent | {"then": "overview"}).url == reverse(
        "objective:page", args=[shared.pk]
    )
    planner.post(address(shared), {"then": "discard"})
    assert not PartDraft.objects.exists()


def test_what_somebody_saved_meanwhile_is_not_replaced_unseen(planner, shared, people):
    seen = planner.get(address(shared)).context["seen"]
    scope_save(shared, scope=Scope.model_validate(SCOPE | {"laws": "Theirs"}), by=people.planner)
    assert planner.post(address(shared), answers(seen=seen, then="keep")).status_code == 409
    answer = planner.post(address(shared), answers(seen=seen))
    assert answer.status_code == 422
    assert objective_of(fresh(shared)).scope["laws"] == "Theirs"
    assert planner.post(address(shared), answers(seen=answer.context["seen"])).status_code == 302


def test_what_somebody_else_goes_on_with_is_not_replaced_unseen(client, shared, people):
    client.force_login(people.executor)
    first = client.get(address(shared)).context
    token = {"seen": first["seen"], "drafted": first["drafted"]}
    assert first["drafted"] == "", "nobody has left a draft"
    for number in ("1", "2"):
        kept = client.post(address(shared), answers(laws=f"Executor's {number}", then="keep", **token))
        assert kept.status_code == 204, "what one person goes on with is their own"

    client.force_login(people.planner)
    shown = client.get(address(shared))
    assert shown.context["scope_form"]["laws"].value() == "Executor's 2"
    theirs = {"seen": shown.context["seen"], "drafted": shown.context["drafted"]}
    assert client.post(address(shared), answers(laws="Planner's", then="keep", **theirs)).status_code == 204

    client.force_login(people.executor)
    for then in ("keep", "overview", "next"):
        late = client.post(address(shared), answers(laws="", k="1", then=then, **token))
        assert late.status_code == (409 if then == "keep" else 422)
        assert PartDraft.objects.get(part=Part.SCOPE).entries["laws"] == ["Planner's"]
    assert client.post(address(shared), {"then": "discard", **token}).status_code == 302
    assert PartDraft.objects.get(part=Part.SCOPE).entries["laws"] == ["Planner's"]
    late = client.post(address(shared), answers(**token), headers={"accept-language": "en"})
    assert late.status_code == 422
    assert "Someone else went on with the draft" in late.content.decode()
    assert objective_of(fresh(shared)) is None
    again = {"seen": late.context["seen"], "drafted": late.context["drafted"]}
    assert client.post(address(shared), answers(**again)).status_code == 302
    assert not PartDraft.objects.exists()


@pytest.mark.parametrize("step", ["scope", "factors", "risk", "plan_edit"])
def test_a_step_by_itself_is_not_replaced_unseen_either(client, shared, people, step):
    page = reverse(f"objective:{step}", args=[shared.pk])
    client.force_login(people.executor)
    token = {name: client.get(page).context[name] for name in ("seen", "drafted")}
    client.force_login(people.planner)
    assert client.post(page, {"then": "keep", **token}).status_code == 204
    client.force_login(people.executor)
    assert client.post(page, {"then": "keep", **token}).status_code == 409
    assert client.post(page, {"then": "discard", **token}).status_code == 302
    assert PartDraft.objects.get().saved_by == people.planner
    late = client.post(page, {"then": "overview", **token}, headers={"accept-language": "en"})
    assert late.status_code == 422
    assert "Someone else went on with the draft" in late.content.decode()
    assert PartDraft.objects.get().saved_by == people.planner
    seen = client.get(page)
    assert seen.content.decode().count(f'name="drafted" value="{seen.context["drafted"]}"') == 2
    assert client.post(page, {"then": "discard", "drafted": seen.context["drafted"]}).status_code == 302
    assert not PartDraft.objects.exists()


def test_a_fault_in_the_form_hides_no_saving_that_came_between(planner, shared, people):
    """The page that lists the fault goes on from what was there when it was opened."""
    seen = planner.get(address(shared)).context["seen"]
    scope_save(shared, scope=Scope.model_validate(SCOPE | {"laws": "Theirs"}), by=people.planner)
    faulty = planner.post(address(shared), answers(seen=seen, k="1"))
    assert faulty.status_code == 422
    assert planner.post(address(shared), answers(seen=faulty.context["seen"])).status_code == 422
    assert objective_of(fresh(shared)).scope["laws"] == "Theirs"
    step = reverse("objective:scope", args=[shared.pk])
    faulty = planner.post(step, SCOPE | {"seen": seen, "policy": ""})
    assert planner.post(step, SCOPE | {"seen": faulty.context["seen"]}).status_code == 422


def test_nothing_is_replaced_by_a_page_that_does_not_say_what_it_showed(planner, shared, people):
    scope_save(shared, scope=Scope.model_validate(SCOPE | {"laws": "Theirs"}), by=people.planner)
    answer = planner.post(address(shared), answers(), headers={"accept-language": "en"})
    assert answer.status_code == 422
    assert "whether you saw it" in answer.content.decode()
    assert objective_of(fresh(shared)).scope["laws"] == "Theirs"


def test_what_a_rule_refuses_is_said_in_the_form_and_nothing_is_saved(planner, shared, people, monkeypatch):
    """Another tab makes the data completely public while this one is being saved: its measure is no longer allowed."""
    sent = answers(seen=planner.get(address(shared)).context["seen"])
    save = services.factors_save

    def overtaken(project, **more):
        sharing_choose(
            project, sharing_type=SharingType.PUBLIC, irrevocable_understood=True, by=people.planner
        )
        return save(project, **more)

    monkeypatch.setattr(services, "factors_save", overtaken)
    answer = planner.post(address(shared), sent, headers={"accept-language": "en"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "only the maximum risk is a measure" in page
    assert SCOPE["laws"] in page
    assert FACTORS["applicability"] in page
    assert objective_of(fresh(shared)) is None


def test_a_refusal_of_one_part_keeps_every_entry_and_one_of_right_stays_a_refusal(
    planner, shared, people, monkeypatch
):
    sent = answers(seen=planner.get(address(shared)).context["seen"])

    def refusing(project, **more):
        deny(ObjectiveReason.PUBLIC_CONTEXT).require()

    monkeypatch.setattr(services, "risk_save", refusing)
    answer = planner.post(address(shared), sent)
    assert answer.status_code == 422
    assert ObjectiveReason.PUBLIC_CONTEXT.label in answer.context["form"].non_field_errors()
    assert answer.context["factors_form"]["risk_level"].value() == FACTORS["risk_level"]
    assert objective_of(fresh(shared)) is None

    monkeypatch.setattr(together, "may_edit_after_sharing", _once_only(together.may_edit_after_sharing))
    assert planner.post(address(shared), sent).status_code in (403, 409)


def _once_only(rule):
    """The rule the first time; afterwards a person who may no longer."""
    verdicts = iter([rule])

    def asked(user, project):
        return next(verdicts, lambda *_given: deny(CoreReason.NOT_YOUR_ROLE))(user, project)

    return asked


def test_the_sharing_type_is_chosen_with_the_project(planner, people):
    sent = {
        "title": "Visits",
        "summary": "For a study.",
        "sharing_type": "enclave",
        "executor": str(people.executor.pk),
    }
    answer = planner.post(reverse("core:project_create"), sent)
    made = Project.objects.get(title="Visits")
    assert (made.sharing_type, answer.url) == ("enclave", address(made))
    refused = planner.post(
        reverse("core:project_create"), sent | {"title": "Other", "sharing_type": "public"}
    )
    assert refused.status_code == 200
    assert "sharing_type" in refused.context["sharing_form"].errors, (
        "public sharing is confirmed on its own page"
    )
    planner.post(reverse("core:project_create"), sent | {"title": "Later", "sharing_type": ""})
    assert not Project.objects.get(title="Later").sharing_type

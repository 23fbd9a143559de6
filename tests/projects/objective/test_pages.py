"""The pages and the API of the target: who reaches them, what a refused form says, what they change."""

from __future__ import annotations

import pytest
from django.urls import reverse

from approvals.documents.models import Document
from projects.jobs.models import Job
from projects.jobs.services import job_run
from projects.objective import services
from projects.objective.completeness import missing_items
from projects.objective.enums import Section
from projects.objective.models import PartDraft
from projects.objective.selectors import objective_of, plan_hash, utility_targets
from projects.objective.targets.risk import risk_defaults
from projects.workflow import State
from tests.fixtures import PASSWORD

from .steps import FACTORS, SCOPE, approved, fill, fresh, review, submit

pytestmark = pytest.mark.django_db
STEPS = ("sharing", "scope", "factors", "risk", "utility", "plan_edit")
RISK_FORM = {
    "k": "5", "measure": "strict_average", "max_risk": "0.2", "average_risk": "0.05", "strict_cap": "0.33",
    "context_risk": "1", "context_reason": "", "overall_threshold": "0.05", "suppression_limit": "0.05",
    "reassess_months": "12", "why": "按共享类型的默认值。",
}  # fmt: skip

UNPREPARED = {"preparation_1": "none", "preparation_explanation": "每列只有一种书写形式。"}


def seeing(planner, project, step, sent):
    """What is sent by who has the page of a step open as it is now."""
    return sent | {"seen": planner.get(url(project, step)).context["seen"]}


def url(project, name: str, **more) -> str:
    return reverse(f"objective:{name}", kwargs={"project_id": project.pk, **more})


def api(project, name: str) -> str:
    return reverse(f"api:objective-{name}", kwargs={"project_id": project.pk})


@pytest.fixture
def planner(client, people):
    client.force_login(people.planner)
    return client


def test_a_person_walks_through_the_five_steps(planner, project, people):
    page = planner.get(url(project, "page"))
    assert page.status_code == 200
    assert url(project, "sharing") in page.content.decode()
    for name in STEPS[1:]:
        assert planner.get(url(project, name)).status_code == 403
    answer = planner.post(url(project, "sharing"), {"sharing_type": "controlled"})
    assert (answer.status_code, answer.url) == (302, url(project, "scope"))
    answer = planner.post(url(project, "scope"), SCOPE)
    assert (answer.status_code, answer.url) == (302, url(project, "factors")), answer.context["form"].errors
    answer = planner.post(url(project, "factors"), {**FACTORS, "then": "overview"})
    assert (answer.status_code, answer.url) == (302, url(project, "page"))
    answer = planner.post(url(project, "risk"), RISK_FORM)
    assert (answer.status_code, answer.url) == (302, url(project, "utility"))
    assert planner.post(url(project, "utility_suggest")).status_code == 302
    assert planner.get(url(project, "utility") + "?kind=mean_change").status_code == 200
    answer = planner.post(url(project, "utility"), {"kind": "mean_change", "column": "fee", "bound": "0.05"})
    assert answer.status_code == 302
    answer = planner.post(
        url(project, "utility"), {"kind": "association_change", "columns": "age\nfee", "bound": "0.1"}
    )
    assert answer.status_code == 302
    assert [t.kind for t in utility_targets(fresh(project))] == [
        "rows_retained", "suppressed_cells", "mean_change", "association_change",
    ]  # fmt: skip
    assert planner.post(url(project, "utility_remove", position=0)).status_code == 302
    form = planner.get(url(project, "plan_edit")).context["form"]
    sections = {section.value: form[section.value].value() for section in Section}
    assert all(sections.values()), sections
    answer = planner.post(url(project, "plan_edit"), sections | UNPREPARED)
    assert (answer.status_code, answer.url) == (302, url(project, "page"))
    project = fresh(project)
    assert not missing_items(project)
    page = planner.get(url(project, "page")).content.decode()
    assert SCOPE["source"] in page
    assert (
        planner.post(
            reverse("core:move", kwargs={"project_id": project.pk, "move": "submit_objective"})
        ).status_code
        == 302
    )
    assert fresh(project).state == State.OBJECTIVE_REVIEW


def test_the_executor_finds_the_steps_and_not_the_submission(client, project, people):
    project = fill(project, people)
    client.force_login(people.executor)
    page = client.get(url(project, "page")).content.decode()
    assert url(project, "scope") in page
    submission = reverse("core:move", kwargs={"project_id": project.pk, "move": "submit_objective"})
    assert f'action="{submission}"' not in page
    assert client.post(submission).status_code == 403
    for step in STEPS:
        assert client.get(url(project, step)).status_code == 200
    assert 'value="submit"' not in client.get(url(project, "plan_edit")).content.decode()
    assert client.get(url(project, "register")).context["form"] is None
    assert client.post(url(project, "register"), {"source": "HIS"}).status_code == 403
    client.force_login(people.planner)
    assert 'value="submit"' in client.get(url(project, "plan_edit")).content.decode()
    assert client.get(url(project, "register")).context["form"] is not None
    assert f'action="{submission}"' in client.get(url(project, "page")).content.decode()


@pytest.mark.parametrize("name", ["supervisor", "management", "auditor", "assessor"])
def test_others_read_and_do_not_write(client, project, people, name):
    project = fill(project, people)
    client.force_login(getattr(people, name))
    page = client.get(url(project, "page"))
    assert page.status_code == 200
    assert SCOPE["source"] in page.content.decode()
    assert url(project, "scope") not in page.content.decode()
    assert client.get(url(project, "plan")).status_code == 200
    assert client.get(url(project, "decide")).status_code == 200
    before = plan_hash(project)
    for step in STEPS:
        assert client.get(url(project, step)).status_code == 403
        assert client.post(url(project, step), {**SCOPE, "sharing_type": "enclave"}).status_code == 403
    assert client.post(url(project, "utility_suggest")).status_code == 403
    assert client.post(url(project, "utility_remove", position=0)).status_code == 403
    assert plan_hash(fresh(project)) == before


@pytest.mark.parametrize("name", ["recipient", "outsider", "superuser", "administrator"])
def test_who_does_not_see_the_project_finds_nothing(client, project, people, name):
    project = fill(project, people)
    client.force_login(getattr(people, name))
    for page in ("page", "plan", "decide", "plan_pdf", *STEPS):
        assert client.get(url(project, page)).status_code == 404, page
    for part in ("detail", "versions", "defaults"):
        assert client.get(api(project, part)).status_code == 404
    assert (
        client.post(
            url(project, "decide"), {"decision": "approved", "reason": "r", "secret": PASSWORD}
        ).status_code
        == 404
    )


def test_signed_out(client, project):
    assert client.get(url(project, "page")).status_code == 302
    assert client.get(api(project, "detail")).status_code in (401, 403)


def test_refused_forms_keep_the_entries_and_say_why(planner, project, people):
    answer = planner.post(url(project, "sharing"), {"sharing_type": "public"})
    assert answer.status_code == 422
    assert "irrevocable_understood" in answer.context["form"].errors
    assert planner.post(url(project, "sharing"), {"sharing_type": "nothing"}).status_code == 422
    project = fill(project, people)
    before = plan_hash(project)
    answer = planner.post(url(project, "scope"), {**SCOPE, "policy": " ", "source": "<b>保留</b>"})
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["policy"]
    assert "&lt;b&gt;保留" in answer.content.decode()
    answer = planner.post(url(project, "risk"), {**RISK_FORM, "max_risk": "0.05"})
    assert answer.status_code == 422
    (text,) = answer.context["form"].errors["max_risk"]
    assert "20" in text
    answer = planner.post(url(project, "risk"), {**RISK_FORM, "circulation": "external"})
    assert "circulation" in answer.context["form"].errors, "it is what the sharing type has"
    answer = planner.post(url(project, "risk"), {**RISK_FORM, "context_risk": "0.3"})
    assert "context_reason" in answer.context["form"].errors
    answer = planner.post(url(project, "utility"), {"kind": "mean_change", "column": "", "bound": "7"})
    assert set(answer.context["form"].errors) == {"column"}
    answer = planner.post(url(project, "utility"), {"kind": "mean_change", "column": "fee", "bound": "7"})
    assert set(answer.context["form"].errors) == {"bound"}
    answer = planner.post(
        url(project, "utility"), {"kind": "association_change", "columns": "a\na", "bound": "0.1"}
    )
    assert set(answer.context["form"].errors) == {"columns"}
    assert planner.get(url(project, "utility") + "?kind=nothing").status_code == 404
    answer = planner.post(url(project, "plan_edit"), {"purpose": "x"})
    assert len(answer.context["form"].errors) == 10  # eight sections, and how the data are prepared
    assert plan_hash(fresh(project)) == before


@pytest.mark.parametrize(
    ("step", "whole", "half", "wrong"),
    [
        ("scope", SCOPE, {"laws": "第五十一条", "regulations": ["pipl"]}, "use"),
        ("factors", FACTORS, {"protections": ["agreement"], "risk_level": "待定"}, "candidates"),
        ("risk", RISK_FORM, {**RISK_FORM, "k": "", "why": "尚未讨论"}, "k"),
    ],
)
def test_a_step_is_left_half_filled_and_taken_up_again(planner, project, people, step, whole, half, wrong):
    project = fill(project, people)
    before, saved = plan_hash(project), len(missing_items(project))
    refused = planner.post(url(project, step), half)
    assert refused.status_code == 422
    assert wrong in refused.context["form"].errors
    assert not PartDraft.objects.exists()
    left = planner.post(url(project, step), {**half, "then": "overview"})
    assert (left.status_code, left.url) == (302, url(project, "page"))
    assert plan_hash(fresh(project)) == before
    assert len(missing_items(fresh(project))) == saved + 1, (
        "what is half filled is not submitted as it was before"
    )
    page = planner.get(url(project, step))
    shown = {name: field.value() for name, field in ((one.name, one) for one in page.context["form"])}
    for name, value in half.items():
        assert shown[name] == (value if isinstance(value, list) else str(value)), name
    assert not shown[wrong]
    assert planner.post(url(project, step), {**whole, "seen": page.context["seen"]}).status_code == 302
    assert not PartDraft.objects.exists()


def test_a_draft_is_thrown_away_by_who_may_write_it(client, project, people):
    project = fill(project, people)
    client.force_login(people.auditor)
    assert client.post(url(project, "scope"), {"laws": "x", "then": "overview"}).status_code == 403
    client.force_login(people.planner)
    client.post(url(project, "scope"), {"laws": "x", "then": "overview"})
    assert client.post(url(project, "scope"), {"then": "discard"}).status_code == 302
    assert not PartDraft.objects.exists()
    assert client.get(url(project, "scope")).context["form"]["laws"].value() == SCOPE["laws"]


def test_related_projects_are_offered_and_kept(planner, project, people):
    from tests.fixtures import make_project

    other = make_project(people, "Earlier visits")
    project = fill(project, people)
    page = planner.get(url(project, "scope")).content.decode()
    assert "Earlier visits" in page
    assert (
        planner.post(
            url(project, "scope"), seeing(planner, project, "scope", SCOPE | {"related": [other.number]})
        ).status_code
        == 302
    )
    (row,) = objective_of(project).scope["related"]
    assert (row["number"], row["title"]) == (other.number, "Earlier visits")
    assert planner.post(url(project, "scope"), {**SCOPE, "related": ["2020-9999"]}).status_code == 422


def test_a_hidden_project_is_not_offered(planner, project, people):
    from projects.core.services import project_create

    project_create(title="Somebody else's secret", by=people.outsider)
    fill(project, people)
    assert "secret" not in planner.get(url(project, "scope")).content.decode()


def test_the_decision_page(client, project, people):
    project = fill(project, people)
    submit(project, people)
    review(project, people)
    client.force_login(people.management)
    page = client.get(url(project, "decide"))
    content = page.content.decode()
    assert page.status_code == 200
    for wanted in (SCOPE["use"], "逐节核对", plan_hash(fresh(project)), "≥ 5"):
        assert wanted in content, wanted
    assert client.post(url(project, "decide"), {"decision": "approved", "reason": ""}).status_code == 422
    for name in ("planner", "executor", "supervisor", "auditor"):
        client.force_login(getattr(people, name))
        answer = client.post(
            url(project, "decide"), {"decision": "approved", "reason": "r", "secret": PASSWORD}
        )
        assert answer.status_code == 403, name
        assert 'name="decision"' not in client.get(url(project, "decide")).content.decode()
    client.force_login(people.management)
    signed = {"decision": "approved", "reason": "相称", "secret": PASSWORD}
    assert client.post(url(project, "decide"), signed | {"content": "f" * 64}).status_code == 403, (
        "another plan"
    )
    assert f'name="content" value="{plan_hash(fresh(project))}"' in content
    answer = client.post(url(project, "decide"), signed | {"content": plan_hash(fresh(project))})
    assert answer.status_code == 302
    assert fresh(project).state == State.IDENTIFICATION
    assert (
        client.post(
            url(project, "decide"), {"decision": "rejected", "reason": "r", "secret": PASSWORD}
        ).status_code
        == 403
    )


def test_the_pdf_of_the_plan(client, project, people):
    project = approved(project, people)
    client.force_login(people.auditor)
    assert client.get(url(project, "plan_pdf")).status_code == 404
    assert client.get(url(project, "plan")).status_code == 200
    for job in Job.objects.filter(kind="objective.approval_pdf"):
        job_run(job.pk)
    answer = client.get(url(project, "plan_pdf") + "?language=en", follow=True)
    assert answer["Content-Type"] == "application/pdf"
    assert Document.objects.get(kind="plan_approval", language="en").filename in answer["Content-Disposition"]
    assert client.post(url(project, "plan_pdf_make")).status_code == 403
    client.force_login(people.executor)
    assert client.post(url(project, "plan_pdf_make")).status_code == 302


def test_the_same_through_the_api(client, project, people):
    client.force_login(people.planner)

    def put(name, data, status=200):
        answer = client.put(api(project, name), data, content_type="application/json")
        assert answer.status_code == status, answer.content
        return answer.json()

    assert put("scope", SCOPE, 403)["code"] == "sharing_first"
    assert put("sharing", {"sharing_type": "public"}, 403)["code"] == "irrevocable"
    put("sharing", {"sharing_type": "controlled"})
    defaults = client.get(api(project, "defaults")).json()
    assert defaults["risk"]["k"] == 5
    put("scope", SCOPE)
    put("factors", FACTORS)
    bad = put("risk", {**defaults["risk"], "max_risk": 0.05}, 400)
    assert list(bad["errors"]) == ["max_risk"]
    put("risk", risk_defaults("controlled").model_dump(mode="json"))
    bad = put("utility", [{"kind": "mean_change", "bound": 0.1}], 400)
    assert list(bad["errors"]) == ["1.column"]
    put("utility", defaults["utility"])
    assert "errors" in put("plan", {"purpose": "x"}, 400)
    for data in ([], "x", 1):
        put("plan", data, 400)
    draft = client.get(api(project, "defaults")).json()["plan"]
    prepared = {"preparation": {"steps": [], "explanation": UNPREPARED["preparation_explanation"]}}
    body = put("plan", {name: text or "x" for name, text in draft.items()} | prepared)
    assert body["missing"] == []
    submit(project, people)
    assert put("plan", draft, 403)["code"] == "wrong_state"
    review(project, people)
    assert (
        client.post(
            api(project, "decision"), {"decision": "approved", "reason": "r", "secret": PASSWORD}
        ).status_code
        == 403
    )
    client.force_login(people.management)
    assert client.post(api(project, "decision"), {"decision": "approved"}).status_code == 400
    answer = client.post(
        api(project, "decision"), {"decision": "approved", "reason": "r", "secret": PASSWORD}
    )
    assert answer.status_code == 200
    assert fresh(project).state == State.IDENTIFICATION
    client.force_login(people.auditor)
    (version,) = client.get(api(project, "versions")).json()
    assert version["content_hash"] == plan_hash(fresh(project))
    assert put("scope", SCOPE, 403)["code"] == "not_a_member"


def test_the_overview_needs_few_queries(planner, project, people, django_assert_max_num_queries):
    project = fill(project, people)
    planner.get(url(project, "page"))
    with django_assert_max_num_queries(10):
        planner.get(url(project, "page"))


def test_two_tabs_do_not_overwrite_each_other_in_silence(project, people, client):
    client.force_login(people.planner)
    client.post(url(project, "sharing"), {"sharing_type": "controlled"})
    address = url(project, "scope")
    first = client.get(address).context["seen"]
    assert client.post(address, {**SCOPE, "seen": first}).status_code == 302
    late = client.post(address, {**SCOPE, "business": "Another business", "seen": first})
    assert late.status_code == 422
    assert objective_of(project).scope["business"] != "Another business"
    label = str(late.context["form"].fields["business"].label)
    assert label in str(late.context["form"].non_field_errors()), "what differs is named"
    again = {**SCOPE, "business": "Another business", "seen": late.context["seen"]}
    assert client.post(address, again).status_code == 302
    assert objective_of(project).scope["business"] == "Another business"


@pytest.mark.parametrize("step", ["sharing", "scope", "factors", "risk", "plan_edit"])
def test_nothing_is_replaced_by_a_page_that_does_not_say_what_it_showed(planner, project, people, step):
    project = fill(project, people)
    before = plan_hash(project)
    form = planner.get(url(project, step)).context["form"]
    sent = {
        "sharing": {"sharing_type": "enclave"},
        "scope": SCOPE | {"business": "Another business"},
        "factors": FACTORS | {"risk_level": "low"},
        "risk": RISK_FORM,
        "plan_edit": {one.name: f"other {one.value()}" for one in form if one.name in set(Section)}
        | UNPREPARED,
    }[step]
    answer = planner.post(url(project, step), sent, headers={"accept-language": "en"})
    assert answer.status_code == 422
    (said,) = answer.context["form"].non_field_errors()
    assert "whether you saw it" in said
    assert plan_hash(fresh(project)) == before
    again = planner.post(url(project, step), sent | {"seen": answer.context["seen"]})
    assert again.status_code == 302
    assert plan_hash(fresh(project)) != before


def test_both_parts_of_the_targets_are_saved_from_one_page(planner, project, people):
    project = fill(project, people)
    services.utility_save(project, targets=[], by=people.planner)
    shown = planner.get(url(project, "risk"))
    assert shown.context["takes_suggested"]
    assert 'name="useful"' in shown.content.decode()
    answer = planner.post(url(project, "risk"), seeing(planner, project, "risk", RISK_FORM))
    assert answer.url == url(project, "utility"), "what is not ticked is not taken over"
    assert not utility_targets(fresh(project))
    answer = planner.post(
        url(project, "risk"), seeing(planner, project, "risk", RISK_FORM | {"useful": "suggested"})
    )
    assert answer.url == url(project, "plan_edit")
    assert [t.kind for t in utility_targets(fresh(project))] == ["rows_retained", "suppressed_cells"]
    assert 'name="useful"' not in planner.get(url(project, "risk")).content.decode()


def test_the_plan_is_saved_and_submitted_with_one_press(planner, project, people):
    project = fill(project, people)
    form = planner.get(url(project, "plan_edit")).context["form"]
    sections = {section.value: form[section.value].value() for section in Section}
    answer = planner.post(
        url(project, "plan_edit"),
        seeing(planner, project, "plan_edit", sections | UNPREPARED | {"then": "submit"}),
    )
    assert answer.url == f"{url(project, 'page')}?handed_on=1", "somebody else has to act now"
    assert fresh(project).state == State.OBJECTIVE_REVIEW


def test_what_is_not_complete_is_saved_and_not_submitted(planner, project, people):
    project = fill(project, people)
    planner.post(url(project, "scope"), {"laws": "x", "then": "overview"})  # a draft waits to be finished
    form = planner.get(url(project, "plan_edit")).context["form"]
    sections = {section.value: form[section.value].value() for section in Section}
    answer = planner.post(
        url(project, "plan_edit"),
        seeing(planner, project, "plan_edit", sections | UNPREPARED | {"then": "submit"}),
    )
    assert answer.url == url(project, "page")
    assert fresh(project).state == State.OBJECTIVE_DRAFT


@pytest.mark.parametrize(("step", "half"), [("scope", {"laws": "第五十一条"}), ("factors", {"risk_level": "待定"}),
    ("risk", RISK_FORM), ("plan_edit", {"purpose": "x"})])  # fmt: skip
def test_a_page_keeps_itself_as_a_draft_and_saves_nothing(planner, project, people, step, half):
    project = fill(project, people)
    before = plan_hash(project)
    seen = planner.get(url(project, step)).context["seen"]
    assert "data-draft" in planner.get(url(project, step)).content.decode()
    kept = planner.post(url(project, step), half | {"then": "keep", "seen": seen})
    assert (kept.status_code, kept.content) == (204, b"")
    assert PartDraft.objects.get().saved_by == people.planner
    assert plan_hash(fresh(project)) == before, "also what is whole counts only once somebody saves it"
    late = planner.post(url(project, step), half | {"then": "keep", "seen": "0" * 16})
    assert late.status_code == 409, "the step was saved meanwhile: nothing is left to be finished"


def test_nobody_else_keeps_a_draft(client, project, people):
    project = fill(project, people)
    client.force_login(people.supervisor)
    assert client.post(url(project, "scope"), {"laws": "x", "then": "keep", "seen": ""}).status_code == 403
    assert not PartDraft.objects.exists()

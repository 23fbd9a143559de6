"""Templates of projects: what goes along, who begins with them, and that nothing is saved by it."""

from __future__ import annotations

import pytest
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.core.models import Project
from projects.core.services import project_create, template_get
from projects.objective.enums import Part
from projects.objective.models import Objective, PartDraft, SavedPlan
from projects.objective.plan.saved.answers import ANEW, TEXTS, Answers, answers_of
from projects.objective.plan.saved.services import SAVED_PLANS, saved_create
from projects.objective.services import draft_keep, factors_save, risk_save, scope_save, utility_save
from projects.objective.targets.reading import factors_read, scope_read, utility_read
from projects.objective.targets.risk import risk_defaults
from projects.objective.targets.utility import utility_defaults
from tests.fixtures import make_project

from ...steps import FACTORS, SCOPE, fill, write_plan

pytestmark = pytest.mark.django_db
CONTINGENCY = "发现泄露后一小时内通知监督者。"


@pytest.fixture
def source(people, project):
    filled = fill(project, people)
    write_plan(filled, people, contingency=CONTINGENCY)
    return filled


@pytest.fixture
def planner(client, people):
    client.force_login(people.planner)
    return client


def kept(source, people, *, texts=(), name="Research release", of_organisation=False):
    return saved_create(source, name=name, of_organisation=of_organisation, texts=texts, by=people.planner)


def said_in(answers: Answers) -> str:
    return " ".join(
        text for entries in answers.parts.values() for texts in entries.values() for text in texts
    )


class TestWhatGoesAlong:
    def test_choices_and_numbers_do_and_no_text_unless_it_is_picked(self, source, people):
        saved = kept(source, people, texts={(Part.SCOPE, "laws"), (Part.PLAN, "contingency")})
        found = Answers.from_json(saved.content)
        assert found.sharing_type == "controlled"
        assert found.parts[Part.SCOPE]["regulations"] == SCOPE["regulations"]
        assert found.parts[Part.FACTORS]["protections"] == FACTORS["protections"]
        assert found.parts[Part.TARGETS]
        assert [(part, name) for part, name, _text in found.texts()] == [
            (Part.SCOPE, "laws"),
            (Part.PLAN, "contingency"),
        ]
        whole = said_in(found)
        assert SCOPE["laws"] in whole
        assert CONTINGENCY in whole
        for left in (
            SCOPE["policy"],
            SCOPE["source"],
            SCOPE["business"],
            FACTORS["protection"],
            source.title,
        ):
            assert left not in whole

    def test_what_is_answered_anew_each_time_stays_behind_even_where_it_is_picked(self, source, people):
        every = {(part, name) for part, names in ANEW.items() for name in names}
        saved = kept(
            source, people, texts=every | {(part, n) for part, names in TEXTS.items() for n in names}
        )
        found = Answers.from_json(saved.content)
        for part, names in ANEW.items():
            assert not names & set(found.parts[part])
        assert set(found.parts[Part.PLAN]) <= {*TEXTS[Part.PLAN], "preparation_1"}
        own = ("purpose", "goals", "data_objects", "sharing_mode", "team", "deadline_objective")
        assert not {*own} & set(found.parts[Part.PLAN]), "they follow from each project's own answers"

    def test_every_sentence_of_the_target_is_one_of_the_texts_that_have_to_be_picked(self, source):
        """A new question with a free answer cannot slip into templates of others."""
        found = answers_of(source)
        assert found is not None
        bare = said_in(found.with_texts([]))
        sentences = [
            text for text in (*SCOPE.values(), *FACTORS.values(), CONTINGENCY) if isinstance(text, str)
        ]
        assert not [text for text in sentences if len(text) > 15 and text in bare]

    def test_it_is_recorded_without_what_it_says(self, source, people):
        kept(source, people, texts={(Part.SCOPE, "laws")})
        event = AuditEvent.objects.get(action="saved_plan.created")
        assert event.facts["texts"] == 1
        assert SCOPE["laws"] not in f"{event.subject} {event.facts}"

    def test_nobody_keeps_what_is_completely_public_or_not_written(self, people):
        public = fill(make_project(people, "Published"), people, "public")
        for project in (public, make_project(people, "Empty")):
            with pytest.raises(Refused):
                kept(project, people)
        assert not SavedPlan.objects.exists()

    def test_a_name_is_given_once_by_each_and_is_not_empty(self, source, people):
        first = kept(source, people, name=" Research   release ")
        assert first.name == "Research release"
        for name in ("Research release", "  "):
            with pytest.raises(Refused):
                kept(source, people, name=name)
        SAVED_PLANS.withdraw(first, by=people.planner)
        assert kept(source, people).pk != first.pk


class TestBeginning:
    def test_a_project_begins_with_drafts_and_nothing_is_saved(self, source, people, planner):
        saved = kept(source, people, texts={(Part.SCOPE, "laws"), (Part.PLAN, "contingency")})
        address = reverse("core:project_create") + f"?template={saved.pk}"
        page = planner.get(address)
        assert page.context["template"] == saved
        assert page.context["sharing_form"] is None
        planner.post(address, {"title": "Next", "summary": ""})
        made = Project.objects.get(title="Next")
        assert made.sharing_type == "controlled"
        assert not Objective.objects.filter(project=made).exists()
        drafts = {one.part: one for one in PartDraft.objects.filter(project=made)}
        assert drafts[Part.PLAN].entries["contingency"] == [CONTINGENCY]
        assert "policy" not in drafts[Part.SCOPE].entries
        assert {one.saved_plan for one in drafts.values()} == {saved}
        assert AuditEvent.objects.get(action="saved_plan.taken").project_id == made.pk

    def test_a_step_says_where_its_entries_come_from_until_somebody_leaves_their_own(
        self, source, people, planner
    ):
        saved = kept(source, people, texts={(Part.SCOPE, "laws")})
        made = project_create(title="Next", template=saved, by=people.planner)
        page = planner.get(reverse("objective:scope", args=[made.pk]))
        assert page.context["form"]["laws"].value() == SCOPE["laws"]
        assert not page.context["form"]["policy"].value()
        assert not page.context["form"]["use"].value()
        assert saved.name in page.content.decode()
        draft_keep(made, part=Part.SCOPE, entries={"laws": ["x"]}, seen="", by=people.planner)
        assert saved.name not in planner.get(reverse("objective:scope", args=[made.pk])).content.decode()

    def test_the_plan_shows_the_template_s_sections_and_suggests_the_others(self, source, people, planner):
        saved = kept(source, people, texts={(Part.PLAN, "contingency")})
        made = project_create(title="Next", template=saved, by=people.planner)
        fill_up_to_plan(made, people)
        form = planner.get(reverse("objective:plan_edit", args=[made.pk])).context["form"]
        assert form["contingency"].value() == CONTINGENCY
        assert form["team"].value()
        assert form["team"].value() != CONTINGENCY

    def test_one_project_does_not_begin_with_another_and_a_template(self, source, people, planner):
        saved = kept(source, people)
        page = planner.get(reverse("core:project_create") + f"?like={source.pk}&template={saved.pk}")
        assert page.context["like"] == source
        assert page.context["template"] is None


def fill_up_to_plan(project, people):
    """As far as the plan can be written, with nothing of it saved."""
    project.refresh_from_db()
    scope_save(project, scope=scope_read(SCOPE), by=people.planner)
    factors_save(project, factors=factors_read(FACTORS), by=people.planner)
    risk_save(project, risk=risk_defaults("controlled"), by=people.planner)
    utility_save(project, targets=utility_read(utility_defaults("controlled")), by=people.planner)


class TestWhoMay:
    def test_others_see_those_for_every_planning_manager_alone(self, source, people, client):
        own, shared = kept(source, people), kept(source, people, name="For all", of_organisation=True)
        assert set(SAVED_PLANS.available(people.planner)) == {own, shared}
        assert list(SAVED_PLANS.available(people.outsider)) == [shared]
        for person in (people.executor, people.supervisor, people.management, people.auditor):
            assert not SAVED_PLANS.available(person).exists()
        client.force_login(people.outsider)
        create = reverse("core:project_create")
        page = client.get(create).content.decode()
        assert "For all" in page
        assert own.name not in page
        assert source.number not in page, "where it comes from is not for them"
        assert client.get(f"{create}?template={own.pk}").status_code == 404
        assert client.get(f"{create}?template=nonsense").status_code == 404
        client.post(f"{create}?template={shared.pk}", {"title": "Theirs", "summary": ""})
        assert PartDraft.objects.filter(project__title="Theirs").exists()

    def test_nobody_begins_with_what_was_withdrawn_and_another_does_not_withdraw_it(self, source, people):
        shared = kept(source, people, of_organisation=True)
        with pytest.raises(Refused):
            SAVED_PLANS.withdraw(shared, by=people.outsider)
        SAVED_PLANS.withdraw(shared, by=people.planner)
        with pytest.raises(SavedPlan.DoesNotExist):
            template_get(shared.pk, people.planner)
        with pytest.raises(SavedPlan.DoesNotExist):
            project_create(title="Late", template=shared, by=people.planner)
        assert not Project.objects.filter(title="Late").exists()

    def test_who_no_longer_plans_the_project_saves_nothing_of_it(self, source, people):
        with pytest.raises(Refused):
            saved_create(source, name="x", of_organisation=False, texts=(), by=people.outsider)


class TestThePage:
    def test_nothing_is_ticked_and_each_text_is_shown(self, source, planner):
        address = reverse("objective:templates", args=[source.pk])
        page = planner.get(address)
        body = page.content.decode()
        assert not page.context["form"]["texts"].value()
        assert SCOPE["laws"] in body
        done = planner.post(
            address,
            {"do": "save", "name": "Ours", "texts": ["scope.laws"], "of_organisation": "on"},
        )
        assert done.url == address
        saved = SavedPlan.objects.get()
        assert saved.of_organisation
        assert [name for _part, name, _said in Answers.from_json(saved.content).texts()] == ["laws"]
        assert "Ours" in planner.get(address).content.decode()
        planner.post(address, {"do": f"withdraw:{saved.pk}"})
        saved.refresh_from_db()
        assert saved.withdrawn_at is not None
        assert planner.post(address, {"do": "withdraw:nonsense"}).status_code == 404

    def test_a_text_of_no_question_is_refused_at_its_field(self, source, planner):
        address = reverse("objective:templates", args=[source.pk])
        page = planner.post(address, {"do": "save", "name": "Ours", "texts": ["scope.use"]})
        assert page.status_code == 422
        assert not SavedPlan.objects.exists()

    def test_an_empty_project_is_told_what_a_template_needs(self, people, planner):
        empty = make_project(people, "Empty")
        page = planner.get(reverse("objective:templates", args=[empty.pk]))
        assert page.status_code == 200
        assert not page.context["may_save"]


class TestPrograms:
    def test_they_save_list_and_begin(self, source, planner):
        address = reverse("api:objective-templates", args=[source.pk])
        made = planner.post(
            address, {"name": "By program", "texts": ["scope.laws"]}, content_type="application/json"
        )
        assert made.status_code == 201
        assert planner.get(address).json()["results"][0]["name"] == "By program"
        opened = planner.post(
            reverse("api:project-list"),
            {"title": "By program", "summary": "", "template": made.json()["id"]},
            content_type="application/json",
        )
        assert opened.status_code == 201
        assert opened.json()["sharing_type"] == "controlled"
        assert PartDraft.objects.filter(project=opened.json()["id"]).exists()
        for wrong, status in (("nonsense", 400), (opened.json()["id"], 404)):
            answer = planner.post(
                reverse("api:project-list"),
                {"title": "x", "template": wrong},
                content_type="application/json",
            )
            assert answer.status_code == status

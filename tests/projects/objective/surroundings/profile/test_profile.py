"""The profile of the surroundings: what recipients may do, decided with the target, and what keeps the protections (T/ISC 0078 11.2 b)."""

from __future__ import annotations

from itertools import combinations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import translation
from rest_framework.test import APIClient

from projects.core.enums import SharingType
from projects.objective import services
from projects.objective.completeness import missing_items
from projects.objective.enums import Act, Keeper, Part, Protection
from projects.objective.plan.saved.answers import answers_of
from projects.objective.selectors import objective_of, plan_hash, plan_latest
from projects.objective.surroundings.profile.acts import ACTS, acts_allowed, acts_of, hands_over
from projects.objective.surroundings.profile.presentation import profile_lines, profile_rows
from projects.objective.surroundings.profile.protections import PROTECTIONS, kept_by
from projects.objective.surroundings.profile.rules import act_allowed, profile_of
from projects.objective.targets.content import Factors, Profile
from projects.objective.targets.reading import factors_read, plan_read
from techniques.core.canonical import canonical_hash
from tests.projects.objective.steps import FACTORS, approved, decide, factors_of, fill, fresh, review, submit
from tests.projects.rows import change

ENGLISH = {"accept-language": "en"}


def test_every_act_is_a_row_under_some_type_of_sharing():
    assert [row.act for row in ACTS] == list(Act)
    assert all(row.sharing_types for row in ACTS)
    assert acts_of("") == []


def test_a_profile_never_widens_what_the_sharing_type_permits():
    """Every pair of acts, and all of them, under each type of sharing."""
    for sharing in SharingType:
        permitted = set(acts_of(sharing))
        assert set(acts_allowed(None, sharing)) == permitted
        for some in [*combinations(Act, 1), *combinations(Act, 2), tuple(Act)]:
            profile = Profile(allowed=list(some))
            assert set(acts_allowed(profile, sharing)) == permitted & set(some)
            said = factors_of(sharing, profile={"allowed": [one.value for one in some]})
            if set(some) <= permitted:
                assert factors_read(said, sharing).profile == profile
            else:
                with pytest.raises(ValidationError) as caught:
                    factors_read(said, sharing)
                assert set(caught.value.message_dict) == {"profile"}


def test_nothing_leaves_an_enclave_as_a_file_of_rows():
    assert not hands_over(acts_of(SharingType.ENCLAVE))
    assert hands_over(acts_of(SharingType.CONTROLLED))


def test_what_was_hashed_before_there_were_profiles_keeps_its_hash():
    before = Factors(**FACTORS).model_dump(mode="json")
    assert "profile" not in before
    assert canonical_hash(before) == canonical_hash(FACTORS)
    narrowed = Factors(**FACTORS, profile={"allowed": ["question", "fetch"]}).model_dump(mode="json")
    assert narrowed["profile"] == {"allowed": ["fetch", "question"]}, (
        "in one order, and no bound that is none"
    )


@pytest.mark.parametrize(
    "profile",
    [
        {"allowed": []},
        {"allowed": ["fetch", "fetch"]},
        {"allowed": ["print"]},
        {"allowed": ["look"], "queries_a_day": 3},
        {"allowed": ["query"], "queries_a_day": 0},
        {"allowed": ["query"], "hours": 3},
    ],
)
def test_a_profile_that_says_nothing_or_contradicts_itself_is_refused(profile):
    with pytest.raises(ValidationError):
        factors_read(FACTORS | {"profile": profile})


def test_each_protection_says_under_each_type_of_sharing_what_keeps_it():
    assert list(PROTECTIONS) == list(Protection)
    for protection, rows in PROTECTIONS.items():
        assert list(rows) == list(SharingType), protection
    named = {row.by for rows in PROTECTIONS.values() for row in rows.values()}
    assert named == set(Keeper)


def test_viewing_only_is_enforced_where_no_file_is_fetched():
    """A controlled project of before contradictions were refused says so of itself."""
    narrow = Profile(allowed=[Act.QUESTION])
    assert kept_by("view_only", "controlled", None).by == Keeper.RECIPIENT
    assert kept_by("view_only", "controlled", Profile(allowed=[Act.FETCH_API])).by == Keeper.RECIPIENT
    assert kept_by("view_only", "controlled", narrow).by == Keeper.PORTAL
    assert kept_by("view_only", "enclave", None).by == Keeper.PORTAL


@pytest.mark.parametrize(
    ("sharing", "protections", "profile", "is_right"),
    [
        ("controlled", ["view_only"], None, False),
        ("controlled", ["view_only"], {"allowed": ["fetch_table", "fetch"]}, False),
        ("controlled", ["view_only"], {"allowed": ["fetch_table", "question"]}, True),
        ("controlled", ["watermark"], None, False),
        ("controlled", ["no_control"], None, False),
        ("enclave", ["view_only", "watermark"], None, True),
        ("enclave", ["no_control"], None, False),
        ("public", ["no_control"], None, True),
        ("public", ["no_control", "expiry"], None, False),
        ("public", ["agreement"], None, False),
    ],
)
def test_a_protection_that_the_sharing_type_contradicts_is_refused(sharing, protections, profile, is_right):
    said = FACTORS | {"protections": protections} | ({"profile": profile} if profile else {})
    if is_right:
        assert factors_read(said, sharing).protections == protections
    else:
        with pytest.raises(ValidationError) as caught:
            factors_read(said, sharing)
        assert set(caught.value.message_dict) == {"protections"}


def test_the_rows_say_what_is_allowed_and_what_the_portal_does_not_enforce():
    with translation.override("en"):
        allowed, kept = profile_rows(
            factors_of("enclave", profile={"allowed": ["query"], "queries_a_day": 2}), "enclave"
        )
        assert (
            allowed["value"] == "Running SQL queries in the portal\nAt most 2 SQL queries a day and person."
        )
        assert "Every access is logged: Enforced by the portal (" in kept["value"]
        whole, kept = profile_rows(FACTORS | {"protections": ["watermark"]}, "controlled")
        assert "This is everything that the sharing type permits." in whole["value"]
        assert kept["value"] == "Watermark: Not enforced by the portal (a fetched file has no watermark)"
    assert profile_rows(None, "enclave") == profile_rows(FACTORS, "") == []


# -- with a project ----------------------------------------------------------------------------------------------


def form_of(sharing="controlled", **said):
    return factors_of(sharing) | said


def save(client, project, sent):
    address = reverse("objective:factors", args=[project.pk])
    seen = client.get(address).context["seen"]
    return client.post(address, sent | {"seen": seen}, headers=ENGLISH)


@pytest.fixture
def planner(client, people):
    client.force_login(people.planner)
    return client


@pytest.mark.django_db
def test_the_page_narrows_and_takes_back(planner, project, people):
    project = fill(project, people)
    page = planner.get(reverse("objective:factors", args=[project.pk]), headers=ENGLISH)
    assert page.context["form"]["acts"].value() == "all"
    assert "Looking at the first rows" not in page.content.decode(), "the sharing type does not permit it"
    before = plan_hash(project)
    refused = save(planner, project, form_of(acts="listed"))
    assert list(refused.context["form"].errors) == ["allowed"]
    assert (
        "allowed" in save(planner, project, form_of(acts="listed", allowed=["look"])).context["form"].errors
    )
    assert plan_hash(fresh(project)) == before
    assert save(planner, project, form_of(acts="listed", allowed=["question", "fetch"])).status_code == 302
    assert objective_of(fresh(project)).factors["profile"] == {"allowed": ["fetch", "question"]}
    assert plan_hash(fresh(project)) != before
    page = planner.get(reverse("objective:factors", args=[project.pk]))
    assert (page.context["form"]["acts"].value(), page.context["form"]["allowed"].value()) == (
        "listed",
        ["fetch", "question"],
    )
    overview = planner.get(reverse("objective:page", args=[project.pk]), headers=ENGLISH).content.decode()
    assert "Fetching the file on its page" in overview
    assert "Enforced by the portal" in overview
    assert save(planner, project, form_of(acts="all")).status_code == 302
    assert plan_hash(fresh(project)) == before


@pytest.mark.django_db
def test_a_bound_alone_allows_everything_else(planner, project, people):
    project = fill(project, people, "enclave")
    assert save(planner, project, form_of("enclave", acts="all", queries_a_day="3")).status_code == 302
    assert profile_of(fresh(project)) == Profile(allowed=acts_of("enclave"), queries_a_day=3)


@pytest.mark.django_db
def test_the_api_says_the_same_and_refuses_what_widens(project, people):
    project = fill(project, people)
    client = APIClient()
    client.force_authenticate(people.planner)
    address = reverse("api:objective-factors", args=[project.pk])
    refused = client.put(address, FACTORS | {"profile": {"allowed": ["query"]}}, format="json")
    assert refused.status_code == 400
    refused = client.put(address, FACTORS | {"protections": ["view_only"]}, format="json", headers=ENGLISH)
    assert refused.status_code == 400
    assert "the recipients fetch the file" in str(refused.json())
    answer = client.put(address, FACTORS | {"profile": {"allowed": ["fetch_api"]}}, format="json").json()
    found = {one["act"]: one["allowed"] for one in answer["surroundings"]["acts"]}
    assert found == {"fetch": False, "fetch_api": True, "fetch_table": False, "question": False}
    assert {one["protection"]: one["keeper"] for one in answer["surroundings"]["protections"]} == {
        "agreement": "portal",
        "named_people": "in_part",
        "access_log": "in_part",
    }


@pytest.mark.django_db
def test_a_profile_is_approved_with_the_target_and_not_changed_afterwards(planner, project, people):
    project = fill(project, people)
    save(planner, project, form_of(acts="listed", allowed=["question"]))
    submit_read(project, people)
    assert plan_latest(project).content["factors"]["profile"] == {"allowed": ["question"]}
    project = fresh(project)
    assert not act_allowed(project, Act.FETCH)
    assert act_allowed(project, Act.QUESTION)
    assert save_after(planner, project).status_code == 403
    assert profile_of(project) == Profile(allowed=[Act.QUESTION])


def submit_read(project, people):
    """The plan is read again after the target changed, and approved."""
    plan = objective_of(fresh(project)).plan
    services.plan_save(fresh(project), plan=plan_read(plan), by=people.planner)
    submit(project, people)
    review(project, people)
    return decide(project, people)


def save_after(client, project):
    return client.post(reverse("objective:factors", args=[project.pk]), form_of(acts="all"))


@pytest.mark.django_db
def test_another_sharing_type_asks_for_the_acts_anew_and_what_was_approved_stays_so(project, people):
    project = fill(project, people)
    said = factors_read(FACTORS | {"profile": {"allowed": ["fetch"]}}, "controlled")
    services.factors_save(project, factors=said, by=people.planner)
    services.sharing_choose(fresh(project), sharing_type=SharingType.ENCLAVE, by=people.planner)
    with translation.override("en"):
        said = [str(item.text) for item in missing_items(fresh(project)) if item.part == Part.FACTORS]
    assert said == ["The protections, or the acts that are allowed, contradict the sharing type."]
    # A target of before contradictions were refused, which is approved by now.
    project = fresh(project)
    change(objective_of(project), factors=FACTORS | {"protections": ["no_control"]})
    assert Part.FACTORS in {item.part for item in missing_items(fresh(project))}
    change(project, state="monitoring")
    assert Part.FACTORS not in {item.part for item in missing_items(fresh(project))}


@pytest.mark.django_db
def test_another_project_begins_with_the_same_acts(project, people):
    project = approved(project, people)
    assert answers_of(project).parts[Part.FACTORS].get("acts") is None
    change(objective_of(project), factors=FACTORS | {"profile": {"allowed": ["fetch"]}})
    entries = answers_of(fresh(project)).parts[Part.FACTORS]
    assert (entries["acts"], entries["allowed"], entries["queries_a_day"]) == (["listed"], ["fetch"], [])


def test_who_decides_reads_what_bounds_the_acts():
    """In a line: no act that is left out, the bound beside those that are left, and who keeps each protection."""
    factors = {"protections": ["watermark"], "profile": {"allowed": ["look", "query"], "queries_a_day": 3}}
    with translation.override("en"):
        acts, kept = (row["value"] for row in profile_lines(factors, SharingType.ENCLAVE))
        assert str(Act.LOOK.label) in acts
        assert str(Act.SAMPLE.label) not in acts
        assert "At most 3 SQL queries a day and person." in acts
        assert "\n" not in acts
        assert str(Keeper.PORTAL.label) in kept
        (everything, _kept) = profile_lines({"protections": ["watermark"]}, SharingType.ENCLAVE)
        assert "everything that the sharing type permits" in everything["value"]

"""A result from before only national cryptography was allowed goes no further; its step and algorithm are named."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import translation

from approvals.decisions.models import Decision
from approvals.governance.verdict import Refused
from deid_portal.organisation.cryptography.policy import policy_set
from projects.core.evidence import evidence_state
from projects.core.services import project_move
from projects.datasets.tables.selectors import first_table
from projects.processing.recipes.services import recipe_save
from projects.processing.runs.selectors import latest_run
from projects.processing.runs.services import run_start
from projects.releases.services import release_create
from projects.verification.comparison.services import candidate_choose, comparison_start
from projects.verification.selectors import latest_verification
from projects.verification.services import release_decide, verification_start
from projects.verification.sign_off.answer import answer_of
from projects.workflow import Evidence, Move, State

from .stories import SmallStory

pytestmark = pytest.mark.django_db
WHY = "by order of the ministry"


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def by_hash(content, algorithm):
    """The names become pseudonyms by a keyed hash with this algorithm."""
    for step in content["steps"]:
        step["columns"] = [column for column in step["columns"] if column != "姓名"]
    content["steps"] = [step for step in content["steps"] if step["columns"]]
    content["steps"].insert(
        0,
        {
            "technique": "pseudonymization.keyed_hash",
            "columns": ["姓名"],
            "parameters": {"algorithm": algorithm, "length": 24},
        },
    )


def policy_story(people, state, algorithm="hmac-sha256"):
    story = SmallStory(people, change=lambda content: by_hash(content, algorithm))
    story.reach(state)
    return story


def switch_on(people):
    policy_set(national=True, reason=WHY, by=people.administrator)


def refusal(call, *args, **kwargs):
    with pytest.raises(Refused) as refused:
        call(*args, **kwargs)
    return refused.value.verdict


def run_again(story):
    by = story.people["executor"]
    run, _job = run_start(story.fresh(), by=by)
    story.run_jobs()
    run.refresh_from_db()
    assert run.national
    return run


def test_what_was_run_before_is_not_submitted(people, client):
    story = SmallStory(people, change=lambda content: by_hash(content, "hmac-sha256"))
    story.reach(State.PROCESSING)
    story.write_recipe()
    run_start(story.fresh(), by=people.executor)
    story.run_jobs()
    assert evidence_state(story.fresh(), Evidence.RUN_SUCCEEDED).met
    switch_on(people)
    said = refusal(project_move, story.fresh(), move=Move.SUBMIT_PROCESSING, by=people.executor)
    assert said.code == "evidence_missing"
    assert "Step 1 (Pseudonym by keyed hash) uses hmac-sha256" in said.text
    assert "save the recipe and run it again" in said.text
    client.force_login(people.executor)
    assert "hmac-sha256" in client.get(reverse("processing:page", args=[story.project.pk])).content.decode()

    content = latest_run(story.fresh()).recipe_version.tables[""]
    by_hash(content, "hmac-sm3")
    recipe_save(first_table(story.fresh()), content=content, note="SM3 instead", by=people.executor)
    run_again(story)
    project_move(story.fresh(), move=Move.SUBMIT_PROCESSING, by=people.executor)


def test_a_national_recipe_is_only_run_again(people):
    """Its keys and draws came from other algorithms than the recipe names."""
    story = SmallStory(people, change=lambda content: by_hash(content, "hmac-sm3"))
    story.reach(State.PROCESSING)
    story.write_recipe()
    run_start(story.fresh(), by=people.executor)
    story.run_jobs()
    switch_on(people)
    said = refusal(project_move, story.fresh(), move=Move.SUBMIT_PROCESSING, by=people.executor).text
    assert "Step 1 (Pseudonym by keyed hash) drew at random or derived its key with AES-256" in said
    assert "Run the recipe again" in said
    run_again(story)
    project_move(story.fresh(), move=Move.SUBMIT_PROCESSING, by=people.executor)


def test_a_result_without_any_cryptography_is_not_held_up(people):
    story = SmallStory(people)
    story.reach(State.PROCESSING)
    story.write_recipe()
    content = story.project.recipes.first().tables[""]
    content["steps"] = [s for s in content["steps"] if s["technique"] != "pseudonymization.keyed_hash"]
    named = {column for step in content["steps"] for column in step["columns"]}
    rest = [column for column in story.roles if column not in named]
    if rest:
        content["steps"].insert(
            0, {"technique": "suppression.remove_column", "columns": rest, "parameters": {}}
        )
    recipe_save(first_table(story.project), content=content, note="no key", by=people.executor)
    run, _job = run_start(story.fresh(), by=people.executor)
    story.run_jobs()
    switch_on(people)
    assert not run.national
    project_move(story.fresh(), move=Move.SUBMIT_PROCESSING, by=people.executor)


def test_the_gate_stays_shut(people, client):
    story = policy_story(people, State.VERIFICATION)
    passed = story.measure()
    assert passed.passed
    switch_on(people)
    for call, more in (
        (verification_start, {}),
        (project_move, {"move": Move.SUBMIT_VERIFICATION}),
    ):
        said = refusal(call, story.fresh(), by=people.executor, **more)
        assert said.code == "evidence_missing"
        assert "hmac-sha256" in said.text
    answer = answer_of(story.fresh(), latest_verification(story.fresh()))
    assert (answer.code, answer.tone) == ("stopped", "fail")
    client.force_login(people.executor)
    page = client.get(reverse("verification:page", args=[story.project.pk])).content.decode()
    assert "hmac-sha256" in page
    policy_set(national=False, reason="the order has ended", by=people.administrator)
    project_move(story.fresh(), move=Move.SUBMIT_VERIFICATION, by=people.executor)


def test_nobody_approves_it(people):
    story = policy_story(people, State.RELEASE_APPROVAL)
    switch_on(people)
    decide = {"reason": "as measured", "by": people.management}
    said = refusal(release_decide, story.fresh(), decision=Decision.APPROVED, **decide)
    assert "hmac-sha256" in said.text
    release_decide(story.fresh(), decision=Decision.RETURNED, **decide)


def test_nobody_releases_it_and_what_is_released_stays(people):
    story = policy_story(people, State.APPROVED)
    switch_on(people)
    story.sign_agreement()
    said = refusal(release_create, story.fresh(), by=people.planner)
    assert "hmac-sha256" in said.text
    policy_set(national=False, reason="the order has ended", by=people.administrator)
    release_create(story.fresh(), by=people.planner)
    policy_set(national=True, reason="and is there again", by=people.administrator)
    assert answer_of(story.fresh(), latest_verification(story.fresh())).code == "approved"


def test_a_candidate_is_not_chosen_or_runs_again(people, client):
    story = SmallStory(people, change=lambda content: by_hash(content, "hmac-sha256"))
    story.reach(State.PROCESSING)
    story.write_recipe()
    first, _job = run_start(story.fresh(), by=people.executor)
    story.run_jobs()
    content = story.project.recipes.first().tables[""]
    by_hash(content, "hmac-sm3")
    recipe_save(first_table(story.fresh()), content=content, note="SM3 instead", by=people.executor)
    second, _job = run_start(story.fresh(), by=people.executor)
    story.run_jobs()
    comparison, _job = comparison_start(story.fresh(), run_ids=[first.pk, second.pk], by=people.executor)
    story.run_jobs()
    switch_on(people)
    client.force_login(people.executor)
    page = client.get(reverse("verification:candidates", args=[story.project.pk])).content.decode()
    assert page.count("hmac-sha256") == 1
    said = refusal(candidate_choose, comparison, run_id=first.pk, reason=WHY, by=people.executor)
    assert said.code == "recipe_not_national"
    assert "hmac-sha256" in said.text
    _comparison, again = candidate_choose(comparison, run_id=second.pk, reason=WHY, by=people.executor)
    assert again is not None, "the current result came before the policy"
    assert again.national
    assert again.recipe_version == second.recipe_version

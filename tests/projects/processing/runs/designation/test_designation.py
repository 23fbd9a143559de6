"""What the result of a real run may be called: by its recipe, its keys, its measurement and its recipients."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from projects.core.services import project_move
from projects.processing.runs.designation.evidence import _leads, _leads_back, evidence_of_run
from projects.processing.runs.designation.selectors import designation_of
from projects.processing.runs.selectors import latest_run
from projects.vault.models import Secret
from projects.vault.purposes import SHARED
from projects.vault.services import (
    secret_destroy,
    secret_get_or_create,
    secret_propose,
)
from projects.workflow import Move, State
from techniques.catalogue.generalization import MappingSettings
from techniques.catalogue.randomization import NoiseSettings, PermutationSettings
from techniques.recipe.recipe import Step
from techniques.recipe.records import Records
from tests.projects.verification.stories import SmallStory

pytestmark = pytest.mark.django_db


TREATED = {
    "序号": ("encryption.deterministic", {}),
    "姓名": ("pseudonymization.random", {}),
    "病历号": ("pseudonymization.keyed_hash", {"joinable": "never"}),
    "费用": ("randomization.noise", {"spread": 2.0}),
    "备注": ("pseudonymization.keyed_hash", {"joinable": "purpose", "purpose": "linking"}),
}


def by_hand(content: dict[str, Any]) -> None:
    """Treat the columns of ``TREATED`` by these techniques and nothing else."""
    for step in content["steps"]:
        step["columns"] = [one for one in step["columns"] if one not in TREATED]
    content["steps"] = [step for step in content["steps"] if step["columns"]]
    content["steps"] += [
        {"technique": technique, "columns": [column], "parameters": parameters}
        for column, (technique, parameters) in TREATED.items()
    ]


def by_hand_treated(people: Any) -> SmallStory:
    story = SmallStory(people, change=by_hand)
    story.reach(State.VERIFICATION)
    return story


START = by_hand_treated


@pytest.fixture
def treated(own_start):
    return own_start.story


def leads(run: Any) -> dict[str, set[str]]:
    """What leads back → the columns that it is named for."""
    of = evidence_of_run(run)
    found = {lead: set(getattr(of, lead)) for lead in ("keys", "mappings", "shares", "drawn", "linkable")}
    return {lead: columns for lead, columns in found.items() if columns}


def test_what_leads_back_is_named_until_its_key_is_destroyed(treated, people, project):
    run = latest_run(treated.project)
    assert run is not None
    equal = {"序号", "姓名", "病历号", "备注"}
    kept = {"keys": {"序号", "备注"}, "mappings": {"姓名"}, "drawn": {"姓名", "费用"}, "linkable": equal}
    assert leads(run) == kept
    shared = SHARED % "linking"
    secret_get_or_create(project, shared, None, shared=True)
    project_move(treated.fresh(), move=Move.WITHDRAW, by=people.planner, reason="No longer needed")
    for secret in Secret.objects.filter(project=run.project, destroyed_at=None):
        secret_propose(secret, reason="The study is over.", by=people.planner)
        secret_destroy(secret, reason="The study is over.", by=people.supervisor)
    run.refresh_from_db()
    # Another project has the key of the purpose still. Whoever has two rows of equal values still sees that.
    assert leads(run) == {"keys": {"备注"}, "linkable": equal}
    project_move(project, move=Move.WITHDRAW, by=people.planner, reason="No longer needed")
    last = Secret.objects.get(project=project, purpose=shared)
    secret_propose(last, reason="The purpose is over.", by=people.planner)
    secret_destroy(last, reason="The purpose is over.", by=people.supervisor)
    assert leads(run) == {"linkable": equal}
    # A key that is made for the purpose after that is another one.
    secret_get_or_create(project, shared, None, shared=True)
    assert leads(run) == {"linkable": equal}


def test_what_records_keep_leads_back_by_the_key_and_not_by_the_seed(treated):
    run = latest_run(treated.project)
    assert run is not None
    noise = Step.model_validate(
        {"technique": "randomization.noise", "columns": ["费用"], "parameters": NoiseSettings(spread=2.0)}
    )
    drawn = Step.model_validate(
        {"technique": "randomization.permutation", "columns": ["费用"], "parameters": PermutationSettings()}
    )
    kept, shared, other = (Records(columns=("病历号",), purpose=one) for one in ("", "linking", "nobody's"))
    assert [[*_leads(noise, run, one)] for one in (None, kept, shared, other)] == [
        ["drawn"],
        ["keys"],
        ["keys"],
        [],
    ]
    assert [*_leads(drawn, run, kept)] == ["drawn"], "its draws are those of the run"


@pytest.mark.parametrize(
    ("mapping", "leads_back"),
    [
        ({"a": "1", "b": "2", "c": "3"}, True),
        ({"a": "1", "b": "2", "c": "3", "d": "1"}, False),
        ({"a": "1", "b": "2", "c": "3", "d": "4", "e": "1"}, True),
        ({"a": "x", "b": "x", "c": "y"}, False),
        ({"a": "a", "b": "b"}, False),
        ({"a": "*"}, False),
    ],
)
def test_a_list_that_leads_back_is_a_mapping_table(mapping, leads_back):
    assert _leads_back(MappingSettings(mapping=mapping)) is leads_back


def test_before_it_is_measured_nothing_is_claimed(treated):
    run = latest_run(treated.project)
    assert run is not None
    found = designation_of(run)
    assert found is not None
    assert [reason.code for reason in found.reasons] == ["not_measured"]


def test_the_page_of_the_run_and_the_api_say_the_same(treated, people, client):
    run = latest_run(treated.project)
    verification = treated.measure()
    client.force_login(people.executor)
    english = {"accept-language": "en"}
    page = client.get(
        reverse("processing:run_detail", args=[treated.project.pk, run.pk]), headers=english
    ).content.decode()
    path = reverse("api:processing-run", args=[treated.project.pk, run.pk])
    answered = client.get(path, headers=english).json()["designation"]
    assert answered["code"] == ("deidentified" if verification.passed else "none")
    assert answered["name"] in page
    assert all(sentence in page for sentence in answered["reasons"])

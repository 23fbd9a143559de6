"""National commercial cryptography only: refused in the editor, the recipe, the run and the preview."""

from __future__ import annotations

import copy
import json

import pytest
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.organisation.cryptography.policy import national_only, policy_set
from deid_portal.organisation.models import CryptographyPolicy
from projects.datasets.tables.selectors import dataset_now, first_table
from projects.processing.editor import preview
from projects.processing.recipes.services import recipe_save
from projects.processing.runs.services import run_start
from techniques.core.messages import EngineError

pytestmark = pytest.mark.django_db
WHY = "by order of the ministry"


def with_aes(content):
    changed = copy.deepcopy(content)
    step = next(s for s in changed["steps"] if s["technique"] == "pseudonymization.keyed_hash")
    step["parameters"] = {"algorithm": "hmac-sha256", "length": 24}
    return changed


def test_who_changes_the_policy_and_that_it_is_recorded(people):
    assert not national_only()
    for who in ("executor", "supervisor", "management", "auditor", "recipient", "superuser"):
        with pytest.raises(Refused):
            policy_set(national=True, reason=WHY, by=getattr(people, who))
    for national, reason in ((True, " "), (False, WHY)):
        with pytest.raises(Refused):
            policy_set(national=national, reason=reason, by=people.administrator)
    policy_set(national=True, reason=WHY, by=people.administrator)
    assert national_only()
    policy_set(national=False, reason="the order has ended", by=people.planner)
    assert not national_only()
    events = AuditEvent.objects.filter(action__startswith="cryptography.").order_by("seq")
    assert [(event.action, event.reason) for event in events] == [
        ("cryptography.national", WHY),
        ("cryptography.any", "the order has ended"),
    ]


def test_recipes_runs_and_previews_keep_to_it(processing, content, people, client, monkeypatch):
    recipe_save(first_table(processing), content=with_aes(content), by=people.executor)
    policy_set(national=True, reason=WHY, by=people.administrator)
    with pytest.raises(Refused) as refused:
        run_start(processing, by=people.executor)
    assert refused.value.verdict.code == "not_national"
    with pytest.raises(EngineError) as error:
        recipe_save(
            first_table(processing), content=with_aes(content) | {"title": "x"}, note="n", by=people.executor
        )
    assert error.value.code == "algorithm_not_national"
    assert error.value.params["path"].endswith("parameters.algorithm")

    client.force_login(people.executor)
    address = reverse("api:processing-recipes", args=[processing.pk])
    body = {"content": with_aes(content) | {"title": "x"}, "note": "n"}
    answer = client.post(address, body, content_type="application/json")
    assert answer.status_code == 422
    assert answer.json()["code"] == "algorithm_not_national"
    page = reverse("processing:recipe_text", args=[processing.pk])
    text = json.dumps(with_aes(content) | {"title": "x"}, ensure_ascii=False)
    assert client.post(page, {"text": text, "note": "n"}).status_code == 422
    assert "SM3" in client.get(reverse("processing:recipe", args=[processing.pk])).content.decode()

    recipe = reverse("processing:recipe", args=[processing.pk])
    shown = client.get(recipe).content.decode()
    # The saved version has SHA-256 already: it stays to be seen, and nothing else than SM3 beside it.
    assert 'value="hmac-sha256"' in shown
    policy_set(national=False, reason="for a look", by=people.administrator)
    assert "encryption.homomorphic" in client.get(recipe).content.decode()
    policy_set(national=True, reason=WHY, by=people.administrator)

    questions = []
    monkeypatch.setattr(preview, "_ask", lambda question: questions.append(question) or {"after": {}})

    preview.sample_preview(dataset_now(first_table(processing)), content["steps"][0], by=people.executor)
    assert questions[0]["national"] is True

    recipe_save(first_table(processing), content=content, note="SM3 instead", by=people.executor)
    run, _job = run_start(processing, by=people.executor)
    assert run.national
    assert AuditEvent.objects.filter(action="run.started").last().facts["national"] is True


def test_the_run_uses_the_national_secrets(started, story, people):
    """The policy at the start of a run holds for all of it."""
    from projects.processing.kinds import RecipeRun

    assert not started.national
    policy_set(national=True, reason=WHY, by=people.administrator)
    engine = RecipeRun()._engine(started).runs[""]
    assert not engine.secrets.national
    started.national = True
    assert RecipeRun()._engine(started).runs[""].secrets.national


def test_the_page(client, people):
    address = reverse("organisation:cryptography")
    client.force_login(people.administrator)
    assert client.post(address, {"reason": ""}).status_code == 422
    for unsaid in ({}, {"wanted": ""}, {"wanted": "aes"}):
        assert client.post(address, {"reason": WHY} | unsaid).status_code == 400, (
            "who says nothing sets nothing"
        )
    assert not CryptographyPolicy.objects.exists()
    assert client.post(address, {"reason": WHY, "wanted": "national"}).status_code == 302
    assert client.post(address, {"reason": WHY}).status_code == 400
    assert client.post(address, {"reason": WHY, "wanted": "national"}).status_code == 403, "two want the same"
    assert CryptographyPolicy.objects.get().national_only
    assert WHY in client.get(address).content.decode()
    client.force_login(people.supervisor)
    assert client.get(address).status_code == 200
    assert client.post(address, {"reason": WHY}).status_code == 403
    client.force_login(people.recipient)
    assert client.get(address).status_code == 403
    client.force_login(people.planner)
    api = reverse("api:organisation-cryptography")
    made = client.post(api, {"national_only": False, "reason": "over"}, content_type="application/json")
    assert made.status_code == 201
    assert [row["national_only"] for row in client.get(api).json()] == [False, True]

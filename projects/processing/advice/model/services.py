"""The only writer of advice on the model: answers are kept with what they lead to, and taken into the recipe."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import ALLOW, Verdict, deny
from projects.core.services import project_lock
from projects.datasets.models import Table
from projects.datasets.tables.names import label_of
from projects.datasets.tables.selectors import dataset_now
from projects.identification.enums import ColumnRole
from projects.identification.models import ColumnVerdict
from projects.identification.selectors import columns_with_role, verdicts_of
from techniques.advice.models import ModelAnswers, ModelFacts, advise_model

from ... import events, rules
from ...models import ModelAdviceRecord, RecipeVersion
from ...recipes.selectors import current_recipe
from ...recipes.services import recipe_save
from ...recipes.suggestion import MODELS, REMOVAL, hierarchy_of, recipe_suggest, targets_of
from ..selectors import current_model_advice


def facts_of(table: Table) -> ModelFacts:
    """What target and identification have settled: the conversation does not ask for it again."""
    project = table.project
    sensitive = columns_with_role(table, ColumnRole.SENSITIVE)
    targets, dataset = targets_of(table, sensitive), dataset_now(table)
    profile = dataset.profile.get("columns", ()) if dataset else ()
    return ModelFacts.model_validate({
        "sharing_type": project.sharing_type,
        "context": targets.context_risk,
        "threshold": targets.overall_threshold,
        "k": targets.k,
        "max_risk": targets.max_risk,
        "average_risk": targets.average_risk,
        "cap": targets.strict_cap,
        "suppression_limit": targets.suppression_limit,
        "distinct": {one["name"]: one["distinct"] for one in profile if one["name"] in sensitive},
    })  # fmt: skip


def model_advice_record(table: Table, *, answers: Mapping[str, Any], by: Person) -> ModelAdviceRecord:
    """Keep the answers with what they lead to. Columns that are not sensitive are left out; the same answers to the
    same facts change nothing. Raises EngineError with the place of a wrong answer."""
    with governed_act():
        table.project = project = project_lock(table.project)
        rules.may_edit_recipe(by, project).require()
        sensitive = columns_with_role(table, ColumnRole.SENSITIVE)
        said = dict(answers.get("columns", {}))
        wanted = {**answers, "columns": {name: said.get(name, {}) for name in sensitive}}
        found = advise_model(ModelAnswers.from_data(wanted), facts_of(table)).as_dict()
        last = current_model_advice(table)
        if last is not None and last.content_hash == found["sha256"]:
            return last
        with recording(events.MODEL_ADVICE_RECORDED, by=by, project_id=project.pk) as event:
            record = ModelAdviceRecord.objects.create(
                project=project,
                table=table,
                number=project.model_advice_records.count() + 1,
                answers=found["answers"],
                facts=found["facts"],
                advice=found["advice"],
                content_hash=found["sha256"],
                made_by=by,
            )
            event.subject = record.subject
            advice = found["advice"]
            facts = {"technique": advice["technique"], "k": advice["settings"]["k"]}
            event.facts.update(facts, attacker=advice["attacker"], table=label_of(table))
            return record


def may_take(user: Person, table: Table, record: ModelAdviceRecord | None) -> Verdict:
    """The executor, while the data is processed, and while the advice is about the targets as they are."""
    verdict = rules.may_edit_recipe(user, table.project)
    if not verdict:
        return verdict
    facts = facts_of(table).model_dump(mode="json")
    sensitive = set(columns_with_role(table, ColumnRole.SENSITIVE))
    if record is None or record.facts != facts or set(record.answers["columns"]) != sensitive:
        return deny(rules.ProcessingReason.ADVICE_OUTDATED)
    if not columns_with_role(table, ColumnRole.QUASI):
        return deny(rules.ProcessingReason.NO_QUASI_IDENTIFIER)
    if record.taken_in_id is not None and record.taken_in == current_recipe(table.project):
        return deny(rules.ProcessingReason.ADVICE_TAKEN)
    return ALLOW


def model_advice_take(table: Table, *, by: Person) -> RecipeVersion:
    """Put the newest advice about a table into the model step of its recipe, as a new version; hierarchies and bounds stay.

    A recipe without such a step gets one over all quasi-identifiers; without a recipe the suggestion is the
    beginning. Raises EngineError where the recipe is then not valid.
    """
    with governed_act():
        table.project = project = project_lock(table.project)
        record = current_model_advice(table)
        may_take(by, table, record).require()
        assert record is not None  # as the rule requires
        recipe = current_recipe(project)
        content = copy.deepcopy(recipe and recipe.part_of(table)) or recipe_suggest(table)
        with recording(events.MODEL_ADVICE_TAKEN, by=by, about=record) as event:
            version = recipe_save(
                table,
                content=with_advice(content, record.advice, verdicts_of(table)),
                note=_("As advised on the model (no. %(number)s)") % {"number": record.number},
                by=by,
            )
            record.taken_in, record.taken_by, record.taken_at = version, by, timezone.now()
            record.save()
            event.facts["version"] = version.number
            return version


def with_advice(
    content: dict[str, Any], advice: Mapping[str, Any], given: Mapping[str, ColumnVerdict]
) -> dict[str, Any]:
    """The recipe with technique and numbers as advised. Sensitive columns that the recipe removes are left out."""
    steps: list[dict[str, Any]] = content["steps"]
    removed = {c for s in steps if s["technique"] == REMOVAL for c in s["columns"]}
    settings = dict(advice["settings"])
    settings["sensitive"] = {
        name: conditions for name, conditions in settings["sensitive"].items() if name not in removed
    }
    technique = advice["technique"] if settings["sensitive"] else "model.k_anonymity"
    step = next((one for one in reversed(steps) if one["technique"] in MODELS), None)
    if step is None:
        columns = [n for n, v in given.items() if v.role == ColumnRole.QUASI and n not in removed]
        hierarchies = {name: hierarchy_of(given[name]) for name in columns}
        step = {"columns": columns, "parameters": {"hierarchies": hierarchies}}
        steps.append(step)
    step["technique"] = technique
    step["parameters"] = {**step["parameters"], **settings}
    return content

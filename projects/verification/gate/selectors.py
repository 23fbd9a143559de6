"""What the gate judges about a run, by the targets and verdicts as they are now; the caller holds the project's lock."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

from projects.core.models import Project
from projects.datasets.models import Dataset
from projects.datasets.selectors import dataset_format, dataset_open
from projects.datasets.store.store import store_open
from projects.datasets.tables.selectors import links_of, populations_now, tables_of
from projects.identification.enums import ENGINE_ROLE, ColumnRole
from projects.identification.lookup import metadata_table
from projects.identification.models import ColumnVerdict
from projects.identification.selectors import person_key_of, verdicts_of
from projects.objective.selectors import objective_of, risk_targets, utility_targets
from projects.objective.surroundings.coefficients import coefficients
from projects.processing.models import Forecast, RecipeVersion, Run, RunTable
from projects.processing.recipes.suggestion import hierarchy_of
from projects.processing.runs.selectors import (
    result_format,
    result_open,
    result_subjects,
    runs_with_seed_of,
    tables_of_run,
)
from projects.processing.runs.shares import share_files_of
from techniques.core.messages import EngineError, gettext_noop
from techniques.identification.metadata.forms import value_forms

if TYPE_CHECKING:
    from techniques.disclosure_risk.joined import Link
    from techniques.disclosure_risk.scales.attack import Attack

    from .case import Case, Table
    from .check import Tick


def cases_of(run: Run, project: Project) -> dict[str, tuple[Case, RunTable]]:
    """By the name of the table: what is judged, and what the run wrote."""
    cases = {}
    for name, one in tables_of_run(run).items():
        if one.table not in tables_of(project):
            # The verdicts about one table would say nothing about the columns of another one.
            text = gettext_noop(
                "Table “%(table)s” of this run is no longer a table of the project. Run the recipe again."
            )
            raise EngineError("verification.table_removed", text, table=name)
        cases[name] = (table_case(project, one, run.recipe_version, verdicts_of(one.table)), one)
    return cases


def table_case(
    project: Project, of: RunTable, version: RecipeVersion, given: Mapping[str, ColumnVerdict]
) -> Case:
    """What is judged about the file that a run wrote of one table by ``version``, with the verdicts ``given``."""
    from techniques.core.attributes import AttributeRole
    from techniques.core.kinds import kind_of
    from techniques.engines.reporting import sampling_chances, sampling_fraction
    from techniques.families.preparation.normalise import prepared
    from techniques.recipe.recipe import Recipe

    from .case import Case, Table
    from .sampling import persons_left_out, rows_left_out

    dataset, objective, metadata = of.dataset, objective_of(project), metadata_table()
    recipe = Recipe.from_data(version.tables[of.name])
    population = populations_now(project).get(of.table_id)
    return Case(
        source=replace(_table_of(dataset), prepare=partial(prepared, recipe=recipe)),
        result=Table(
            lambda: result_open(of), result_format(of), of.result_rows or 0, frozenset(dataset.columns)
        ),
        recipe=recipe,
        roles={
            column: AttributeRole(ENGINE_ROLE[ColumnRole(verdict.role)]) for column, verdict in given.items()
        },
        risk=risk_targets(project),
        utility=utility_targets(project),
        file_name=of.file_name(project.number),
        result_sha256=of.result_sha256,
        rows_in=dataset.rows or 0,
        sharing_type=project.sharing_type,
        population=_table_of(population) if population else None,
        population_sha256=population.sha256 if population else "",
        person_key=person_key_of(of.table),
        subjects=lambda: result_subjects(of),
        severities={column: verdict.severity for column, verdict in given.items() if verdict.severity},
        unjudged=frozenset(dataset.columns) - frozenset(given),
        same_seed=runs_with_seed_of(of.run),
        steps=of.report.get("steps", ()),
        sampling_fraction=sampling_fraction(of.report),
        sampling_chances=sampling_chances(of.report),
        rows_not_drawn=rows_left_out(of.report),
        persons_not_drawn=persons_left_out(of.report),
        assessment=_assessment(project),
        attack=_attack(version, of),
        coefficients=coefficients(),
        forms=value_forms(metadata.rows),
        forms_version=metadata.version,
        factors=objective.factors if objective else None,
        scope=objective.scope if objective else None,
        exempted={
            column: verdict.reason
            for column, verdict in given.items()
            if any(kind_of(finding["kind"]).column_sign for finding in verdict.overrules)
        },
        hierarchies={
            column: hierarchy_of(verdict)
            for column, verdict in given.items()
            if verdict.role == ColumnRole.QUASI
        },
    )


def _table_of(dataset: Dataset) -> Table:
    from .case import Table

    return Table(lambda: dataset_open(dataset), dataset_format(dataset), dataset.rows or 0)


def _assessment(project: Project) -> dict[str, Any] | None:
    """What the newest assessment of the surroundings found, with its number."""
    from projects.objective.surroundings.context import assessments_of

    newest = assessments_of(project).first()
    return None if newest is None else {"number": newest.number, **newest.finding}


def _attack(version: RecipeVersion, of: RunTable) -> Attack | None:
    """What the newest forecast of this table by the same recipe assumed, so that plan and result are of one attacker; None without one."""
    from techniques.disclosure_risk.scales.attack import Attack

    newest = (
        Forecast.objects.filter(recipe_version=version, dataset__table=of.table_id, measured_at__isnull=False)
        .order_by("-number")
        .first()
    )
    return None if newest is None else Attack.model_validate(newest.question["attack"])


def links_of_run(run: Run) -> list[Link]:
    """The links that the recipe was written for, and whose values stand for persons."""
    from techniques.disclosure_risk.joined import Link

    of_person = {
        (link.source.name, link.source_column, link.target.name, link.target_column): link.of_person
        for link in links_of(run.project)
    }
    return [
        Link(tuple(one["from"]), tuple(one["to"]), person=of_person.get((*one["from"], *one["to"]), True))
        for one in run.recipe_version.references
    ]


def as_read(cases: Mapping[str, tuple[Case, RunTable]], tick: Tick) -> dict[str, Case]:
    """The cases with the SHA-256 of each file as it is stored now."""
    return {name: replace(case, read_sha256=sha256_of_result(of, tick)) for name, (case, of) in cases.items()}


def sha256_of_result(of: RunTable, tick: Tick) -> str:
    """SHA-256 of the stored result; "" where it, or the file of any holder of its shares, is not what was written."""
    try:
        for share in share_files_of(of.run_id):
            if share.table != of.name:
                continue
            with store_open(share.stored) as stream:
                if share.sha256 != share.stored.sha256 or share.sha256 != _digest(stream, tick):
                    return ""
        with result_open(of) as stream:
            return _digest(stream, tick)
    except EngineError:
        # The store found its own bytes altered: the integrity check says so.
        return ""


def _digest(stream: BinaryIO, tick: Tick) -> str:
    digest = hashlib.sha256()
    while block := stream.read(1 << 20):
        digest.update(block)
        tick(0.0)
    return digest.hexdigest()

"""What the pages of verification show: queries and order, no decisions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.audit.selectors import events_matching
from approvals.decisions.selectors import management_reviews_of, reviews_of, signoffs_of
from approvals.documents.selectors import documents_made
from approvals.passages import passage
from projects.core.models import Project
from projects.core.numbers import count, percent
from projects.core.returns import returns_to_judge
from projects.core.timeline import timeline
from projects.datasets.tables.names import titled
from projects.identification.documents import persons_aside
from projects.identification.presentation import overrides_of
from projects.jobs.enums import JobStatus
from projects.jobs.models import Job
from projects.objective.presentation import factor_rows, risk_rows, scope_rows
from projects.objective.selectors import objective_of, plan_documents, plan_latest, risk_targets
from projects.objective.surroundings.profile.presentation import profile_lines
from projects.objective.targets.utility import utility_rows
from projects.processing.models import Run, RunTable
from projects.processing.recipes.pages import basis_of, preparation_facts
from projects.processing.runs.designation.presentation import shown_of
from projects.processing.runs.findings import rows_stand_for, step_sentences, worded
from projects.processing.runs.pages import result_hash_rows
from projects.processing.runs.selectors import latest_run, tables_of_run
from projects.workflow import MOVES, STAGES, Stage
from techniques import catalogue
from techniques.core.messages import EngineError
from techniques.recipe.guarantees import guarantees

from . import presentation
from .enums import APPROVAL_JOB, MEASURE_JOB, SIGNED_SUBJECT
from .gate.population import population_rows
from .gate.scales.entropy import entropy_shown
from .gate.scales.presentation import scale_rows, scale_statements, severity_statements
from .models import Verification
from .remedies.presentation import remedy_tables
from .reports.pictures import by_column, distributions
from .rules import RELEASE
from .selectors import latest_verification, newest_job, verifications_of
from .sign_off.answer import answer_of, badge_of
from .sign_off.signers import signing_of
from .sign_off.summary import folded_caveats, override_caveats, sign_summary


def overview(project: Project) -> dict[str, Any]:
    """The stage page: the answer, the gate, where the risk comes from, and what was measured before."""
    recipe_url = reverse("processing:page", kwargs={"project_id": project.pk})
    context = _newest(project, recipe_url=recipe_url)
    shown = context["verification"]
    return context | {
        "caveats": folded_caveats(shown, context) if shown is not None else override_caveats(context),
        "job": _job(project, latest_verification(project), MEASURE_JOB),
        "history": history_rows(project),
        "loops": loops(project),
    }


def _newest(project: Project, *, recipe_url: str = "") -> dict[str, Any]:
    """May the result be signed, and what the newest measurement found, if it is complete, with its papers."""
    newest = latest_verification(project)
    shown = newest if newest is not None and newest.passed is not None else None
    run = latest_run(project)
    if newest is not None and run is not None and run.pk == newest.run_id:
        # What it read and wrote is known already.
        newest.run = run
    context: dict[str, Any] = {
        "answer": answer_of(project, newest),
        "verification": shown,
        "overrides": overrides_of(project),
        "persons_aside": persons_aside(project),
    }
    if shown is not None:
        context |= measured(shown, recipe_url=recipe_url) | {
            "designation": shown_of(shown.run),
            "documents": documents_of(shown),
            "document_job": _job(project, shown, APPROVAL_JOB),
        }
    return context


def _job(project: Project, verification: Verification | None, kind: str) -> Job | None:
    """The job of this kind about the verification, if a reader should know of it: at work or failed."""
    job = newest_job(project)
    if job is None or verification is None or (job.kind, job.subject_id) != (kind, str(verification.pk)):
        return None
    return job if job.is_active or job.status == JobStatus.FAILED else None


def measured(verification: Verification, *, recipe_url: str = "") -> dict[str, Any]:
    """Everything that a complete verification says, in the reader's language."""
    measurement = verification.measurement
    report = measurement.report
    rows = presentation.gate_rows(measurement.checks, report, recipe_url=recipe_url)
    columns, column_formulas = presentation.column_rows(report), presentation.column_formulas(report)
    searched = [one.residual.rows for _table, one in report.by_table() if one.residual]
    return {
        "gate": rows,
        "formulas": [*(row.formula for row in rows if row.formula), *column_formulas],
        "exempt": presentation.exempt_rows(report),
        "residual": presentation.residual_rows(report),
        "rows_read": count(sum(searched)),
        "main_table": report.main,
        "causes": presentation.cause_rows(report),
        "remedies": remedy_tables(report),
        "columns": columns,
        "noisy": presentation.noisy_rows(report),
        "noisy_left_out": presentation.noisy_left_out(report),
        "numbers_moved": any(row["moved"] for row in columns),
        "column_formulas": column_formulas,
        "scales": scale_rows(report),
        "scale_statements": scale_statements(report),
        "entropy": entropy_shown(report),
        "statements": presentation.statements(report),
        "population": population_rows(report),
        "severities": severity_statements(report),
        "charts": presentation.charts(measurement),
        "by_column": by_column(measurement.report, presentation.columns_lost(measurement.report)),
        "distributions": distributions(measurement.report),
        "risk_columns": report.risk.columns if report.risk else [],
    }


def history_rows(project: Project) -> list[dict[str, Any]]:
    """All verifications, newest first (5.5.1)."""
    newest = latest_verification(project)
    rows = (
        [newest] if newest is not None and newest.number == 1 else verifications_of(project).defer("report")
    )
    return [
        {
            "verification": item,
            "badge": badge_of(item),
            "checks": _tally(item),
            "version": item.run.recipe_version.number,
        }
        for item in rows
    ]


def _tally(verification: Verification) -> str:
    results = verification.results
    if not results:
        return ""
    passed = sum(result.passed is True for result in results)
    return _("%(passed)s of %(all)s") % {"passed": passed, "all": len(results)}


def loops(project: Project) -> list[dict[str, Any]]:
    """Every time the project was sent back from here, with who, when and why."""
    actions = Q(
        action__in=[rule.audit_action for rule in MOVES.values() if rule.leads_back_from(Stage.VERIFICATION)]
    )
    return timeline(events_matching(project_id=project.pk).filter(actions))


def documents_of(verification: Verification) -> list[Any]:
    """The approval report in both languages: as passed on, and signed with each decision about it."""
    decisions = [
        str(row.pk)
        for row in signoffs_of(verification.project_id)
        if row.subject_kind == RELEASE and row.subject_id == str(verification.pk) and row.decision
    ]
    subject = verification.subject
    return [
        one
        for one in documents_made(verification.project_id)
        if (one.subject_kind, one.subject_id, one.subject_hash) == (subject.kind, subject.id, subject.hash)
        or (one.subject_kind == SIGNED_SUBJECT and one.subject_id in decisions)
    ]


def decision(project: Project) -> dict[str, Any]:
    """The five things that senior management decides from (5.5.4), on one page."""
    context = (
        _newest(project)
        | basis(project)
        | {
            # While the work is under way again, its own page says what was returned.
            "returns": returns_to_judge(project, *Stage) if project.stage == Stage.VERIFICATION else []
        }
    )
    context["past"] = [
        row
        for row in signoffs_of(project.pk)
        if row.subject_kind == RELEASE and (row.decision or row.lapsed_at is not None)
    ]
    if context["verification"] is not None:
        run = context["verification"].run
        context |= run_facts(run) | {"results": result_hash_rows(run)}
    context["signing"] = signing_of(project)
    objective = objective_of(project)
    context["sign"] = sign_summary(
        project,
        context["answer"],
        context,
        scope=(objective.scope if objective else None) or {},
        plan=context["plan"],
        reviews=context["reviews"],
    )
    return context


def run_facts(run: Run) -> dict[str, Any]:
    """How a run came to its result: the steps of its recipe, what left the data, and what kind of protection that is."""
    return {
        "run": run,
        "recipe_steps": steps_of(run),
        "left": [*preparations(run), *left_out(run)],
        "guarantee": guarantee(run),
    }


def basis(project: Project) -> dict[str, Any]:
    """Use, targets, reviews and the approved plan: what was agreed before the data were touched."""
    objective = objective_of(project)
    scope = (objective.scope if objective else None) or {}
    # On what basis, of what grade, what the persons were told, what the data are for and how risky that use is.
    asked = ("regulations", "classification", "promise", "use", "use_risk", "relation")
    uses = {name: scope[name] for name in asked if name in scope}
    factors = (objective.factors if objective else None) or {}
    protections = {name: factors[name] for name in ("protections", "protection") if name in factors}
    plan = plan_latest(project)
    return {
        "uses": scope_rows(uses or scope)
        + factor_rows(protections)
        + profile_lines(factors, project.sharing_type),
        "risk_rows": risk_rows(risk_targets(project), project.sharing_type) if project.sharing_type else [],
        "utility_rows": utility_rows((objective.utility if objective else None) or []),
        "reviews": review_rows(project),
        "management_reviews": _with_stages(management_reviews_of(project.pk)),
        "plan": plan,
        "plan_documents": plan_documents(plan) if plan else [],
    }


def review_rows(project: Project) -> list[Any]:
    """The stage monitoring records in the order of the process, oldest first within a stage."""
    order = list(STAGES)
    found = sorted(reviews_of(project.pk), key=lambda r: (order.index(Stage(r.stage)), r.recorded_at))
    return _with_stages(found)


def _with_stages(reviews: list[Any]) -> list[Any]:
    """Each with the label of its stage."""
    for review in reviews:
        review.stage_label = Stage(review.stage).label
    return reviews


def recipe_steps(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The recipe in words: technique, what it does, and to which columns."""
    steps = []
    for step in content.get("steps", []):
        try:
            spec = catalogue.get(step["technique"])
            name, summary, basis = _(spec.name), _(spec.summary), basis_of(step)
        except EngineError:
            name, summary, basis = step["technique"], "", ""
        steps.append(
            {"name": name, "summary": summary, "basis": basis, "columns": _(", ").join(step["columns"])}
        )
    return steps


def steps_of(run: Run) -> list[dict[str, Any]]:
    """The same of a run, table by table where there are several, with what each step found and chose."""
    written = tables_of_run(run)
    return [
        step | {"columns": titled(name, step["columns"]), "sentences": _found(written.get(name), number)}
        for name, content in run.recipe_version.tables.items()
        for number, step in enumerate(recipe_steps(content))
    ]


def _found(written: RunTable | None, number: int) -> list[str]:
    """What step ``number`` (from 0) found in a written table."""
    steps = written.report.get("steps", []) if written and written.report else []
    return step_sentences(steps[number]) if number < len(steps) else []


def preparations(run: Run) -> list[tuple[str, str]]:
    """How the values of each table were prepared, or that nobody said; and where that departs from the plan."""
    rows = []
    for name, content in run.recipe_version.tables.items():
        facts = preparation_facts(run.project, content)
        rows.append((titled(name, _("Preparation (5.4.2)")), facts["preparation"]))
        if facts["departs"]:
            rows.append((titled(name, _("Preparation departs from the plan")), facts["departs"]))
    return rows


def left_out(run: Run) -> list[tuple[str, str]]:
    """What left the data on the way from the source to the result."""
    return [
        (titled(name, label), said)
        for name, one in tables_of_run(run).items()
        for label, said in rows_left_out(one.notice, run.recipe_version.tables[name]["steps"])
    ]


def rows_left_out(notice: Mapping[str, Any], steps: Iterable[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """The same of one table, by what is kept for its recipient and the ``steps`` of its recipe. Rows that stand for groups, persons or nobody alone are no records."""
    rows, kept = notice["rows_in"], notice["rows_out"]
    share = (rows - kept) / rows if rows else 0.0
    text = {
        "records": _("%(out)s of %(all)s are in the result; %(removed)s (%(share)s) are not"),
        "groups": _("%(out)s groups stand for records of the source, which has %(all)s"),
        "persons": _("%(out)s records, each combined from the records of one person; the source has %(all)s"),
        "made_up": _("%(out)s rows with made-up values; the source has %(all)s"),
    }[rows_stand_for(steps)]
    records = text % {
        "out": count(kept),
        "all": count(rows),
        "removed": count(rows - kept),
        "share": percent(share),
    }
    removed = _(", ").join(notice["removed_columns"]) or _("None")
    return [(_("Records"), records), (_("Columns removed"), removed)]


def guarantee(run: Run) -> str:
    """Whether the protection is formal or heuristic, and of which columns (5.5.2), by what the run reports."""
    return guarantee_of({name: one.report or {} for name, one in tables_of_run(run).items()})


def guarantee_of(reports: Mapping[str, Mapping[str, Any]]) -> str:
    """The same by the reports of the tables."""
    return passage([worded(said) for said in guarantees(reports)])

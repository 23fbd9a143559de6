"""What the grade of a project's data refuses, before the plan is submitted, at the gate and before the release.

A project goes by the version that was in force when its plan was last submitted; while the target is being determined, by the one that
is in force now. What was approved before there was a version keeps its approval.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from projects.core.enums import SharingType
from projects.core.evidence import Missing, demands
from projects.core.models import Project
from projects.datasets.tables.names import column_label, label_of
from projects.identification.enums import ColumnRole
from projects.identification.models import ColumnVerdict
from projects.identification.presentation import above_said
from projects.identification.selectors import rounds_now, verdicts_in
from projects.impact.selectors import House
from projects.objective.enums import Classification
from projects.objective.selectors import grade_of, plan_current, risk_targets
from projects.processing.runs.selectors import latest_run, tables_of_run
from projects.verification.selectors import current_verification, reads_along
from projects.workflow import Evidence, State

from .policy import GRADED, GradeRule, Policy, policy_at


def policy_for(project: Project) -> Policy:
    """The version that the project goes by."""
    plan = None if project.state == State.OBJECTIVE_DRAFT else plan_current(project)
    return policy_at(plan.submitted_at if plan is not None else None)  # type: ignore[attr-defined]


def grade_rule_of(project: Project) -> tuple[str, GradeRule | None, int]:
    """The grade of the project's data, what is asked of it, and by which version; no rule before the scope says a grade, and of core
    data."""
    grade = grade_of(project)
    rule, version = (None, 0) if grade is None else _rule(project, grade)
    return (grade.value if grade else ""), rule, version


def house_of(project: Project) -> House:
    """Whether a version holds for the project, and whether the grade of its data asks for an impact assessment."""
    policy, grade = policy_for(project), grade_of(project)
    return House(policy.version > 0, grade in GRADED and policy.rules[grade.value].impact)


@demands(Evidence.OBJECTIVE_COMPLETE)
def of_target(project: Project) -> Missing:
    """The sharing type and the k of the target against the grade of the data."""
    # What was submitted went by the version of that day; the release is checked by itself.
    grade = grade_of(project) if project.state == State.OBJECTIVE_DRAFT else None
    if grade is None or not project.sharing_type:
        return []
    return [*_of_sharing(project, grade), *_of_k(project, grade, risk_targets(project).k)]


@demands(Evidence.GATE_PASSED)
def of_result(project: Project) -> Missing:
    """The verdicts, with the grades of single columns, and the smallest class that was measured against the grade of the data."""
    if (verification := current_verification(project)) is None:
        return []
    missing: Missing = []
    # The newest verification was read along with whether anything is to be looked for.
    if verification.columns_graded:  # type: ignore[attr-defined]
        missing += above_said(project, _going_out(project))
    grade, policy = grade_of(project), policy_for(project)
    if grade is None or not policy.version:
        return missing
    sensitive = sensitive_columns(project) if grade == Classification.GENERAL else []
    if sensitive:
        text = _(
            "The data are graded as general data, but according to the verdicts %(columns)s is sensitive: grade the data again in the target."
        )
        missing.append(text % {"columns": _(", ").join(sensitive)})
    tables = [table.risk for _name, table in verification.measurement.report.by_table()]
    classes = [risk.k for risk in tables if risk is not None]
    return missing + (_of_k(project, grade, min(classes)) if classes else [])


@demands(Evidence.RELEASE_READY)
def of_release(project: Project) -> Missing:
    """The way out once more: who is to receive is known only now. What is out already asks nothing again."""
    grade = grade_of(project)
    if project.state != State.APPROVED:
        return []
    return [] if grade is None or not project.sharing_type else _of_sharing(project, grade)


_GRADED = ColumnVerdict.objects.filter(project=OuterRef("project"), superseded_at=None).exclude(grade="")
reads_along("columns_graded", Exists(_GRADED))


def _going_out(project: Project) -> Iterator[tuple[str, ColumnVerdict]]:
    """The columns that are in the newest result, in whatever form, with their verdicts."""
    run = latest_run(project)
    assert run is not None  # it was measured
    out = {one.table_id: set(one.report.get("columns_out", ())) for one in tables_of_run(run).values()}
    for table, round_ in rounds_now(project):
        for column, verdict in (verdicts_in(round_) if round_ is not None else {}).items():
            if column in out.get(table.pk, ()):
                yield column_label(label_of(table), column), verdict


def sensitive_columns(project: Project) -> list[str]:
    """The columns that a person judged to be sensitive attributes, of all tables."""
    rounds = [one for _table, one in rounds_now(project) if one is not None]
    return [
        column
        for one in rounds
        for column, verdict in verdicts_in(one).items()
        if verdict.role == ColumnRole.SENSITIVE
    ]


def _rule(project: Project, grade: Classification) -> tuple[GradeRule | None, int]:
    policy = policy_for(project)
    return (policy.rules[grade.value] if grade in GRADED else None), policy.version


def _of_sharing(project: Project, grade: Classification) -> Missing:
    rule, version = _rule(project, grade)
    if rule is None:
        return [_("Core data never leave: no sharing type is allowed for them.")]
    if project.sharing_type in rule.sharing:
        return []
    allowed = [str(one.label) for one in SharingType if one.value in rule.sharing]
    facts = {
        "grade": grade.label,
        "sharing": SharingType(project.sharing_type).label,
        "version": version,
        "allowed": _(", ").join(allowed),
    }
    if not allowed:
        return [_("%(grade)s may not be shared at all, by version %(version)s of the grading.") % facts]
    text = _(
        "%(grade)s may not be shared by “%(sharing)s”: version %(version)s of the grading allows %(allowed)s."
    )
    return [text % facts]


def _of_k(project: Project, grade: Classification, k: int) -> Missing:
    rule, version = _rule(project, grade)
    if rule is None or not version or k >= rule.minimum_k:
        return []
    text = _(
        "%(grade)s requires a smallest class of at least %(least)d by version %(version)s of the grading, not %(k)d."
    )
    return [text % {"grade": grade.label, "least": rule.minimum_k, "version": version, "k": k}]

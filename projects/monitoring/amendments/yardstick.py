"""What a release is measured by in its re-assessments: what was signed, with what approved amendments put in its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from projects.core.models import Project
from projects.identification.enums import ENGINE_ROLE, ColumnRole
from projects.identification.models import ColumnVerdict
from projects.objective.models import PlanVersion
from projects.objective.selectors import plan_versions, risk_targets, signed_plan
from projects.objective.surroundings.context import assessments_of
from projects.objective.targets.risk import RiskTargets
from projects.objective.targets.utility import parse_utility

from ..enums import AmendmentKind, AmendmentOutcome
from ..models import Amendment
from .selectors import amendments_of

if TYPE_CHECKING:
    from projects.verification.gate.case import Case

CONTEXT = ("context_risk", "context_reason")
"""What of the targets is about the surroundings: only an amendment of these replaces it."""


@dataclass(frozen=True)
class Yardstick:
    """``signed`` are the targets of the plan, ``risk`` those that count; ``assessed`` is the assessment of the surroundings that
    counts, as {answers, finding, number}, and ``columns`` the (table, column) whose role was amended. ``amendments`` has those in
    force in the order of their decisions. ``plan``: the approved version whose other targets count, None where they are the saved ones."""

    signed: RiskTargets
    risk: RiskTargets
    assessed: Mapping[str, Any] | None
    columns: Mapping[tuple[str, str], str]
    amendments: Sequence[Amendment]
    plan: PlanVersion | None = None

    def last(self, kind: AmendmentKind) -> Amendment | None:
        """The amendment of this kind that counts; of columns the newest of several."""
        return next((one for one in reversed(self.amendments) if one.kind == kind), None)

    def on(self, kind: AmendmentKind) -> str:
        """The day of its decision, "" where nothing of this kind was amended."""
        found = self.last(kind)
        return localdate(found.decided_at).isoformat() if found and found.decided_at else ""

    def applied(self, case: Case, table: str) -> Case:
        """What the gate judges about one table, by this yardstick."""
        from techniques.core.attributes import AttributeRole

        named = {column: role for (of, column), role in self.columns.items() if of == table}
        roles = {column: AttributeRole(ENGINE_ROLE[ColumnRole(role)]) for column, role in named.items()}
        assessed = self.assessed
        if self.plan is not None:
            said = self.plan.content
            case = replace(
                case,
                sharing_type=said["sharing_type"],
                utility=parse_utility(said["utility"] or []),
                factors=said["factors"],
                scope=said["scope"],
            )
        return replace(
            case,
            risk=self.risk,
            assessment=None if assessed is None else {"number": assessed["number"], **assessed["finding"]},
            roles={**case.roles, **roles},
            unjudged=frozenset(case.unjudged) - frozenset(named),
        )


def yardstick_of(project: Project) -> Yardstick:
    """That of today."""
    plan = signed_plan(project)
    approved = [one for one in amendments_of(project) if one.outcome == AmendmentOutcome.APPROVED]
    of_plan = [one for one in approved if one.kind != AmendmentKind.COLUMNS]
    overtaken = _overtaken(project, of_plan, plan) if of_plan else []
    approved = sorted((one for one in approved if one not in overtaken), key=_decided_at)
    assessments = assessments_of(project)
    if plan is None:
        signed, newest = risk_targets(project), assessments.first()
    else:
        signed = RiskTargets(**plan[0].content["risk"])
        newest = assessments.filter(made_at__lte=plan[1]).first()
    assessed: dict[str, Any] | None = None
    if newest is not None:
        assessed = {"answers": newest.answers, "finding": newest.finding, "number": newest.number}
    risk, context = signed, {name: getattr(signed, name) for name in CONTEXT}
    columns: dict[tuple[str, str], str] = {}
    for one in approved:
        if one.kind == AmendmentKind.TARGETS:
            risk = RiskTargets(**one.content)
        elif one.kind == AmendmentKind.SURROUNDINGS:
            number = assessed["number"] if assessed else 0
            assessed = {
                "answers": one.content["answers"],
                "finding": one.content["finding"],
                "number": number,
            }
            context = {
                "context_risk": probability_of(one.content["finding"]),
                "context_reason": _("By amendment %(number)s of the surroundings.") % {"number": one.number},
            }
        else:
            columns |= _unjudged_since(one)
    risk = risk.model_copy(update={**context, "circulation": signed.circulation})
    return Yardstick(signed, risk, assessed, columns, approved, plan[0] if plan else None)


def _decided_at(amendment: Amendment) -> datetime:
    assert amendment.decided_at is not None  # it was approved
    return amendment.decided_at


def _overtaken(
    project: Project, amendments: Sequence[Amendment], plan: tuple[PlanVersion, datetime] | None
) -> list[Amendment]:
    """Those after which a plan with other risk targets was submitted: it says itself what counts. A plan that leaves the targets as
    they were says nothing about them, and drops no amendment; nor does one after the ``plan`` that counts, if one is named."""
    versions = [one for one in plan_versions(project) if plan is None or one.number <= plan[0].number]
    found = []
    for one in amendments:
        before = next((v for v in versions if v.created_at <= _decided_at(one)), None)
        now = versions[0] if versions else None
        if now is not None and before is not None and now.content.get("risk") != before.content.get("risk"):
            found.append(one)
    return found


def _unjudged_since(amendment: Amendment) -> dict[tuple[str, str], str]:
    """The roles that it gives, but of columns about which a verdict was given later."""
    later = ColumnVerdict.objects.filter(
        project=amendment.project_id, superseded_at=None, decided_at__gt=_decided_at(amendment)
    )
    judged = set(later.values_list("dataset__table__name", "column"))
    return {
        (row["table"], row["column"]): row["role"]
        for row in amendment.content
        if not any(row["table"] in ("", table) and row["column"] == column for table, column in judged)
    }


def probability_of(finding: Mapping[str, Any]) -> float:
    """The probability of an attempt as targets keep it."""
    return max(round(float(finding["value"]), 6), 1e-6)

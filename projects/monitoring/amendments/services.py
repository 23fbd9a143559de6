"""The only writer of amendments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Max
from django.utils import timezone

from approvals.audit.proof import explained_require
from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.models import Project
from projects.core.rules import CoreReason
from projects.core.services import notify, project_lock
from projects.identification.enums import ColumnRole
from projects.jobs.selectors import latest_job
from projects.objective.targets.risk import RiskTargets, for_sharing
from projects.objective.targets.strictness import changes
from projects.workflow import Role
from techniques.core.canonical import canonical_hash
from techniques.disclosure_risk.scales.context import ContextAnswers, assess_context

from .. import events
from ..enums import OPEN_AMENDMENTS, AmendmentKind, AmendmentOutcome
from ..measuring import MEASURE_JOB, reassessment_measure_start
from ..models import Amendment, Reassessment
from . import rules
from .selectors import NOTHING, amendable_roles
from .yardstick import CONTEXT, Yardstick, yardstick_of


def targets_propose(reassessment: Reassessment, *, risk: RiskTargets, why: str, by: Person) -> Amendment:
    """Propose other risk targets; those about the surroundings stay as they are, and so does how far the data travel: agreements
    are made by what was signed."""
    risk = for_sharing(risk, reassessment.project.sharing_type)

    def content(now: Yardstick) -> tuple[Any, Any]:
        kept = {name: getattr(now.risk, name) for name in (*CONTEXT, "circulation")}
        proposed, former = risk.model_copy(update=kept), now.risk.model_dump(mode="json")
        # Another reason alone asks for nothing else.
        return proposed.model_dump(mode="json") if changes(now.risk, proposed) else former, former

    return _propose(reassessment, AmendmentKind.TARGETS, content, why=why, by=by)


def surroundings_propose(
    reassessment: Reassessment, *, answers: Mapping[str, Any], why: str, by: Person
) -> Amendment:
    """Propose other answers about the surroundings. Raises EngineError for answers that are missing or out of range."""
    said = ContextAnswers.from_data(dict(answers))

    def content(now: Yardstick) -> tuple[Any, Any]:
        sharing: Any = reassessment.project.sharing_type
        found = assess_context(said, now.risk.overall_threshold, sharing).as_dict(said)
        assessed = now.assessed or {}
        former = {
            "value": now.risk.context_risk,
            "answers": assessed.get("answers"),
            "finding": assessed.get("finding"),
        }
        proposed = {"answers": found["answers"], "finding": found["finding"]}
        # The same answers about the same threshold say nothing new.
        return proposed, proposed if proposed["answers"] == former["answers"] else former

    return _propose(reassessment, AmendmentKind.SURROUNDINGS, content, why=why, by=by)


def columns_propose(
    reassessment: Reassessment, *, columns: Sequence[tuple[str, str]], role: ColumnRole, why: str, by: Person
) -> Amendment:
    """Propose that columns of the release, by table and name, are quasi-identifiers or sensitive attributes."""

    def content(now: Yardstick) -> tuple[Any, Any]:
        held = amendable_roles(reassessment.release) | dict(now.columns)
        named = [one for one in dict.fromkeys(columns) if one in held and held[one] != role]
        rows = [{"table": table, "column": column, "role": str(role)} for table, column in named]
        return rows, [row | {"role": held.get((row["table"], row["column"]), NOTHING)} for row in rows]

    return _propose(reassessment, AmendmentKind.COLUMNS, content, why=why, by=by)


def _propose(
    reassessment: Reassessment, kind: AmendmentKind, content: Any, *, why: str, by: Person
) -> Amendment:
    """``content`` makes what is proposed, and what it replaces, from the yardstick in force. A proposal of the same kind that
    is not decided yet is replaced."""
    project, why = reassessment.project, why.strip()
    with recording(events.AMENDMENT_PROPOSED, by=by, project_id=project.pk, reason=why) as event:
        project = project_lock(project)
        reassessment = _locked(reassessment)
        rules.may_propose(by, reassessment, kind).require()
        if not why:
            deny(CoreReason.REASON_NEEDED).require()
        proposed, former = content(yardstick_of(project))
        if proposed == former:
            deny(rules.AmendmentReason.NOTHING_CHANGES).require()
        earlier = Amendment.objects.filter(project=project)
        earlier.filter(kind=kind, outcome__in=OPEN_AMENDMENTS).update(outcome=AmendmentOutcome.REPLACED)
        amendment = Amendment(
            project=project,
            reassessment=reassessment,
            number=(earlier.aggregate(last=Max("number"))["last"] or 0) + 1,
            kind=kind,
            content=proposed,
            former=former,
            why=why,
            proposed_by=by,
        )
        amendment.content_hash = canonical_hash([str(reassessment.pk), str(kind), proposed, former, why])
        amendment.save(force_insert=True)
        event.subject = amendment.subject
        notify(project, events.AMENDMENT_PROPOSED, (Role.SUPERVISOR,), by=by, reason=why)
        return amendment


def amendment_review(
    amendment: Amendment, *, passed: bool, review: str, seen_hash: str, by: Person
) -> Amendment:
    """The supervisor passes an amendment on to senior management, or refuses it."""
    action = events.AMENDMENT_REVIEWED if passed else events.AMENDMENT_REFUSED
    review = review.strip()
    with recording(action, by=by, about=amendment, reason=review):
        project, amendment = _for_judging(amendment)
        rules.may_review(by, amendment).require()
        _require_judged(amendment, review, seen_hash)
        amendment.outcome = AmendmentOutcome.REVIEWED if passed else AmendmentOutcome.REFUSED
        amendment.review, amendment.reviewed_by, amendment.reviewed_at = review, by, timezone.now()
        amendment.save()
        notified = (Role.MANAGEMENT, Role.PLANNER) if passed else (Role.PLANNER,)
        notify(project, action, notified, by=by, reason=review)
        return amendment


def amendment_decide(
    amendment: Amendment, *, approve: bool, reason: str, seen_hash: str, by: Person
) -> Amendment:
    """Senior management approves an amendment, and every open re-assessment of the release is measured by it, or refuses it."""
    action = events.AMENDMENT_APPROVED if approve else events.AMENDMENT_REFUSED
    reason = reason.strip()
    with recording(action, by=by, about=amendment, reason=reason):
        project, amendment = _for_judging(amendment)
        rules.may_decide(by, amendment).require()
        _require_judged(amendment, reason, seen_hash)
        explained_require(project.pk, by=by)
        amendment.outcome = AmendmentOutcome.APPROVED if approve else AmendmentOutcome.REFUSED
        amendment.decision, amendment.decided_by, amendment.decided_at = reason, by, timezone.now()
        amendment.save()
        if approve:
            still_open = Reassessment.objects.filter(
                project=project, release=amendment.reassessment.release_id, concluded_at=None
            )
            for one in still_open.exclude(opened_at=None).select_related("project"):
                measuring = latest_job(project, MEASURE_JOB, one.pk)
                # One that is under way looks at its end whether the yardstick is still the same.
                if measuring is None or not measuring.is_active:
                    reassessment_measure_start(one, by=by)
        notify(project, action, (Role.PLANNER, Role.SUPERVISOR), by=by, reason=reason)
        return amendment


def amendments_lapse(reassessment: Reassessment) -> None:
    """What was proposed within a re-assessment and not decided ends with its conclusion; called in that act."""
    for amendment in Amendment.objects.filter(reassessment=reassessment, outcome__in=OPEN_AMENDMENTS):
        with recording(events.AMENDMENT_LAPSED, by=None, about=amendment):
            amendment.outcome = AmendmentOutcome.LAPSED
            amendment.save()


def _for_judging(amendment: Amendment) -> tuple[Project, Amendment]:
    project = project_lock(amendment.project)
    locked = Amendment.objects.select_for_update(of=("self",))
    people = ("proposed_by", "reviewed_by")
    found = locked.select_related("project", "reassessment__release", *people).get(pk=amendment.pk)
    return project, found


def _require_judged(amendment: Amendment, said: str, seen_hash: str) -> None:
    """A reason is given, about exactly what was on the screen."""
    if not said:
        deny(CoreReason.REASON_NEEDED).require()
    if seen_hash != amendment.content_hash:
        deny(rules.AmendmentReason.OTHER_CONTENT).require()


def _locked(reassessment: Reassessment) -> Reassessment:
    locked = Reassessment.objects.select_for_update(of=("self",))
    return locked.select_related("project", "release").get(pk=reassessment.pk)

"""The only writer of the target and of the versions of its plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from approvals.audit.recording import recording
from approvals.decisions.models import Decision
from approvals.decisions.selectors import open_signoff
from approvals.decisions.services import signoff_decide, signoffs_lapse_stale
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny
from projects.core.enums import SharingType
from projects.core.evidence import work_of
from projects.core.models import Project
from projects.core.rules import CoreReason, stead_of
from projects.core.services import project_lock, project_move
from projects.workflow import STATES, Stage, State
from techniques.core.canonical import canonical_hash

from . import events
from .enums import Part
from .models import Objective, PartDraft, PlanVersion, PrivacyNotice, SavedPlan
from .plan.saved.answers import SECTIONS, Answers, answers_of
from .rules import PLAN, ObjectiveReason, may_decide, may_edit, may_edit_after_sharing
from .selectors import basis_hash, plan_content, plan_hash, plan_latest
from .surroundings.profile.protections import narrows
from .targets.content import Factors, Plan, Scope
from .targets.grounds import grounds_for
from .targets.risk import RiskTargets, for_sharing
from .targets.utility import utility_defaults


def sharing_choose(
    project: Project, *, sharing_type: SharingType, irrevocable_understood: bool = False, by: Person
) -> Project:
    """Step 1 (table 1). A changed type discards the risk targets, so that its own defaults are looked at."""
    sharing_type = SharingType(sharing_type)
    with recording(events.SHARING_CHOSEN, by=by, about=project, new=str(sharing_type)) as event:
        project = project_lock(project)
        may_edit(by, project).require()
        if sharing_type is SharingType.PUBLIC and not irrevocable_understood:
            deny(ObjectiveReason.IRREVOCABLE).require()
        event.facts["old"] = project.sharing_type
        changed = project.sharing_type != sharing_type
        project.sharing_type = sharing_type
        project.save()
        if changed:
            Objective.objects.filter(project=project).update(risk=None)
        signoffs_lapse_stale(project_id=project.pk, kind=PLAN, current_hash=plan_hash(project), by=by)
        return project


def scope_save(project: Project, *, scope: Scope, by: Person) -> Objective:
    """Step 2: the object of de-identification (5.2.2). From then on the project rests on the versions of laws, standards and policies
    that hold now."""
    said = scope.model_dump(mode="json")
    return _save(project, Part.SCOPE, by, scope=said, rests_on=grounds_for(said["regulations"]) or None)


def notice_set(project: Project, *, notice: PrivacyNotice | None, by: Person) -> Objective:
    """Step 2: the privacy notice that counts (5.2.2 c), or none; ``notices`` keeps the files."""
    return _save(project, Part.SCOPE, by, notice=notice)


def factors_save(project: Project, *, factors: Factors, by: Person) -> Objective:
    """Step 3: the factors of the target (5.2.3). Raises a custom error when the profile of the surroundings allows what the
    sharing type does not permit."""
    return _save(project, Part.FACTORS, by, factors=factors.model_dump(mode="json"))


def risk_save(project: Project, *, risk: RiskTargets, by: Person) -> Objective:
    """Step 4: what risk is acceptable (5.2.3 d). Raises a custom error when the sharing type does not allow it."""
    return _save(project, Part.TARGETS, by, risk=risk.model_dump(mode="json"))


def utility_save(project: Project, *, targets: list[Any], by: Person) -> Objective:
    """Step 4: the least usefulness (5.2.3 a), models of ``techniques.data_utility.targets``."""
    return _save(project, Part.TARGETS, by, utility=[t.model_dump(mode="json") for t in targets])


def utility_add(project: Project, *, target: Any, by: Person) -> Objective:
    """Add one utility target; a target that is there already is not added twice."""
    row = target.model_dump(mode="json")
    return _utility_change(project, lambda rows: rows if row in rows else [*rows, row], by)


def utility_suggested_add(project: Project, *, by: Person) -> Objective:
    """Add what the sharing type suggests and is not there yet."""

    def change(rows: list[Any]) -> list[Any]:
        suggested = utility_defaults(project_lock(project).sharing_type)
        return [*rows, *(row for row in suggested if row not in rows)]

    return _utility_change(project, change, by)


def utility_remove(project: Project, *, position: int, by: Person) -> Objective:
    """Remove the target at ``position``, from 0; nothing happens when there is none."""
    return _utility_change(
        project, lambda rows: [row for index, row in enumerate(rows) if index != position], by
    )


def _utility_change(project: Project, change: Callable[[list[Any]], list[Any]], by: Person) -> Objective:
    with governed_act():
        project = project_lock(project)
        may_edit_after_sharing(by, project).require()
        objective = Objective.objects.filter(project=project).first()
        rows = (objective.utility if objective else None) or []
        return _save(project, Part.TARGETS, by, utility=change(rows))


def plan_save(project: Project, *, plan: Plan, by: Person) -> Objective:
    """Step 5: the nine sections (5.2.4)."""
    return _save(project, Part.PLAN, by, plan=plan.model_dump(mode="json"))


def _save(project: Project, part: Part, by: Person, **values: Any) -> Objective:
    with recording(events.PART_SAVED, by=by, about=project, part=part.value) as event:
        project = project_lock(project)
        may_edit_after_sharing(by, project).require()
        if values.get("risk"):
            for_sharing(RiskTargets(**values["risk"]), project.sharing_type)
        if values.get("factors"):
            narrows(Factors(**values["factors"]), project.sharing_type)
        objective = Objective.objects.filter(project=project).first() or Objective(project=project)
        for name, value in values.items():
            setattr(objective, name, value)
        objective.changed_by = by
        if part == Part.PLAN:
            objective.plan_basis = basis_hash(project)
        objective.save()
        if not values.keys() & {"utility", "notice"}:  # those have forms of their own
            PartDraft.objects.filter(project=project, part=part).delete()
        event.facts["content"] = digest = plan_hash(project)
        signoffs_lapse_stale(project_id=project.pk, kind=PLAN, current_hash=digest, by=by)
        return objective


def draft_keep(
    project: Project, *, part: Part, entries: dict[str, list[str]], seen: str, by: Person
) -> PartDraft:
    """Keep what a step's form holds so far; ``entries`` are texts per field, ``seen`` what was saved when it was opened."""
    with governed_act():
        project = project_lock(project)
        may_edit_after_sharing(by, project).require()
        kept = {"entries": entries, "seen": seen, "saved_by": by, "copied_from": "", "saved_plan": None}
        return PartDraft.objects.update_or_create(project=project, part=part, defaults=kept)[0]


def target_copy(project: Project, *, source: Project, by: Person) -> None:
    """Begin with what ``source`` says: its sharing type, and drafts of its answers but for those that have to be given anew.

    The sections of the plan are suggested anew from the answers. What is completely public is confirmed each time, so that its sharing
    type is left to be chosen.
    """
    said = answers_of(source)
    if said is not None:
        answers_begin(project, answers=said.without(Part.PLAN, SECTIONS), copied_from=source.number, by=by)


def answers_begin(
    project: Project, *, answers: Answers, by: Person, copied_from: str = "", saved: SavedPlan | None = None
) -> None:
    """Begin with the sharing type of ``answers`` and drafts of the rest: those of the project of the number ``copied_from``, or of a
    template."""
    with governed_act():
        sharing_choose(project, sharing_type=answers.sharing_type, by=by)
        for part, entries in answers.parts.items():
            if entries:
                PartDraft.objects.create(
                    project=project,
                    part=part,
                    entries=entries,
                    saved_by=by,
                    copied_from=copied_from,
                    saved_plan=saved,
                )


def draft_discard(project: Project, *, part: Part, by: Person) -> None:
    """Throw away what was left half filled in a step; what is saved there stays."""
    with governed_act():
        project = project_lock(project)
        may_edit_after_sharing(by, project).require()
        PartDraft.objects.filter(project=project, part=part).delete()


def plan_freeze(project: Project, *, by: Person) -> PlanVersion:
    """The version that a review will judge: a new one, unless nothing changed since the last."""
    content = plan_content(project)
    digest = canonical_hash(content)
    latest = plan_latest(project)
    if latest is not None and latest.content_hash == digest:
        return latest
    with recording(events.PLAN_FROZEN, by=by, project_id=project.pk) as event:
        version = PlanVersion.objects.create(
            project=project,
            number=latest.number + 1 if latest else 1,
            content=content,
            content_hash=digest,
            created_by=by,
        )
        event.subject, event.facts["number"] = version.subject, version.number
        return version


def objective_decide(
    project: Project, *, decision: Decision, reason: str, by: Person, content: str = ""
) -> Project:
    """Senior management's decision (5.2.4): the sign-off and the move, both or neither.

    ``content`` is the hash of the plan that they had before them; another one that waits now is not decided by it.
    """
    decision = Decision(decision)
    with recording(events.PLAN_DECIDED, by=by, about=project, reason=reason) as event:
        project = project_lock(project)
        may_decide(by, project).require()
        if not reason.strip():
            deny(CoreReason.REASON_NEEDED).require()
        request = open_signoff(project.pk, PLAN)
        assert request is not None
        if content and content != request.subject_hash:
            deny(ObjectiveReason.OTHER_PLAN).require()
        event.facts.update(decision=str(decision), content=request.subject_hash)
        work = work_of(project, Stage.OBJECTIVE) if decision == Decision.RETURNED else ""
        stead = stead_of(by, project)
        signoff_decide(
            request, decision=decision, reason=reason.strip(), by=by, work_hash=work, in_stead_of=stead
        )
        move = STATES[State.PLAN_APPROVAL].outcomes[decision]
        return project_move(project, move=move, by=by, reason=reason.strip())

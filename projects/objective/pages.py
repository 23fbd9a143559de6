"""What the pages of the target show; queries and wording, no decisions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.forms import BaseForm
from django.template.defaultfilters import linebreaksbr
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from approvals.decisions.selectors import open_signoff, reviews_of, signoffs_of
from approvals.governance.person import Person
from projects.core.enums import SharingType
from projects.core.models import Project
from projects.core.returns import current_return, returns_to_judge
from projects.core.rules import has_role
from projects.core.selectors import visible_projects
from projects.jobs.selectors import jobs_of
from projects.workflow import Role, Stage, State

from . import selectors
from .completeness import NEED_URL, STEP_URLS, MissingItem, missing_items
from .enums import APPROVAL_JOB, PLAN_JOB, Candidate, Part, Protection, Regulation, RiskModel, Section
from .forms import FactorsForm, RiskForm, ScopeForm
from .models import Objective, PlanVersion
from .plan.need.wording import need_rows
from .plan.sentences import as_read
from .plan.summary import plan_summary
from .presentation import (
    difference_rows,
    factor_rows,
    ground_rows,
    ground_text,
    plan_rows,
    risk_rows,
    scope_rows,
)
from .rules import PLAN, may_decide, may_edit, may_raise_need
from .surroundings.profile.presentation import profile_rows
from .targets.conflicts import conflicts
from .targets.content import RelatedRelease
from .targets.grounds import grounds_for
from .targets.register.selectors import last_lookup
from .targets.risk import TABLE_ONE, RiskTargets, risk_defaults
from .targets.utility import utility_defaults, utility_rows

MOST_RELATED = 100


def form_status(form: BaseForm | None) -> int:
    """422 for a form that was sent and refused."""
    return 422 if form is not None and form.is_bound and not form.is_valid() else 200


OVERTAKEN = "overtaken"
"""The code of the error that says what somebody else did after a page was opened."""
DRAFT_STAYS = gettext_lazy(
    "Someone else went on with the draft of this page after you opened it, so it was not discarded. Their entries are shown now."
)


@dataclass(frozen=True)
class Step:
    """One step of the wizard; ``state`` is done, current or todo."""

    number: int
    part: Part
    label: Any
    url: str
    state: str
    missing: tuple[Any, ...]


def steps(project: Project, missing: list[MissingItem], here: Part | None = None) -> list[Step]:
    """The five steps; before the sharing type is chosen only the first can be entered."""
    found = []
    for number, part in enumerate(Part, start=1):
        own = [item for item in missing if item.part == part]
        texts = tuple(item.text for item in own)
        open_ = part == Part.SHARING or bool(project.sharing_type)
        # A need is answered on a page of its own, and no step has anything left to do for it.
        done = open_ and all(item.page == NEED_URL for item in own)
        url = reverse(STEP_URLS[part], kwargs={"project_id": project.pk}) if open_ else ""
        state = "current" if part == here else "done" if done else "todo"
        found.append(Step(number, part, part.label, url, state, texts))
    return found


def step_frame(project: Project, user: Person, part: Part) -> dict[str, Any]:
    """What every step's page shows around its form."""
    missing = missing_items(project)
    all_steps = steps(project, missing, part)
    return {
        "project": project,
        "returned": current_return(project),
        "steps": all_steps,
        "step": next(s for s in all_steps if s.part == part),
        "step_count": len(all_steps),
        "seen": seen_of(project, part),
        "drafted": drafted_of(project, [part], user),
        "draft": selectors.drafts_of(project).get(part),
    }


def seen_of(project: Project, part: Part) -> str:
    """Tells whether what a step's page shows was saved anew since somebody opened it."""
    stored = _stored(project, part)
    return hashlib.sha256(json.dumps(stored, sort_keys=True).encode()).hexdigest()[:16]


def drafted_of(project: Project, parts: Sequence[Part], user: Person) -> str:
    """Tells whether somebody other than ``user`` went on with a draft since a page was opened; "" where nobody else has left one."""
    drafts = selectors.drafts_of(project)
    others = [drafts[part] for part in parts if part in drafts and drafts[part].saved_by_id != user.pk]
    left = [[one.part, one.saved_by_id, one.saved_at.isoformat()] for one in others]
    return hashlib.sha256(json.dumps(left, default=str).encode()).hexdigest()[:16] if left else ""


def is_saved(project: Project, part: Part) -> bool:
    """Whether there is anything that saving a step would replace."""
    stored = _stored(project, part)
    return any(stored) if isinstance(stored, list) else bool(stored)


def _stored(project: Project, part: Part) -> Any:
    objective = selectors.objective_of(project)
    stored: dict[Part, Callable[[], Any]] = {
        Part.SHARING: lambda: project.sharing_type,
        Part.SCOPE: lambda: objective and objective.scope,
        Part.FACTORS: lambda: objective and objective.factors,
        Part.TARGETS: lambda: objective and [objective.risk, objective.utility],
        Part.PLAN: lambda: objective and objective.plan,
    }
    return stored[part]()


def overtaken(project: Project, parts: Sequence[Part], seen: str) -> str:
    """Why what is sent may not replace what is saved: somebody saved it after the page was opened, or the page that was sent does not
    say what it showed. "" where nothing stands against it."""
    if seen == "-".join(seen_of(project, part) for part in parts):
        return ""
    if seen:
        return _("Someone saved this page after you opened it.")
    if any(is_saved(project, part) for part in parts):
        return _(
            "Something has already been saved here, and your submission does not show whether you saw it."
        )
    return ""


def drafted_meanwhile(project: Project, parts: Sequence[Part], sent: Mapping[str, Any], user: Person) -> str:
    """Why what is ``sent`` may not replace a draft: somebody else went on with it after the page was opened. "" where nobody did."""
    if drafted_of(project, parts, user) in ("", sent.get("drafted", "")):
        return ""
    return _(
        "Someone else went on with the draft of this page after you opened it. Open the page in another window to see their entries; saving again discards them."
    )


def shown_before(sent: Mapping[str, Any]) -> dict[str, Any]:
    """What a page that is shown again goes on from: what was there when it was first opened, until what came since is named on it."""
    return {name: sent.get(name, "") for name in ("seen", "drafted")}


def _linked(rows: list[dict[str, str]], url: str) -> list[dict[str, Any]]:
    """Rows for a summary list, lines kept; with ``url`` each leads to the page where it is changed."""
    return [
        {"key": row["key"], "value": linebreaksbr(row["value"], autoescape=True), "hint": row["hint"]}
        | ({"url": url, "action": _("Change")} if url else {})
        for row in rows
    ]


def overview(project: Project, user: Person) -> dict[str, Any]:
    """The overview page: every part as rows, what is missing with links, documents and versions."""
    objective = selectors.objective_of(project) or Objective(project=project)
    missing = missing_items(project)
    verdict = may_edit(user, project)

    def url(name: str) -> str:
        return reverse(name, kwargs={"project_id": project.pk}) if verdict else ""

    return {
        "edit_verdict": verdict,
        "decide_verdict": may_decide(user, project) if project.state == State.PLAN_APPROVAL else None,
        "steps": steps(project, missing),
        "missing_rows": [
            {"label": item.text, "state": "todo", "url": item.url(project) if verdict else ""}
            for item in missing
        ],
        "need": objective.need,
        "need_rows": _linked(need_rows(objective.need.content if objective.need else None), ""),
        "may_raise": may_raise_need(user, project),
        "sharing_url": url("objective:sharing"),
        "notice": objective.notice,
        "scope_rows": _linked(
            scope_rows(objective.scope) + ground_rows(objective.rests_on), url("objective:scope")
        ),
        "newer": _newer(objective),
        "factor_rows": _linked(
            factor_rows(objective.factors) + profile_rows(objective.factors, project.sharing_type),
            url("objective:factors"),
        ),
        "risk_url": url("objective:risk"),
        "utility_url": url("objective:utility"),
        "plan_rows": plan_rows(objective.plan),
        "plan_url": url("objective:plan_edit"),
        "may_keep_template": has_role(user, project, Role.PLANNER),
        **_targets(project, objective),
    } | versions(project)


def _newer(objective: Objective) -> list[str]:
    """What the policy library has now beside or instead of what the target rests on; the first to say so is what is missing."""
    if objective.scope is None or objective.project.state == State.OBJECTIVE_DRAFT:
        return []
    held = objective.rests_on or []
    return [ground_text(one) for one in grounds_for(objective.scope["regulations"]) if one not in held]


def _targets(project: Project, objective: Objective) -> dict[str, Any]:
    """Sharing type and targets as rows; no risk targets before they were saved."""
    risk = objective.risk if project.sharing_type else None
    return {
        "table_row": next((row for row in TABLE_ONE if row.sharing_type == project.sharing_type), None),
        "is_public": project.sharing_type == SharingType.PUBLIC,
        "risk_rows": risk_rows(RiskTargets(**risk), project.sharing_type) if risk is not None else None,
        "utility_rows": utility_rows(objective.utility or []),
        "conflicts": [
            _(text)
            for text in conflicts(objective.scope or {}, objective.factors or {}, project.sharing_type)
        ],
    }


def versions(project: Project) -> dict[str, Any]:
    """The submitted versions, the documents of the last one, the job that writes them, and what changed since."""
    # Whether there is any is known already.
    found = selectors.plan_versions(project) if selectors.plan_latest(project) is not None else []
    latest = found[0] if found else None
    current = selectors.plan_hash(project)
    changed = latest is not None and latest.content_hash != current
    return {
        "versions": found,
        "latest": latest,
        "current_hash": current,
        "plan_changed": changed,
        "changes": difference_rows(latest.content, selectors.plan_content(project))
        if latest and changed
        else [],
        "documents": selectors.plan_documents(latest) if latest else [],
        "job": _document_job(project, latest) if latest else None,
    }


def _document_job(project: Project, version: PlanVersion) -> Any:
    """The younger of the two jobs that write a version's documents."""
    decided = selectors.signoff_about(version)
    about = {str(version.pk), str(decided.pk) if decided else ""}
    jobs = jobs_of(project).filter(kind__in=(PLAN_JOB, APPROVAL_JOB), subject_id__in=about)
    return jobs.order_by("-created_at").first()


def decision(project: Project) -> dict[str, Any]:
    """What management decides from: plan, targets, the review record, documents, and the last decision's diff."""
    objective = selectors.objective_of(project) or Objective(project=project)
    found = versions(project)
    latest: PlanVersion | None = found["latest"]
    earlier = found["versions"][1] if len(found["versions"]) > 1 else None
    targets, returns = _targets(project, objective), returns_to_judge(project, Stage.OBJECTIVE)
    return (
        found
        | targets
        | {
            "returns": returns,
            "sign": plan_summary(project, objective, targets=targets, returns=returns),
            "request_row": open_signoff(project.pk, PLAN),
            "past": [row for row in signoffs_of(project.pk) if row.subject_kind == PLAN],
            "reviews": [row for row in reviews_of(project.pk) if row.stage == Stage.OBJECTIVE],
            "sections": plan_rows(objective.plan),
            "earlier": earlier,
            "since_earlier": difference_rows(earlier.content, latest.content) if earlier and latest else [],
        }
    )


def history_of(project: Project, user: Person, scope: Mapping[str, Any]) -> list[RelatedRelease]:
    """The other projects that a new release may be linked with (5.2.2 f), newest first: those that ``user`` may see, drafts
    too, because they may be released first; and what was ticked before but is no longer among them."""
    history = [
        RelatedRelease(
            number=other.number, title=other.title, sharing_type=other.sharing_type, state=other.state
        )
        for other in visible_projects(user).exclude(pk=project.pk)[:MOST_RELATED]
    ]
    last = last_lookup(project)
    found = {one.number: one.related for one in last.releases} if last is not None else {}
    history = [found.pop(row.number, row) for row in history] + list(found.values())
    known = {row.number for row in history}
    kept = [RelatedRelease(**row) for row in scope.get("related", []) if row["number"] not in known]
    return history + kept


# What each sharing type makes necessary (3.12 to 3.14), ticked beforehand.
_PROTECTIONS = {
    SharingType.PUBLIC: [Protection.NO_CONTROL],
    SharingType.CONTROLLED: [Protection.AGREEMENT, Protection.NAMED_PEOPLE, Protection.ACCESS_LOG],
    SharingType.ENCLAVE: [Protection.VIEW_ONLY, Protection.ACCESS_LOG, Protection.WATERMARK],
}


def scope_initial(project: Project) -> dict[str, Any]:
    """What the project says of itself, and the rules that all personal information is under."""
    return {"use": project.summary, "regulations": [Regulation.PIPL.value, Regulation.GBT_35273.value]}


# What the suggested recipe is made of, and the model that the targets are about.
_CANDIDATES = (
    Candidate.SUPPRESSION,
    Candidate.PSEUDONYMISATION,
    Candidate.GENERALISATION,
    Candidate.K_ANONYMITY,
)


def factors_initial(project: Project, objective: Objective | None) -> dict[str, Any]:
    """What was saved, else what the sharing type suggests: no text of the scope answers another question."""
    if objective is not None and objective.factors is not None:
        return FactorsForm.initial_of(objective.factors)
    return {
        **FactorsForm.initial_of({}),
        "protections": [p.value for p in _PROTECTIONS[SharingType(project.sharing_type)]],
        "risk_model": RiskModel.CLASS_SIZES.value,
        "candidates": [candidate.value for candidate in _CANDIDATES],
    }


def scope_form(project: Project, user: Person, objective: Objective | None, sent: Any = None) -> ScopeForm:
    """The six factors as they were saved, else as the project suggests them."""
    stored = (objective.scope if objective else None) or {}
    draft = selectors.drafts_of(project).get(Part.SCOPE)
    # What begins like another project answers the use anew.
    suggested = {} if draft is not None and draft.is_copied else scope_initial(project)
    initial = ScopeForm.initial_of(stored) if stored else suggested
    last = last_lookup(project)
    return ScopeForm(
        sent,
        initial=initial,
        history=history_of(project, user, stored),
        register_names=last is not None and bool(last.found),
    )


def factors_form(project: Project, objective: Objective | None, sent: Any = None) -> FactorsForm:
    initial = factors_initial(project, objective)
    return FactorsForm(sent, initial=initial, sharing_type=project.sharing_type)


def risk_form(project: Project, objective: Objective | None, sent: Any = None) -> RiskForm:
    """The acceptable risk as it was saved, else as the sharing type suggests it."""
    stored = objective.risk if objective else None
    targets = RiskTargets(**stored) if stored else risk_defaults(project.sharing_type)
    return RiskForm(sent, initial=RiskForm.initial_of(targets), sharing_type=project.sharing_type)


def risk_context(project: Project, objective: Objective | None, sent: Any = None) -> dict[str, Any]:
    """What stands beside the questions about risk: what the sharing type suggests, of risk and of usefulness."""
    useful = (objective.utility if objective else None) or []
    return {
        "default_rows": risk_rows(risk_defaults(project.sharing_type), project.sharing_type),
        "useful": utility_rows(useful),
        "suggested": utility_rows([] if useful else utility_defaults(project.sharing_type)),
        # Ticked beforehand like the other targets that the sharing type suggests; sent again, it is as it was left.
        "takes_suggested": not sent or sent.get("useful") == "suggested",
    }


def changed_suggestions(
    stored: Mapping[str, str] | None, suggested: Mapping[str, str]
) -> list[dict[str, str]]:
    """Sections whose prefilled text now differs from what was saved, for comparison beside the form."""
    if stored is None:
        return []
    said = {section: as_read(stored[section.value]) for section in Section}
    return [
        {"label": str(section.label), "stored": said[section], "suggested": suggested[section.value]}
        for section in Section
        if suggested[section.value] and suggested[section.value] != said[section]
    ]


def plan_outdated(project: Project, objective: Objective | None) -> bool:
    """Whether what the plan was written about changed since."""
    return (
        objective is not None
        and objective.plan is not None
        and objective.plan_basis != selectors.basis_hash(project)
    )

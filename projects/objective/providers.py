"""Evidence that the target answers for, and what it does when the project moves, inside the transaction of the move."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from approvals.decisions.selectors import current_approval, open_signoff
from approvals.decisions.services import signoff_lapse, signoff_request
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from projects.core.audit_package.registry import Enclosure, encloses, signed_texts
from projects.core.deadlines import planned_by
from projects.core.enums import SharingType
from projects.core.evidence import Changes, Missing, provides, since_return, stage_content, stage_work
from projects.core.models import Project
from projects.core.pages import Judged, goes_on_at, judged_as
from projects.core.sentences import Sentence, kept, written_by_portal
from projects.core.services import TemplateSource, on_copy, on_move, on_sharing, template_source
from projects.datasets.store.enclosures import enclosure
from projects.datasets.store.holdings import HeldKind, Holder, holds_files
from projects.workflow import Evidence, Move, MoveRule, Stage
from techniques.core.canonical import canonical_hash, canonical_json

from .completeness import missing_items
from .models import PlanVersion, PrivacyNotice
from .notice.services import notices_of
from .plan import days
from .plan.documents import approval_document_start, plan_document_start
from .plan.need import home, triggers  # noqa: F401
from .plan.saved.services import SAVED_PLANS, saved_take
from .presentation import difference_rows, version_rows
from .rules import PLAN
from .selectors import plan_content, plan_current, plan_hash, plan_versions, plan_work
from .services import plan_freeze, sharing_choose, target_copy
from .targets.register import triggers as register_triggers  # noqa: F401

planned_by(days)

holds_files(Holder(PrivacyNotice, "stored", HeldKind.EVIDENCE, _("Privacy notice"), "name"))


@encloses
def notices(project: Project) -> Iterator[Enclosure]:
    """Those that submitted versions of the plan name, and the one that counts."""
    for notice in notices_of(project).filter(stored__destroyed_at=None):
        yield enclosure(f"privacy-notice-{notice.sha256[:12]}.{notice.kind}", notice.stored)


@provides(Evidence.OBJECTIVE_COMPLETE)
def objective_complete(project: Project) -> Missing:
    return [item.text for item in missing_items(project)]


@provides(Evidence.PLAN_APPROVED)
def plan_approved(project: Project) -> Missing:
    """A standing approval of exactly this content; one changed letter has another hash."""
    if current_approval(project.pk, kind=PLAN, content_hash=plan_hash(project)):
        return []
    return [_("Senior management's approval of exactly this version of the plan")]


@stage_content(Stage.OBJECTIVE)
def content(project: Project) -> Subject | None:
    """The frozen version, as long as it is what the target says."""
    version = plan_current(project)
    return None if version is None else version.subject


@signed_texts("plan")
def plans(project: Project) -> Iterator[str]:
    """Each version that was frozen."""
    for version in plan_versions(project):
        yield canonical_json(version.content)


@stage_work(Stage.OBJECTIVE)
def work(project: Project) -> str:
    return canonical_hash(plan_work(project))


@goes_on_at(Stage.OBJECTIVE)
def step_to_do(project: Project) -> str:
    """The step whose part is missing first; the overview, where it is submitted, once none is."""
    missing = missing_items(project)
    return missing[0].url(project) if missing else ""


def _judged_title() -> str:
    return str(_("Target and plan, version %(number)s"))


@written_by_portal
def _judged_titles() -> tuple[Sentence, ...]:
    return (Sentence(_judged_title, {"number": kept("[0-9]+")}),)


@judged_as(Stage.OBJECTIVE)
def judged(project: Project) -> Judged:
    version = plan_current(project)
    assert version is not None  # it is the content
    title = _judged_title() % {"number": version.number}
    return Judged(title, "objective/_judged.html", {"plan_content": version_rows(version.content)})


@since_return(PLAN)
def changes(project: Project, returned: Subject, at: datetime) -> Changes:
    version = PlanVersion.objects.get(project=project, pk=returned.id)
    return difference_rows(version.content, plan_content(project))


@on_copy
def begin_like(source: Project, project: Project, by: Person) -> None:
    target_copy(project, source=source, by=by)


template_source(TemplateSource(SAVED_PLANS.available, SAVED_PLANS.get, saved_take))


@on_sharing
def begin_shared(project: Project, sharing_type: SharingType, by: Person) -> None:
    sharing_choose(project, sharing_type=sharing_type, by=by)


@on_move
def react(project: Project, rule: MoveRule, by: Person) -> None:
    """Freeze and print on submission, ask for the signature after the review, tidy up after other ends."""
    if rule.move == Move.SUBMIT_OBJECTIVE:
        plan_document_start(plan_freeze(project, by=by), by=by)
    elif rule.move == Move.PASS_OBJECTIVE:
        version = plan_current(project)
        if version is not None:
            signoff_request(project_id=project.pk, subject=version.subject, by=version.created_by)
    elif rule.move == Move.APPROVE_PLAN:
        version = plan_current(project)
        if version is not None:
            approval_document_start(version, by=by)
    elif rule.ends_plan_request:
        request = open_signoff(project.pk, PLAN)
        if request is not None:
            signoff_lapse(request, why=rule.ends_plan_request, by=by)

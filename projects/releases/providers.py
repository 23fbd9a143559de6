"""Evidence that releases answer for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from approvals.decisions.selectors import signoffs_of
from approvals.governance.person import Person
from projects.core.audit_package.registry import Enclosure, encloses
from projects.core.enums import SharingType
from projects.core.evidence import Missing, provides
from projects.core.models import Project
from projects.core.pages import Pointer, goes_on_at, points_from
from projects.core.selectors import members_by_role
from projects.core.services import on_move
from projects.datasets.store.holdings import HeldKind, Holder, holds_files
from projects.datasets.upload.scans import scan_enclosure
from projects.objective.selectors import risk_targets
from projects.processing.models import Run
from projects.processing.recipes.objections import run_objections
from projects.processing.runs.designation.rule import Evidence as ResultEvidence
from projects.processing.runs.designation.selectors import adds_evidence, doubts
from projects.processing.runs.selectors import latest_run
from projects.verification.sign_off.recipients import RecipientLine, names_recipients
from projects.verification.sign_off.related import Related, related_of, tells_related
from projects.verification.sign_off.signers import RELEASE
from projects.workflow import Evidence, Move, MoveRule, Role, Stage, State

from .agreements.changes.selectors import changes_of, unsigned
from .agreements.checks import interval_text
from .agreements.parties import stays_within
from .deliveries.requests import events as fetch_events  # noqa: F401
from .deliveries.requests import home as fetch_home  # noqa: F401
from .deliveries.requests import triggers as fetch_triggers  # noqa: F401
from .models import Agreement, Delivery, RecipientChange, Release
from .relatives import lookup  # noqa: F401
from .relatives.outside import events, triggers  # noqa: F401
from .relatives.outside import lookup as outside_lookup  # noqa: F401
from .relatives.presentation import summary
from .relatives.selectors import relatives_of
from .relatives.services import measurement_start_due, measurements_start_waiting
from .selectors import agreements_all, agreements_of, current_release

holds_files(
    Holder(Agreement, "scan", HeldKind.EVIDENCE, gettext_lazy("Scan of a signed agreement"), "organisation"),
    Holder(RecipientChange, "scan", HeldKind.EVIDENCE, gettext_lazy("Scan of a signed agreement"), "number"),
)


@encloses
def scans(project: Project) -> Iterator[Enclosure]:
    """Of each signed agreement; a change that was approved has the scan of its agreement."""
    for agreement in agreements_of(project).select_related("scan"):
        if agreement.scan is not None:
            yield scan_enclosure(f"agreement-{agreement.signed_on:%Y%m%d}", agreement.scan)
    for change in changes_of(project).filter(agreement=None).select_related("scan"):
        yield scan_enclosure(f"recipient-change-{change.number}", change.scan)


@goes_on_at(Stage.RELEASE)
def step_to_do(project: Project) -> str:
    """The agreement first, where a recipient has none in force, or one that has to be made anew."""
    recipients = members_by_role(project).get(Role.RECIPIENT, [])
    if project.sharing_type == SharingType.PUBLIC:
        return ""
    if not _without_agreement(project, recipients) and not _without_country(project, recipients):
        return ""
    return reverse("releases:agreement", kwargs={"project_id": project.pk})


@provides(Evidence.RELEASE_READY)
def release_ready(project: Project) -> Missing:
    """Unless the data are for everybody, a recipient and an agreement in force with each recipient whom senior management has
    signed, the others stop nobody; before the release, where each of them is; and a result that the policy about cryptography allows
    now, whatever held when it was approved."""
    recipients = members_by_role(project).get(Role.RECIPIENT, [])
    if not recipients and project.sharing_type != SharingType.PUBLIC:
        return [_("A recipient")]
    run = latest_run(project)
    stopped = [*(run_objections(run) if run is not None else ()), *_without_related(project)]
    if project.sharing_type == SharingType.PUBLIC:
        return list(stopped)
    without = _without_agreement(project, recipients)
    if len(without) < len(recipients):
        later = {one.pk for one in unsigned(project, without)} if without else set()
        without = [one for one in without if one.pk not in later]
    return [
        *stopped,
        *(_("A signed agreement in force with %(recipient)s") % {"recipient": one} for one in without),
        *(
            _("A new agreement with %(recipient)s that states the country or region of the recipient")
            % {"recipient": one}
            for one in _without_country(project, recipients)
        ),
        *_beyond(project, recipients),
    ]


def _without_related(project: Project) -> list[str]:
    """What came since the approval, or was not accepted with it. What is out already asks nothing again."""
    related = related_of(project) if project.state == State.APPROVED else None
    if related is None:
        return []
    if related.is_measuring:
        return [_("The end of the measurement with related releases")]
    approved = next(
        (one for one in signoffs_of(project.pk) if one.subject_kind == RELEASE and one.lapsed_at is None),
        None,
    )
    # An approval of before the question is not asked again.
    if approved is None or approved.related_accepted is None or related.open <= {*approved.related_accepted}:
        return []
    return [
        _(
            "A decision of senior management that accepts every related release that is to be accepted now: the supervisor re-opens "
            "the verification for it"
        )
    ]


def _without_agreement(project: Project, recipients: Iterable[Person]) -> list[Person]:
    agreements = _agreements_in_force(project)
    return [one for one in recipients if one.pk not in agreements]


def _without_country(project: Project, recipients: Iterable[Person]) -> list[Person]:
    """Agreements from before the country was asked for state none. What is out already asks nothing again."""
    if project.state != State.APPROVED:
        return []
    agreements = _agreements_in_force(project)
    return [one for one in recipients if one.pk in agreements and not agreements[one.pk].country]


def _beyond(project: Project, recipients: Iterable[Person]) -> list[str]:
    """Agreements with other organisations, where by the target the data stay within ours."""
    if project.state != State.APPROVED:
        return []
    agreements = _agreements_in_force(project)
    named = [agreements[one.pk].organisation for one in recipients if one.pk in agreements]
    found = [stays_within(risk_targets(project), organisation) for organisation in named]
    return [str(one.text) for one in found if not one]


def _agreements_in_force(project: Project) -> dict[Any, Agreement]:
    """By their recipients."""
    return {one.recipient_id: one for one in agreements_all(project) if one.in_force}


@adds_evidence
def bound_recipients(run: Run, evidence: ResultEvidence) -> ResultEvidence:
    """How many recipients there are."""
    recipients = members_by_role(run.project).get(Role.RECIPIENT, [])
    # Whether they are bound is asked by `held_against`, where nothing else stands against the stronger word.
    return replace(evidence, recipients=len(recipients), bound=len(recipients))


@doubts
def held_against(run: Run, evidence: ResultEvidence) -> ResultEvidence:
    """What the releases know against a stronger word: who is not bound, other releases, a broken seal."""
    recipients = members_by_role(run.project).get(Role.RECIPIENT, [])
    against = []
    if not evidence.public:
        evidence = replace(evidence, bound=len(recipients) - len(_without_agreement(run.project, recipients)))
        held = Delivery.objects.filter(release__run_id=run.pk, fetched_at__isnull=False)
        holders = {row.recipient for row in held.select_related("recipient")}
        against += ["holder"] * bool(_without_agreement(run.project, holders - {*recipients}))
    against += ["others"] * bool(relatives_of(run))
    if Release.objects.filter(run_id=run.pk, seal_broken_at__isnull=False).exists():
        against.append("seal")
    return replace(evidence, against=(*evidence.against, *against))


@provides(Evidence.ACCESS_ENDED)
def access_ended(project: Project) -> Missing:
    if current_release(project) is None:
        return []
    if project.sharing_type == SharingType.PUBLIC:
        return [_("The end of the release, which takes down what is published of it")]
    return [_("The end of the release")]


@on_move
def measure_with_relatives(project: Project, rule: MoveRule, by: Person) -> None:
    """Reviewer and signer know what a result tells together with other releases; so does whoever looks after it, where more have
    come since, and who signs another result to which this one is related."""
    if rule.rests_on_result:
        measurement_start_due(project, by=by)
    if rule.move == Move.RELEASE:
        measurements_start_waiting(project)


@points_from(Stage.VERIFICATION)
@points_from(Stage.RELEASE)
def relatives_pointer(project: Project) -> Pointer | None:
    """Who signs or hands out a result reads what it tells together with other releases, or that nobody has measured it."""
    found = summary(project)
    if found is None:
        return None
    return Pointer(
        title=_("Other releases may concern the same persons")
        if found["number"]
        else _("Rows of one person may reveal more in sequence"),
        text=found["text"],
        url=reverse("releases:relatives", kwargs={"project_id": project.pk}),
        label=_("Related releases"),
    )


@tells_related
def related_releases(project: Project) -> Related | None:
    """Of the result that is signed; its own rows in sequence are no other release."""
    found = summary(project)
    if found is None or not found["number"]:
        return None
    return Related(text=found["text"], open=found["open"], is_measuring=found["is_measuring"])


@names_recipients
def recipients_named(project: Project) -> list[RecipientLine]:
    """Each recipient with the agreement that was not ended; what is for everybody needs none."""
    agreements = {one.recipient_id: one for one in agreements_all(project) if one.ended_at is None}
    public, enclave = (project.sharing_type == one for one in (SharingType.PUBLIC, SharingType.ENCLAVE))
    return [
        _line(str(person), agreements.get(person.pk), public=public, enclave=enclave)
        for person in members_by_role(project).get(Role.RECIPIENT, [])
    ]


def _line(name: str, agreement: Agreement | None, *, public: bool, enclave: bool) -> RecipientLine:
    if agreement is None:
        said = (
            _("No agreement needed: public") if public else _("No agreement yet; recorded after the approval")
        )
        return RecipientLine(name, said)
    facts = {"by": agreement.signed_by, "until": agreement.valid_until.isoformat()}
    if agreement.in_force:
        said = _("Agreement signed by %(by)s, in force until %(until)s") % facts
    else:
        said = _("Agreement signed by %(by)s, not in force; its term ends on %(until)s") % facts
    if not enclave:
        said += _("; ") + _("checks of samples: %(how)s") % {"how": interval_text(agreement.check_months)}
    called = _("%(name)s, %(organisation)s") % {"name": name, "organisation": agreement.organisation}
    return RecipientLine(called, said)

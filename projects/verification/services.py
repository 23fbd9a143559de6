"""The only writer of verifications and of the decision about a release."""

from __future__ import annotations

from typing import Any

from approvals.audit.recording import recording
from approvals.decisions.events import SIGNATURE_GIVEN
from approvals.decisions.models import Decision, SignOff
from approvals.decisions.selectors import open_signoff
from approvals.decisions.services import (
    signature_give,
    signoff_decide,
    signoff_request,
    signoffs_lapse_stale,
)
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny
from projects.core.evidence import work_of
from projects.core.models import Project
from projects.core.rules import CoreReason, stead_of
from projects.core.services import notify, project_hand_on, project_lock, project_move
from projects.datasets.models import StoredFile
from projects.datasets.store.store import store_destroy
from projects.jobs.models import Job
from projects.jobs.results import result_break_off, result_end, result_lock, result_number, result_queue
from projects.objective.selectors import basis_hash
from projects.processing.runs.selectors import latest_run, results_by_table
from projects.processing.runs.services import hash_facts
from projects.workflow import STATES, Move, Role, Stage, State
from techniques.core.messages import gettext_noop

from . import events, rules
from .enums import MEASURE_JOB
from .models import Verification
from .reports.gate import Measurement, greatest_risk
from .selectors import content_hash_now, current_verification
from .sign_off.quorum import quorum_of
from .sign_off.related import related_of
from .sign_off.signers import is_last

HANDS_ON = "hands_on"
"""In the job of a measurement that goes to its review by itself once every check passes."""


def verification_start(project: Project, *, hands_on: bool = False, by: Person) -> tuple[Verification, Job]:
    """Measure the written result of the current run against the targets, as a job.

    ``hands_on``: who asks for it has it submitted for review at once if every check passes; what does not pass, or could not be
    submitted by hand either, stays with them.
    """
    with recording(events.VERIFICATION_STARTED, by=by, project_id=project.pk) as event:
        project = project_lock(project)
        rules.may_verify(by, project).require()
        run = latest_run(project)
        assert run is not None  # as the rule requires
        verification = Verification.objects.create(
            project=project,
            run=run,
            number=result_number(Verification, project),
            targets_hash=basis_hash(project),
            requested_by=by,
        )
        event.subject = verification.subject
        event.facts.update(run=str(run), **hash_facts("result", results_by_table(run)))
        params = {HANDS_ON: True} if hands_on else None
        title = gettext_noop("Measure the result")
        job = result_queue(verification, MEASURE_JOB, title=title, by=by, params=params)
        return verification, job


def verification_complete(
    verification: Verification, measurement: Measurement, *, classes: StoredFile | None = None
) -> Verification:
    """Record a whole measurement; it passes only if every single check ran and passed.

    ``classes``: the list of the classes with their values. Those of earlier measurements of the project are destroyed.
    """
    failed = [result for result in measurement.checks if result.passed is not True]
    passed = bool(measurement.checks) and not failed
    action = events.VERIFICATION_PASSED if passed else events.VERIFICATION_FAILED
    facts: dict[str, Any] = {
        "checks": len(measurement.checks),
        "failed": len(failed),
        "kinds": sorted({result.kind for result in failed}),
    }
    with recording(action, by=None, project_id=verification.project_id, **facts) as event:
        verification = result_lock(verification, "run__recipe_version")
        run = verification.run
        # The hash is of what the database gives back: it may write a number otherwise than it came.
        stored = measurement.as_json()
        verification.checks, verification.report = stored["checks"], stored["report"]
        verification.save(update_fields=["checks", "report"])
        verification.refresh_from_db(fields=["checks", "report"])
        verification.passed, verification.content_hash = passed, content_hash_now(verification, run)
        verification.max_risk, _row = greatest_risk(verification.results)
        _classes_destroy(verification.project)
        verification.classes = classes
        result_end(verification)
        event.subject = verification.subject
        signoffs_lapse_stale(
            project_id=verification.project_id,
            kind=rules.RELEASE,
            current_hash=verification.content_hash,
            by=None,
        )
        return verification


def _classes_destroy(project: Project) -> None:
    """What was listed of results that were measured before is nobody's to look at any more."""
    of_earlier = Verification.objects.filter(project=project, classes__isnull=False).values("classes")
    for stored in StoredFile.objects.filter(pk__in=of_earlier, destroyed_at=None):
        store_destroy(stored)


def verification_hand_on(verification: Verification) -> Project | None:
    """Submit a measurement for review as who asked for it had wished; None where it did not pass, or something stands against it."""
    if not verification.passed:
        return None
    by = verification.requested_by
    return project_hand_on(verification.project, move=Move.SUBMIT_VERIFICATION, by=by)


def verification_break_off(verification: Verification, *, code: str) -> None:
    """Record that a measurement failed or was cancelled: there is no answer, so the gate stays shut."""
    result_break_off(verification, events.VERIFICATION_BROKEN_OFF, code=code)


def verification_justified(project: Project, *, by: Person) -> None:
    """Take into the hash of the measurement in force why returned work was submitted as it was."""
    verification = current_verification(project)
    if verification is None:
        return
    content_hash = content_hash_now(verification, verification.run)
    if content_hash == verification.content_hash:
        return
    with recording(
        events.VERIFICATION_JUSTIFIED, by=by, about=verification, old=verification.content_hash
    ) as event:
        verification = result_lock(verification)
        verification.content_hash = content_hash
        verification.save(update_fields=["content_hash"])
        event.subject = verification.subject


def release_signoff_request(project: Project, *, by: Person) -> SignOff:
    """Ask senior management to sign the current verification; called when its review passed.

    The submitter is who asked for the measurement, not the supervisor who passed it on. How many have to sign, and why, is fixed here.
    """
    verification = current_verification(project)
    assert verification is not None  # evidence of the move
    quorum = quorum_of(project)
    return signoff_request(
        project_id=project.pk,
        subject=_release_subject(verification),
        by=verification.requested_by,
        needed=quorum.needed,
        needed_by=quorum.by,
    )


def release_decide(
    project: Project,
    *,
    decision: Decision,
    reason: str,
    by: Person,
    seen_hash: str | None = None,
    acceptance: str = "",
    related_acceptance: str = "",
    seen_related: str | None = None,
) -> Project:
    """Approve, return or reject exactly the verified result (5.5.4); decision and move, or neither.

    Of several who have to approve it, all but the last leave a signature, and the project stays where it is.

    ``seen_hash`` is the content hash that the person had before their eyes; another one is refused. ``acceptance`` says why
    a degree of anonymisation below 1 is approved (T/ISC 0078 C.2), ``related_acceptance`` why what other releases tell together
    with the result is, or that nobody knows it (GB/T 37964 4.1 b); neither is given for anything else. ``seen_related`` is the mark
    of the related releases that the person had before their eyes; where others are to be accepted it is refused.
    """
    with governed_act():
        project = project_lock(project)
        rule = rules.may_approve if decision == Decision.APPROVED else rules.may_decide
        rule(by, project).require()
        if not reason.strip():
            deny(CoreReason.REASON_NEEDED).require()
        signoff = open_signoff(project.pk, rules.RELEASE)
        assert signoff is not None  # as the rule requires
        if seen_hash is not None and seen_hash != signoff.subject_hash:
            deny(rules.VerificationReason.OTHER_CONTENT).require()
        verification = current_verification(project)
        assert verification is not None  # as the rule requires
        related = related_of(project)
        accepted: dict[str, Any] = {
            "acceptance": acceptance.strip(), "related_acceptance": related_acceptance.strip(),
            "related_accepted": sorted(related.open) if related and decision == Decision.APPROVED else [],
        }  # fmt: skip
        rules.may_accept(verification, decision, accepted["acceptance"]).require()
        rules.may_accept_related(related, decision, accepted["related_acceptance"], signoff).require()
        if accepted["related_acceptance"] and related and seen_related not in (None, related.mark):
            deny(rules.VerificationReason.OTHER_RELATED).require()
        if decision == Decision.APPROVED and not is_last(signoff):
            return _signature_leave(project, signoff, reason=reason.strip(), by=by, accepted=accepted)
        work = work_of(project, Stage.PROCESSING) if decision == Decision.RETURNED else ""
        signoff_decide(
            signoff,
            decision=decision,
            reason=reason.strip(),
            by=by,
            work_hash=work,
            **accepted,
            in_stead_of=stead_of(by, project),
        )
        move = STATES[State.RELEASE_APPROVAL].outcomes[decision]
        return project_move(project, move=move, by=by, reason=reason.strip())


def _signature_leave(
    project: Project, signoff: SignOff, *, reason: str, by: Person, accepted: dict[str, Any]
) -> Project:
    stead = stead_of(by, project)
    signature_give(signoff, reason=reason, by=by, **accepted, in_stead_of=stead)
    facts = {"subject": signoff.subject_label, "given": signoff.signatures.count(), "needed": signoff.needed}
    notify(project, SIGNATURE_GIVEN, (Role.MANAGEMENT,), by=by, reason=reason, **facts)
    return project


def _release_subject(verification: Verification) -> Subject:
    return Subject(rules.RELEASE, str(verification.pk), str(verification), verification.content_hash)

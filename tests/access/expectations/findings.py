"""Findings: who plans, judges or looks on raises them, their owner puts them right, somebody else checks; auditors draw."""

from datetime import timedelta

from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from projects.core.models import Membership
from projects.findings.models import CheckedStep, Finding, SpotCheck
from projects.workflow import State

from ..checkpoints import ALL, ENDS, at, since
from ..language import Table, acts, reads
from ..roles import AUDITORS, KNOW_OTHER, READERS, SEES, SIGNED_IN
from .releases import FETCHED, RELEASED

RAISING = frozenset({"planner", "supervisor", "management"}) | READERS
ASSIGNING = frozenset({"planner", "supervisor"})
# Walked where there is nothing yet, where there is one finding in each state, and when all is over.
THERE = since("monitoring")
WALKED = ENDS | THERE


def _status(status):
    def find(world, role, project):
        found = Finding.objects.filter(project=project, status=status)
        return found.values_list("pk", flat=True).first()

    return {"finding_id": find}


def _owner(world):
    return {"owner": world.people.executor.pk, "due_on": timezone.localdate() + timedelta(days=7)}


def _finding(world):
    return {
        **_owner(world), "source": "other", "stage": "processing", "severity": "minor", "title": "A note is missing",
        "description": "The note of the run is empty.",
    }  # fmt: skip


def _by_name(body):
    return lambda world: {**body(world), "owner": world.people.executor.username}


def _assigned(world):
    return {**_owner(world), "reason": "knows more of it"}


def _place(world, role, project):
    """A step of the newest draw; of a project of which nothing was drawn one of another's draw, which is not there."""
    return (
        CheckedStep.objects.filter(spot_check__in=SpotCheck.objects.all()[:1])
        .values_list("place", flat=True)
        .first()
    )


def _draw(world, role, project):
    return SpotCheck.objects.values_list("pk", flat=True).first()


DRAWN = {"spot_check_id": _draw, "place": _place}
OPEN, ACTED = _status("open"), _status("acted")
RAISE = acts((RAISING, ALL), body=_finding, walked=WALKED)
RAISE_FROM = {
    "GET": acts((RAISING, THERE), exists=THERE, walked=THERE),
    "POST": acts((RAISING, THERE), exists=THERE, walked=THERE, body=_finding),
}
ACT = acts(
    ("executor", THERE), exists=THERE, walked=THERE, arguments=OPEN, body=lambda world: {"action": "written"}
)
CHECK = acts(
    (frozenset({"supervisor", "management"}), THERE), exists=THERE, walked=THERE, arguments=ACTED,
    body=lambda world: {"decision": "effective", "effective": True, "remark": "it is there now"},
)  # fmt: skip
ASSIGN = acts((ASSIGNING, THERE), exists=THERE, walked=THERE, arguments=OPEN, body=_assigned)
DRAWS = {
    "GET": reads(AUDITORS, walked=ENDS),
    "POST": acts(
        ("auditor", ALL),
        refuses=frozenset(),
        walked=ENDS,
        body=lambda world: {"size": 1, "reason": "as planned"},
    ),
}
RECORD = acts(
    ("auditor", ALL),
    refuses=frozenset(),
    walked=ENDS,
    arguments=DRAWN,
    body=lambda world: {"remark": "all of it"},
)


def _deviation(world):
    """Somebody of the project of the step owns what is found."""
    step = (
        CheckedStep.objects.filter(spot_check__in=SpotCheck.objects.all()[:1])
        .select_related("project")
        .first()
    )
    if step is None:
        return _finding(world)
    executor = Membership.objects.get(project=step.project, role="executor", ended_at=None)
    return _finding(world) | {"owner": executor.user_id}


def _deviation_by_name(world):
    found = _deviation(world)
    return found | {"owner": get_user_model().objects.get(pk=found["owner"]).username}


DEVIATE, DEVIATE_BY_NAME = (
    acts(("auditor", ALL), refuses=frozenset(), walked=ENDS, arguments=DRAWN, body=body)
    for body in (_deviation, _deviation_by_name)
)
# Former recipients are told of it as well; the recipient fetches a file before the project is closed, and draws no sample of it.
SAMPLES = {"exists": RELEASED, "walked": at("monitoring", "closed")}
UNDRAWN = "nobody in the walk has drawn a sample; tests/projects/findings/received/test_samples.py does"
NO_SAMPLE = {"exists": frozenset(), "walked": at("monitoring"), "never": UNDRAWN}
DRAW = acts(
    ("recipient", FETCHED),
    refuses=frozenset({"recipient"}),
    body=lambda world: {"file": 0, "size": 5},
    **SAMPLES,
)
REPORT = acts(
    ("recipient", frozenset()), body=lambda world: {"checked_on": "2026-01-01", "checked": 1}, **NO_SAMPLE
)
REMEDY = acts(("recipient", frozenset()), body=lambda world: {"kind": "deleted"}, **NO_SAMPLE)
# The project of the walk is no enclave: tests/projects/findings/received/test_inside.py draws in one.
INSIDE = acts(("recipient", frozenset()), **NO_SAMPLE)
# No finding of the walk comes from a sample: what a recipient did is not there.
DECIDE = acts(("supervisor", frozenset()), body=lambda world: {"decision": "confirm"}, **NO_SAMPLE)
STEAD = acts(("planner", frozenset()), body=lambda world: {"kind": "unclear"}, **NO_SAMPLE)
# The supervisor draws where there is a result; nobody in the walk has: tests/projects/findings/inspected/test_inspected.py does.
WITH_RESULT = at(
    State.VERIFICATION, State.VERIFICATION_REVIEW, State.RELEASE_APPROVAL, State.APPROVED, "monitoring"
)
INSPECT = acts(("supervisor", WITH_RESULT), walked=WALKED | WITH_RESULT, body=lambda world: {"size": 5})
INSPECTING = frozenset({"supervisor", "auditor"})
NOT_DRAWN = {
    "exists": frozenset(),
    "walked": at(State.VERIFICATION),
    "never": "no sample of a result is drawn in the walk; tests/projects/findings/inspected/test_inspected.py draws them",
}
# The assessor of the project has their order from the beginning, and keeps nothing in the walk.
KEEP = acts(
    ("assessor", ALL),
    media="multipart",
    body=lambda world: {"file": SimpleUploadedFile("report.pdf", b"%PDF-1.7 ours")},
)
NOT_KEPT = {
    "exists": frozenset(),
    "walked": at(State.VERIFICATION),
    "never": "no document of an assessment is kept in the walk; tests/projects/findings/assessments keeps them",
}
BOARD = reads(SIGNED_IN, walked=ENDS, names=SEES, names_other=KNOW_OTHER)
TABLE: Table = {
    "findings:page": {"GET": reads(walked=WALKED)},
    "findings:raise": {"GET": acts((RAISING, ALL), walked=WALKED), "POST": RAISE},
    "findings:raise_from": RAISE_FROM,
    "findings:detail": {"GET": reads(exists=THERE, walked=WALKED)},
    "findings:act": {"POST": ACT},
    "findings:check": {"POST": CHECK},
    "findings:assign": {"POST": ASSIGN},
    "findings:remedy": {"POST": DECIDE},
    "findings:remedy_in_stead": {"POST": STEAD},
    "findings:result_samples": {"GET": reads(walked=WALKED), "POST": INSPECT},
    "findings:result_sample": {
        "GET": reads(**NOT_DRAWN),
        "POST": acts(
            ("supervisor", frozenset()), body=lambda world: {"found": 0, "remark": "all"}, **NOT_DRAWN
        ),
    },
    "findings:result_sample_read": {"POST": acts((INSPECTING, frozenset()), **NOT_DRAWN)},
    "findings:result_sample_look": {"GET": acts((INSPECTING, frozenset()), **NOT_DRAWN)},
    "recipient_samples:page": {"GET": reads("recipient", at=RELEASED, **SAMPLES), "POST": DRAW},
    "recipient_samples:sample": {"GET": reads("recipient", **NO_SAMPLE), "POST": REPORT},
    "recipient_samples:remedy": {"POST": REMEDY},
    "recipient_samples:read": {"POST": INSIDE},
    "recipient_samples:progress": {"GET": INSIDE},
    "recipient_samples:look": {"GET": INSIDE},
    "findings:assessment_document": {"GET": reads(), "POST": KEEP},
    "findings:assessment_file": {"GET": reads(**NOT_KEPT)},
    "finding_board:page": {"GET": BOARD},
    "finding_board:spot_checks": DRAWS,
    "finding_board:spot_check": {"GET": reads(AUDITORS, walked=ENDS, arguments=DRAWN)},
    "finding_board:checked_step": {"GET": reads(AUDITORS, walked=ENDS, arguments=DRAWN), "POST": RECORD},
    "finding_board:checked_step_deviates": {"POST": DEVIATE},
    "api:findings": {
        "GET": reads(walked=WALKED),
        "POST": acts((RAISING, ALL), walked=WALKED, body=_by_name(_finding)),
    },
    "api:findings-detail": {"GET": reads(exists=THERE, walked=WALKED)},
    "api:findings-act": {"POST": ACT},
    "api:findings-check": {"POST": CHECK},
    "api:findings-assign": {
        "POST": acts((ASSIGNING, THERE), exists=THERE, walked=THERE, arguments=OPEN, body=_by_name(_assigned))
    },
    "api:findings-samples": {"GET": reads(walked=WALKED)},
    "api:result-samples": {"GET": reads(walked=WALKED), "POST": INSPECT},
    "api:result-sample": {
        "GET": reads(**NOT_DRAWN),
        "POST": acts(
            ("supervisor", frozenset()), body=lambda world: {"found": 0, "remark": "all"}, **NOT_DRAWN
        ),
    },
    "api:result-sample-read": {"POST": acts((INSPECTING, frozenset()), **NOT_DRAWN)},
    "api:assessment-document": {"GET": reads(**NOT_KEPT), "POST": KEEP},
    "api:findings-remedy": {"POST": DECIDE},
    "api:findings-remedy-in-stead": {"POST": STEAD},
    "api:receive-samples": {"GET": reads("recipient", at=RELEASED, **SAMPLES), "POST": DRAW},
    "api:receive-sample": {"GET": reads("recipient", **NO_SAMPLE), "POST": REPORT},
    "api:receive-sample-read": {"POST": INSIDE},
    "api:receive-sample-remedy": {"POST": REMEDY},
    "api:findings-open": {"GET": BOARD},
    "api:spot-checks": DRAWS,
    "api:spot-checks-detail": {"GET": reads(AUDITORS, walked=ENDS, arguments=DRAWN)},
    "api:spot-checks-sound": {"POST": RECORD},
    "api:spot-checks-deviates": {"POST": DEVIATE_BY_NAME},
}

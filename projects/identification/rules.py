"""May this project, may this user: scanning and giving verdicts."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.models import Project
from projects.core.rules import may_act_in
from projects.datasets.models import Table
from projects.datasets.tables.selectors import dataset_now
from projects.workflow import State

from .models import IdentificationRound
from .selectors import running_round

# A verdict against a strong finding has to argue, not only to assert.
LONG_REASON = 20
SHORT_REASON = 2


class IdentificationReason(Reason):
    NO_DATASET = "no_dataset", _("There is no data set that is ready to be scanned.")
    SCAN_RUNNING = "scan_running", _("A scan is running; wait until it finishes or cancel it.")
    NOT_SCANNED = (
        "not_scanned",
        _("Look-up and rules come first: scan the data set before you give verdicts."),
    )
    OLD_ROUND = (
        "old_round",
        _("There is a newer data set or scan; verdicts must be based on it."),
    )
    NO_SUCH_COLUMN = "no_such_column", _("There is no column “%(column)s” in the data set.")
    UNKNOWN_ROLE = "unknown_role", _("This is not one of the four roles.")
    UNKNOWN_KIND = "unknown_kind", _("This kind of identifier is unknown.")
    SEVERITY_ELSEWHERE = (
        "severity_elsewhere",
        _("Column “%(column)s”: great, medium or little harm can only be stated for a sensitive attribute."),
    )
    UNKNOWN_GRADE = "unknown_grade", _("Column “%(column)s”: this is not one of the four grades.")
    GRADE_TOO_LOW = (
        "grade_too_low",
        _("Column “%(column)s”: a sensitive attribute cannot be graded as general data."),
    )
    REASON_NEEDED = "reason_needed", _("Give a reason for the verdict on “%(column)s”.")
    LONG_REASON_NEEDED = (
        "long_reason_needed",
        _(
            "The scan found %(found)s in “%(column)s”. A verdict against that needs a reason of at least "
            "%(length)s characters, which the reviewer will see."
        ),
    )
    OWN_REASON_NEEDED = (
        "own_reason_needed",
        _(
            "The scan found %(found)s in “%(column)s”. A verdict against that needs its own reason of"
            " at least %(length)s characters: text suggested by the portal or written for another "
            "verdict does not count."
        ),
    )
    NO_SUGGESTION = "no_suggestion", _("There is no suggestion for “%(column)s”; choose a role.")
    NOTHING_TO_ACCEPT = "nothing_to_accept", _("No column without a verdict has a certain suggestion.")


def may_scan(user: Person, table: Table) -> Verdict:
    """The executor, while identifiers are being identified, over a data set that is ready."""
    verdict = may_act_in(user, table.project, State.IDENTIFICATION)
    if not verdict:
        return verdict
    dataset = dataset_now(table)
    if dataset is None or not dataset.is_ready:
        return deny(IdentificationReason.NO_DATASET)
    if running_round(table.project) is not None:
        return deny(IdentificationReason.SCAN_RUNNING)
    return ALLOW


def may_judge(user: Person, project: Project, round_: IdentificationRound | None) -> Verdict:
    """The executor, after both automatic methods have finished: the order of 5.3.3."""
    verdict = may_act_in(user, project, State.IDENTIFICATION)
    if verdict and round_ is None:
        return deny(IdentificationReason.NOT_SCANNED)
    return verdict


def may_give(
    user: Person, project: Project, round_: IdentificationRound | None, newest: IdentificationRound | None
) -> Verdict:
    """As :func:`may_judge`, and the verdict is about the newest round."""
    same = deny(IdentificationReason.OLD_ROUND)
    if round_ is None or (newest is not None and newest.pk == round_.pk):
        same = ALLOW
    return first_denial(may_judge(user, project, newest), same)

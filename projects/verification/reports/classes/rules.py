"""Who looks at the classes of a result, value by value: whoever is shown values of a result before it is released."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from projects.processing.runs.shares import share_files_of

from ...models import Verification
from ...rules import may_see_values


class ClassesReason(Reason):
    NOT_MEASURED = "classes_not_measured", _("There is no whole measurement of a result yet.")
    IN_SHARES = (
        "classes_in_shares",
        _("This result is handed out in shares, each holder their own; its classes are not listed."),
    )
    NOT_LISTED = (
        "classes_not_listed",
        _("No classes were listed with this verification; a new measurement of the result lists them."),
    )
    DESTROYED = (
        "classes_destroyed",
        _("The list of classes was destroyed, with the data of the project or for a newer measurement."),
    )


def may_look_at_classes(user: Person, verification: Verification) -> Verdict:
    return may_see_values(user, verification.project) and are_there(verification)


def are_there(verification: Verification | None) -> Verdict:
    """Whether ``verification`` has a list of classes, and why not."""
    if verification is None or verification.passed is None:
        return deny(ClassesReason.NOT_MEASURED)
    if verification.classes is None:
        shared = share_files_of(verification.run_id)
        return deny(ClassesReason.IN_SHARES if shared else ClassesReason.NOT_LISTED)
    return deny(ClassesReason.DESTROYED) if verification.classes.destroyed_at is not None else ALLOW

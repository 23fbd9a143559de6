"""Who reads the whole audit log, and what the log must show before anything goes on."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Refused, Verdict, deny


class AuditReason(Reason):
    READERS_ONLY = (
        "readers_only",
        _("Only auditors read the whole log; a project's history is on its own page."),
    )
    LOG_BROKEN = (
        "log_broken",
        _(
            "The audit log is not sound, so nothing can be decided or changed: %(fault)s Everything "
            "can still be read. Please tell an administrator or an auditor."
        ),
    )
    UNEXPLAINED = (
        "unexplained",
        _(
            "What the portal has stored does not match what the audit log says was done (%(count)s "
            "places), so no work can be done on it and no data leave the portal: %(faults)s Please "
            "tell an administrator or an auditor."
        ),
    )


class LogBroken(Refused):
    """The end of the log does not hold: no act goes on over it."""


class Unexplained(LogBroken):
    """Rows that an act rests on are not as the log left them: that act does not go on."""


def may_read_log(user: Person) -> Verdict:
    return ALLOW if user.is_active and user.reads_all_projects else deny(AuditReason.READERS_ONLY)

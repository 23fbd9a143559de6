"""Who reads the whole audit log."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny


class AuditReason(Reason):
    READERS_ONLY = (
        "readers_only",
        _("Only auditors and external assessors read the whole log; a project's history is on its own page."),
    )


def may_read_log(user: Person) -> Verdict:
    return ALLOW if user.is_active and user.reads_all_projects else deny(AuditReason.READERS_ONLY)

"""Who records that somebody leaves."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import Reason, Verdict, deny

from ..models import Leaving, User
from ..rules import may_administer_other


class LeavingReason(Reason):
    HAS_LEFT = "has_left", _("It has already been recorded that this person has left.")
    TEXT_NEEDED = "leaving_text_needed", _("Say why, and what was agreed about confidentiality.")


def may_record_leaving(by: Person, account: User) -> Verdict:
    """An administrator, of somebody else, once."""
    verdict = may_administer_other(by, account)
    if verdict and Leaving.objects.filter(account=account).exists():
        return deny(LeavingReason.HAS_LEFT)
    return verdict

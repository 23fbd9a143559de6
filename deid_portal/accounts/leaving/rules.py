"""Who records that somebody leaves."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny

from ..models import Leaving, User
from ..rules import may_administer_other
from .selectors import InHand


class LeavingReason(Reason):
    HAS_LEFT = "has_left", _("It has already been recorded that this person has left.")
    PLANS_ALONE = (
        "leaving_plans_alone",
        _(
            "%(member)s is the only planning manager of: %(projects)s. Hand the planning over first, or say that access has to "
            "end at once all the same."
        ),
    )
    TEXT_NEEDED = "leaving_text_needed", _("Say why, and what was agreed about confidentiality.")


def leaves_planned(account: User, held: Iterable[InHand], *, at_once: bool) -> Verdict:
    """Whether no project loses its only planning manager; ``at_once``: access has to end all the same."""
    alone = [one.project_number for one in held if one.is_planning and not one.shared]
    if not alone or at_once:
        return ALLOW
    return deny(LeavingReason.PLANS_ALONE, member=str(account), projects=_(", ").join(alone))


def may_record_leaving(by: Person, account: User) -> Verdict:
    """An administrator, of somebody else, once."""
    verdict = may_administer_other(by, account)
    if verdict and Leaving.objects.filter(account=account).exists():
        return deny(LeavingReason.HAS_LEFT)
    return verdict

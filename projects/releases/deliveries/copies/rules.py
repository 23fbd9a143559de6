"""Who states that a copy is destroyed: the recipient who fetched it, once it may not be kept any more."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny

from ...models import Release
from .selectors import copy_of


class CopyReason(Reason):
    NOT_FETCHED = "copy_not_fetched", _("You fetched nothing of this release.")
    MAY_KEEP = "copy_may_be_kept", _("You may still use what you received.")
    STATED = "copy_stated", _("You have already stated that your copy is destroyed.")


def may_state(user: Person, release: Release) -> Verdict:
    """``release`` was found among those that ``user`` receives, or received."""
    found = copy_of(user, release)
    if found is None:
        return deny(CopyReason.NOT_FETCHED)
    if found.statement is not None:
        return deny(CopyReason.STATED)
    return deny(CopyReason.MAY_KEEP) if found.over_since is None else ALLOW

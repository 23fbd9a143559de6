"""Who may do what with accounts."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from approvals.governance import ALLOW, Reason, Verdict, deny, first_denial

from .enums import Post
from .models import User


class AccountReason(Reason):
    NOT_AN_ADMINISTRATOR = "not_an_administrator", _("Only administrators manage accounts.")
    NOT_YOURSELF = "not_yourself", _("Nobody does this to their own account; ask another administrator.")


def may_administer(user: Any) -> Verdict:
    """Administrators by post; superuser rights add nothing."""
    if user.is_active and not user.access_ended and user.post == Post.ADMINISTRATOR:
        return ALLOW
    return deny(AccountReason.NOT_AN_ADMINISTRATOR)


def may_administer_other(by: Any, account: User) -> Verdict:
    own = deny(AccountReason.NOT_YOURSELF) if account.pk == by.pk else ALLOW
    return first_denial(may_administer(by), own)

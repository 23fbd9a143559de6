"""Sentences of the audit log about deputies."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

NAMED = audit_action(
    "deputation.named",
    _(
        "%(actor)s named %(deputy)s as deputy of %(subject)s (%(appointed_to)s) from %(starts)s until "
        "%(ends)s, to be confirmed: %(reason)s"
    ),
)
CONFIRMED = audit_action(
    "deputation.confirmed",
    _("%(actor)s confirmed %(deputy)s as deputy of %(subject)s (%(appointed_to)s)"),
)
TURNED_DOWN = audit_action(
    "deputation.turned_down",
    _("%(actor)s turned down %(deputy)s as deputy of %(subject)s (%(appointed_to)s)"),
)
ENDED = audit_action(
    "deputation.ended",
    _("%(actor)s ended the deputation of %(deputy)s for %(subject)s (%(appointed_to)s): %(reason)s"),
)
WAITS = audit_action("deputation.waits", _("%(actor)s named a deputy: an administrator has to confirm it"))
OF_YOURS = audit_action(
    "deputation.of_yours",
    _("%(actor)s decided about %(deputy)s as deputy of %(member)s (%(appointed_to)s), or ended this"),
)

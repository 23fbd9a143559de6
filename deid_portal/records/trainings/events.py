"""Sentences of the audit log about trainings."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words
from projects.workflow import Role

audit_words("roles", Role)

PLANNED = audit_action(
    "training.planned", _("%(actor)s planned the training “%(subject)s” for %(day)s, for: %(roles)s")
)
HELD = audit_action(
    "training.held",
    _(
        "%(actor)s recorded that the training “%(subject)s” was held on %(day)s (persons recorded: %(recorded)s, "
        "passed its test: %(passed)s)"
    ),
)
CANCELLED = audit_action(
    "training.cancelled",
    _("%(actor)s cancelled the training “%(subject)s” of %(day)s: %(reason)s"),
)
OF_YOURS = audit_action(
    "training.of_yours", _("%(actor)s planned the training “%(training)s” for %(day)s; it is meant for you")
)
OFF = audit_action(
    "training.off", _("%(actor)s cancelled the training “%(training)s” of %(day)s: %(reason)s")
)

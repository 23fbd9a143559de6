"""Sentences of the audit log about appointments."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words
from projects.workflow.posts import AppointedPost

audit_words("appointed_to", AppointedPost)

APPOINTED = audit_action(
    "appointment.given",
    _(
        "%(actor)s appointed %(subject)s as %(appointed_to)s from %(starts)s until %(ends)s, to be confirmed: %(reason)s"
    ),
)
CONFIRMED = audit_action(
    "appointment.confirmed", _("%(actor)s confirmed the appointment of %(subject)s as %(appointed_to)s")
)
TURNED_DOWN = audit_action(
    "appointment.turned_down", _("%(actor)s turned down the appointment of %(subject)s as %(appointed_to)s")
)
ENDED = audit_action(
    "appointment.ended", _("%(actor)s ended the appointment of %(subject)s as %(appointed_to)s: %(reason)s")
)
SET_UP = audit_action(
    "appointment.set_up",
    _("The command line of the server appointed %(subject)s as %(appointed_to)s; nobody confirmed it"),
)
TAKEN_OVER = audit_action(
    "appointment.taken_over",
    _(
        "The portal took over %(count)s posts that were held before there were appointments; they count as confirmed by "
        "this migration, and no second administrator has looked at them"
    ),
)
WAITS = audit_action(
    "appointment.waits", _("%(actor)s appointed somebody: another administrator has to confirm it")
)
OF_YOURS = audit_action(
    "appointment.of_yours", _("%(actor)s decided about your appointment as %(appointed_to)s")
)

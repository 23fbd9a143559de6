"""Sentences of the audit log about reversal: counts and hashes, never a value."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words

from .enums import WayBack

REQUESTED = audit_action(
    "reversal.asked",
    _(
        "%(actor)s asked for the reversal of %(values)s values of the column “%(column)s” "
        "(“%(subject)s”): %(reason)s"
    ),
)
APPROVED = audit_action("reversal.approved", _("%(actor)s approved the reversal “%(subject)s”: %(reason)s"))
REFUSED = audit_action("reversal.refused", _("%(actor)s refused the reversal “%(subject)s”: %(reason)s"))
DONE = audit_action("reversal.done", _("The reversal “%(subject)s” recovered %(found)s of %(values)s values"))
FAILED = audit_action("reversal.failed", _("The reversal “%(subject)s” failed (%(code)s)"))
READ = audit_action(
    "reversal.read", _("%(actor)s read the answer of the reversal “%(subject)s” (%(found)s values)")
)
ENDED = audit_action(
    "reversal.ended", _("%(actor)s ended the reversal “%(subject)s”; its answer was destroyed")
)
EXPIRED = audit_action("reversal.expired", _("The reversal “%(subject)s” expired; its answer was destroyed"))
LAPSED = audit_action(
    "reversal.lapsed",
    _(
        "The project moved back or was withdrawn, so the reversal “%(subject)s” lapsed and its question "
        "was destroyed"
    ),
)
CUT_SHORT = audit_action(
    "reversal.cut_short",
    _("The project moved back or was withdrawn, so the answer of the reversal “%(subject)s” was destroyed"),
)
audit_words("way", WayBack)

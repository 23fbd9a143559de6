"""Sentences of the audit log about records of staff."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words
from deid_portal.organisation.proposals.services import Sentences

from .enums import RecordKind

audit_words("record", RecordKind)

CATALOGUE = Sentences(
    proposed=audit_action(
        "post_catalogue.proposed",
        _("%(actor)s proposed version %(subject)s of the catalogue of posts (%(reason)s)"),
    ),
    news=audit_action(
        "post_catalogue.awaits_decision",
        _("%(actor)s proposed another catalogue of posts; it awaits a decision"),
    ),
    in_force=audit_action(
        "post_catalogue.in_force",
        _("%(actor)s put version %(subject)s of the catalogue of posts in force (%(reason)s)"),
    ),
    turned_down=audit_action(
        "post_catalogue.turned_down",
        _("%(actor)s turned down version %(subject)s of the catalogue of posts (%(reason)s)"),
    ),
)
RECORDED = audit_action(
    "staff_record.added", _("%(actor)s added a record for %(subject)s: %(record)s, passed: %(passed)s")
)
SCAN_KEPT = audit_action(
    "staff_record.scan_kept", _("%(actor)s kept the scan of a record of %(subject)s (%(record)s)")
)
SCAN_READ = audit_action(
    "staff_record.scan_read", _("%(actor)s opened the scan of a record of %(subject)s (%(record)s)")
)
TAKEN_BACK = audit_action(
    "staff_record.taken_back", _("%(actor)s withdrew a record of %(subject)s (%(record)s): %(reason)s")
)

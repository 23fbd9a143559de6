"""Sentences of the audit log about reviews and sign-offs."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words

from .models import Decision, ManagementOutcome, ReviewOutcome

audit_words("outcome", ReviewOutcome, ManagementOutcome)
audit_words("decision", Decision)

REVIEW_RECORDED = audit_action("review.recorded", _("%(actor)s reviewed the stage “%(stage)s”: %(outcome)s"))
RECORDS_REVIEWED = audit_action(
    "review.by_management",
    _("%(actor)s, senior management, reviewed the records of the stage “%(stage)s”: %(outcome)s"),
)
SIGNOFF_REQUESTED = audit_action(
    "signoff.requested", _("%(actor)s asked senior management to sign “%(subject)s”")
)
SIGNOFF_DECIDED = audit_action("signoff.decided", _("%(actor)s decided on “%(subject)s”: %(decision)s"))
SIGNATURE_GIVEN = audit_action(
    "signoff.signed", _("%(actor)s signed “%(subject)s”: %(given)s of %(needed)s signatures (%(reason)s)")
)
RETURN_JUSTIFIED = audit_action(
    "return.justified", _("%(actor)s justified why “%(subject)s” comes back unchanged: %(reason)s")
)
SIGNOFF_LAPSED = audit_action(
    "signoff.lapsed",
    _("The sign-off of “%(subject)s” lapsed: %(reason)s"),
    reasons={
        "content changed": _("its content changed"),
        "superseded": _("another request took its place"),
        "returned without a decision": _("the work was returned without a decision"),
        "rejected without a decision": _("the project was rejected without a decision"),
        "target under revision": _("the target is being revised"),
        "project withdrawn": _("the project was withdrawn"),
    },
)

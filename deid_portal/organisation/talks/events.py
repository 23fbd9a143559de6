"""Sentences of the audit log about talks. What was said in one, and what came of it, stands in no event."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words

from .enums import CounterpartKind

audit_words("counterpart_kind", CounterpartKind)

RECORDED = audit_action(
    "talk.recorded",
    _("%(actor)s recorded the talk “%(subject)s” of %(day)s with “%(counterpart)s” (%(counterpart_kind)s)"),
)
CORRECTED = audit_action("talk.corrected", _("%(actor)s corrected the talk “%(subject)s” (%(reason)s)"))
FOLLOW_UP = audit_action(
    "talk.follow_up", _("%(actor)s gave %(owner)s a follow-up of the talk “%(subject)s”, due on %(due_on)s")
)
CLOSED = audit_action(
    "talk.follow_up_closed",
    _("%(actor)s closed the follow-up of the talk “%(subject)s” that %(owner)s had until %(due_on)s"),
)

"""Sentences of the audit log about target and plan."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words
from projects.core.enums import SharingType

from .enums import NoticeKind, Part, Trigger

audit_words("new", SharingType)
audit_words("old", SharingType)
audit_words("part", Part)
audit_words("kind", NoticeKind)
audit_words("trigger", Trigger)

SHARING_CHOSEN = audit_action(
    "objective.sharing", _("%(actor)s chose the sharing type of “%(subject)s”: %(new)s (before: %(old)s)")
)
PART_SAVED = audit_action("objective.part", _("%(actor)s changed the target of “%(subject)s” (%(part)s)"))
PLAN_FROZEN = audit_action(
    "objective.frozen", _("Version %(number)s of the plan of “%(subject)s” was frozen for review")
)
PLAN_DECIDED = audit_action(
    "objective.decided", _("%(actor)s decided about the plan “%(subject)s”: %(decision)s")
)
NOTICE_KEPT = audit_action(
    "privacy_notice.kept", _("%(actor)s filed the privacy notice %(subject)s (%(kind)s)")
)
NOTICE_REMOVED = audit_action(
    "privacy_notice.removed", _("%(actor)s removed the privacy notice %(subject)s from the target")
)
NOTICE_READ = audit_action("privacy_notice.read", _("%(actor)s opened the privacy notice %(subject)s"))
CONTEXT_ASSESSED = audit_action(
    "context.assessed", _("%(actor)s assessed the surroundings (“%(subject)s”): probability %(value)s")
)
CONTEXT_TAKEN = audit_action(
    "context.taken", _("%(actor)s adopted the assessment “%(subject)s” for the target: %(value)s")
)
PLAN_KEPT = audit_action(
    "saved_plan.created",
    _("%(actor)s saved target and plan as the template “%(subject)s” (texts: %(texts)s)"),
)
SAVED_PLAN_WITHDRAWN = audit_action(
    "saved_plan.withdrawn", _("%(actor)s withdrew the template “%(subject)s”")
)
PLAN_TAKEN = audit_action("saved_plan.taken", _("%(actor)s began “%(subject)s” with the template “%(name)s”"))
NEED_RAISED = audit_action("need.raised", _("%(actor)s raised the need “%(subject)s”"))
NEED_ACCEPTED = audit_action("need.accepted", _("%(actor)s accepted the need “%(subject)s”"))
NEED_RETURNED = audit_action("need.returned", _("%(actor)s returned the need “%(subject)s”"))
REGISTER_LOOKED_UP = audit_action(
    "objective.register_looked_up",
    _(
        "%(actor)s looked up the register of releases for “%(subject)s”: %(found)s found, %(hidden)s of "
        "them hidden"
    ),
)

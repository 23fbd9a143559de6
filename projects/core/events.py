"""Sentences of the audit log about projects; one per move of the workflow."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words
from projects.workflow import MOVES, Role, Stage, State

from .assessments.enums import Conclusion
from .enums import ProjectMark, Thread

audit_words("conclusion", Conclusion)
audit_words("role", Role)
audit_words("stage", Stage)
audit_words("thread", Thread)
audit_words("mark", ProjectMark)
audit_words("old", State)
audit_words("new", State)

PROJECT_CREATED = audit_action("project.created", _("%(actor)s opened the project “%(subject)s”"))
PROJECT_EDITED = audit_action("project.edited", _("%(actor)s changed the description of “%(subject)s”"))
PROJECT_MARKED = audit_action(
    "project.marked", _("%(actor)s marked the documents of “%(subject)s”: %(mark)s")
)
MEMBER_ADDED = audit_action("member.added", _("%(actor)s gave %(member)s the role %(role)s in “%(subject)s”"))
MEMBER_ENDED = audit_action(
    "member.ended", _("%(actor)s ended the role of %(member)s (%(role)s) in “%(subject)s”")
)
PLANNING_HANDED_OVER = audit_action(
    "project.planning_handed_over",
    _("%(actor)s handed the planning of “%(subject)s” over to %(member)s, from %(before)s: %(reason)s"),
)

ASSESSMENT_ORDERED = audit_action(
    "assessment.ordered",
    _("%(actor)s ordered the assessment “%(subject)s” of %(assessor)s, until %(last_day)s"),
)
ASSESSMENT_REPORTED = audit_action(
    "assessment.reported", _("%(actor)s reported on the assessment “%(subject)s”: %(conclusion)s")
)
ASSESSMENT_ENDED = audit_action(
    "assessment.ended", _("%(actor)s ended the order “%(subject)s” of %(assessor)s: %(reason)s")
)
AUDIT_PACKAGE_TAKEN = audit_action(
    "project.audit_package_taken",
    _("%(actor)s took the audit package of “%(subject)s” (documents: %(documents)s)"),
)
COMMENT_WRITTEN = audit_action(
    "project.comment_written", _("%(actor)s commented on the step “%(thread)s” of “%(subject)s”")
)

for _rule in MOVES.values():
    audit_action(_rule.audit_action, _rule.sentence)

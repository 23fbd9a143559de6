"""Sentences of the audit log about projects; one per move of the workflow."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words
from projects.workflow import MOVES, Move, Role, Stage, State

audit_words("role", Role)
audit_words("stage", Stage)
audit_words("old", State)
audit_words("new", State)

PROJECT_CREATED = audit_action("project.created", _("%(actor)s opened the project “%(subject)s”"))
PROJECT_EDITED = audit_action("project.edited", _("%(actor)s changed the description of “%(subject)s”"))
MEMBER_ADDED = audit_action("member.added", _("%(actor)s gave %(member)s the role %(role)s in “%(subject)s”"))
MEMBER_ENDED = audit_action(
    "member.ended", _("%(actor)s ended the role of %(member)s (%(role)s) in “%(subject)s”")
)

_SENTENCES = {
    Move.SUBMIT_OBJECTIVE: _("%(actor)s submitted the target and plan of “%(subject)s” for review"),
    Move.PASS_OBJECTIVE: _("%(actor)s passed the target of “%(subject)s” on to senior management"),
    Move.RETURN_OBJECTIVE: _("%(actor)s returned the target of “%(subject)s” for rework"),
    Move.APPROVE_PLAN: _("%(actor)s approved the plan of “%(subject)s”"),
    Move.RETURN_PLAN: _("%(actor)s returned the plan of “%(subject)s”"),
    Move.REJECT_PLAN: _("%(actor)s rejected the plan of “%(subject)s”"),
    Move.SUBMIT_IDENTIFICATION: _("%(actor)s submitted the identification of “%(subject)s” for review"),
    Move.PASS_IDENTIFICATION: _("%(actor)s passed the identification of “%(subject)s”"),
    Move.RETURN_IDENTIFICATION: _("%(actor)s returned the identification of “%(subject)s” for rework"),
    Move.SUBMIT_PROCESSING: _("%(actor)s submitted the processing of “%(subject)s” for review"),
    Move.PASS_PROCESSING: _("%(actor)s passed the processing of “%(subject)s”"),
    Move.RETURN_PROCESSING: _("%(actor)s returned the processing of “%(subject)s” for rework"),
    Move.SUBMIT_VERIFICATION: _("%(actor)s submitted the verification of “%(subject)s” for review"),
    Move.PASS_VERIFICATION: _("%(actor)s passed the verification of “%(subject)s” on to senior management"),
    Move.RETURN_VERIFICATION: _("%(actor)s returned the verification of “%(subject)s” for rework"),
    Move.APPROVE_RELEASE: _("%(actor)s approved the release of “%(subject)s”"),
    Move.RETURN_RELEASE: _("%(actor)s returned “%(subject)s” to processing"),
    Move.REJECT_RELEASE: _("%(actor)s rejected the release of “%(subject)s”"),
    Move.RELEASE: _("%(actor)s released “%(subject)s”"),
    Move.REVISE_OBJECTIVE: _("%(actor)s went back to revise the target of “%(subject)s”"),
    Move.BACK_TO_IDENTIFICATION: _("%(actor)s took “%(subject)s” back to identification"),
    Move.BACK_TO_PROCESSING: _("%(actor)s took “%(subject)s” back to processing"),
    Move.REOPEN_VERIFICATION: _("%(actor)s re-opened the verification of “%(subject)s”"),
    Move.REOPEN_PROCESSING: _("%(actor)s re-opened the processing of “%(subject)s”"),
    Move.CLOSE: _("%(actor)s closed “%(subject)s”"),
    Move.WITHDRAW: _("%(actor)s withdrew “%(subject)s”"),
    Move.SUSPEND: _("%(actor)s suspended “%(subject)s”"),
    Move.RESUME: _("%(actor)s resumed “%(subject)s”"),
}
for _move, _sentence in _SENTENCES.items():
    audit_action(MOVES[_move].audit_action, _sentence)

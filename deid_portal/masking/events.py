"""Sentences of the audit log about masking policies."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action
from deid_portal.organisation.proposals.services import Sentences

PROPOSED = audit_action(
    "masking.proposed",
    _(
        "%(actor)s proposed the masking policy “%(subject)s”, %(in_full)s of its cells shown in full (%(reason)s)"
    ),
)
# In the notification, which knows no facts of the event.
PROPOSED_NEWS = audit_action(
    "masking.awaits_decision", _("%(actor)s proposed a masking policy; it awaits a decision")
)
IN_FORCE = audit_action(
    "masking.in_force", _("%(actor)s put the masking policy “%(subject)s” in force (%(reason)s)")
)
TURNED_DOWN = audit_action(
    "masking.turned_down", _("%(actor)s turned down the masking policy “%(subject)s” (%(reason)s)")
)
SENTENCES = Sentences(PROPOSED, PROPOSED_NEWS, IN_FORCE, TURNED_DOWN)

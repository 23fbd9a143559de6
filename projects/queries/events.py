"""Sentences of the audit log about budgets and questions: amounts and numbers, never what was asked or answered."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

PROPOSED = audit_action(
    "grant.proposed",
    _("%(actor)s proposed a budget of ε = %(epsilon)s for %(whose)s (“%(subject)s”): %(reason)s"),
)
GRANTED = audit_action(
    "grant.granted", _("%(actor)s granted the budget “%(subject)s” (ε = %(epsilon)s): %(reason)s")
)
REFUSED = audit_action(
    "grant.refused", _("%(actor)s refused the budget “%(subject)s” (ε = %(epsilon)s): %(reason)s")
)
CHARGED = audit_action(
    "query.asked", _("%(actor)s asked the question “%(subject)s” (%(kind)s), charged with ε = %(epsilon)s")
)
REPEATED = audit_action(
    "query.repeated",
    _("%(actor)s asked the question “%(subject)s” again: the answer of %(first)s was used again at no cost"),
)
OVERDRAWN = audit_action(
    "query.refused",
    _("The question “%(subject)s” of %(actor)s was refused: it costs ε = %(epsilon)s, %(left)s is left"),
)
TURNED_AWAY = audit_action(
    "query.turned_away",
    _("A question (%(kind)s) of %(actor)s was not accepted (error code %(code)s); nothing was charged"),
)
ANSWERED = audit_action("query.answered", _("The question “%(subject)s” was answered for ε = %(epsilon)s"))
FAILED = audit_action(
    "query.failed", _("The question “%(subject)s” failed (error code %(code)s); nothing was charged")
)
LOCAL_STARTED = audit_action(
    "local_estimate.started",
    _(
        "%(actor)s requested an estimate from answers that devices had randomised with ε = %(epsilon)s "
        "(“%(subject)s”)"
    ),
)
LOCAL_ESTIMATED = audit_action(
    "local_estimate.estimated", _("%(number)s randomised answers entered the estimate (“%(subject)s”)")
)
LOCAL_BROKEN_OFF = audit_action(
    "local_estimate.broken_off",
    _("The estimate from randomised answers ended without a result (“%(subject)s”, %(code)s)"),
)

"""Sentences of the audit log about verification."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words

from .gate.checks import CHECKS
from .sign_off.opinions.models import Fitness

audit_words("kinds", {check.kind: check.label for check in CHECKS})
audit_words(
    "changes",
    {
        "remove": _("remove"),
        "drop": _("remove"),
        "unbind": _("free the levels of"),
        "settings": _("other settings"),
        "suppress": _("suppress the classes that are too small"),
        "local": _("class by class (local recoding)"),
    },
)

audit_words("fitness", Fitness)

UTILITY_REQUESTED = audit_action(
    "utility.asked",
    _("%(actor)s asked %(assessor)s whether the result of “%(subject)s” is useful for its purpose"),
)
UTILITY_GIVEN = audit_action(
    "utility.given",
    _("%(actor)s gave an opinion on the usefulness of the result (“%(subject)s”): %(fitness)s"),
)
VERIFICATION_STARTED = audit_action(
    "verification.started", _("%(actor)s started the verification “%(subject)s”")
)
VERIFICATION_PASSED = audit_action(
    "verification.passed", _("The verification “%(subject)s” passed all %(checks)s checks")
)
VERIFICATION_FAILED = audit_action(
    "verification.failed", _("The verification “%(subject)s” did not pass: %(failed)s of %(checks)s checks")
)
VERIFICATION_BROKEN_OFF = audit_action(
    "verification.broken_off",
    _("The verification “%(subject)s” ended without a measurement (%(code)s)"),
)
CLASSES_SHOWN = audit_action(
    "verification.classes_shown",
    _("%(actor)s looked at classes %(first)s to %(last)s of the result (“%(subject)s”)"),
)
VERIFICATION_JUSTIFIED = audit_action(
    "verification.justified",
    _("%(actor)s submitted the returned result “%(subject)s” unchanged; the justification is in its hash"),
)
TRIAL_STARTED = audit_action(
    "trial.started", _("%(actor)s requested a measurement of a result before submitting it (“%(subject)s”)")
)
TRIAL_PLANNED = audit_action(
    "trial.planned",
    _("%(actor)s requested that the result of the run %(run)s be measured once it is there (“%(subject)s”)"),
)
TRIAL_MEASURED = audit_action(
    "trial.measured",
    _("In the trial “%(subject)s” %(failed)s of %(checks)s checks do not meet their targets"),
)
TRIAL_BROKEN_OFF = audit_action(
    "trial.broken_off", _("The trial “%(subject)s” ended without a measurement (%(code)s)")
)
COMPARISON_STARTED = audit_action(
    "comparison.started", _("%(actor)s had %(runs)s candidate runs measured (“%(subject)s”)")
)
COMPARISON_MEASURED = audit_action(
    "comparison.measured", _("%(passed)s of %(runs)s candidate runs meet every target (“%(subject)s”)")
)
COMPARISON_BROKEN_OFF = audit_action(
    "comparison.broken_off",
    _("The comparison “%(subject)s” ended without a measurement (%(code)s)"),
)
CANDIDATE_CHOSEN = audit_action(
    "candidate.chosen", _("%(actor)s chose run %(run)s to go forward (“%(subject)s”): %(reason)s")
)
REMEDY_CARRIED_OUT = audit_action(
    "verification.way_carried_out",
    _(
        "%(actor)s applied remedy %(way)s of the verification “%(subject)s”, run as %(run)s and measured "
        "as a trial"
    ),
)
REMEDY_TAKEN = audit_action(
    "verification.way_taken",
    _(
        "%(actor)s adopted remedy %(way)s of the verification “%(subject)s” in version %(version)s of the"
        " recipe"
    ),
)

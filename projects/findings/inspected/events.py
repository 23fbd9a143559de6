"""Sentences of the audit log about samples of a result; a value of it is never told."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words

from .enums import SampleUnit

audit_words("sample_unit", SampleUnit)

REQUESTED = audit_action(
    "result_sample.requested",
    _("%(actor)s had the sample “%(subject)s” of the result drawn with the seed %(seed)s"),
)
READ = audit_action(
    "result_sample.read",
    _("The records of the sample “%(subject)s” were read: %(sample_unit)s, %(drawn)s of %(drawable)s"),
)
FAILED = audit_action("result_sample.failed", _("The records of the sample “%(subject)s” could not be read"))
READ_AGAIN = audit_action(
    "result_sample.read_again", _("%(actor)s had the records of the sample “%(subject)s” read again")
)
LOOKED = audit_action(
    "result_sample.looked",
    _("%(actor)s looked at rows %(first)s to %(last)s of the sample “%(subject)s” of the result"),
)
SOUND = audit_action(
    "result_sample.sound",
    _("%(actor)s looked through the sample “%(subject)s” of the result and found nothing"),
)
DEVIATED = audit_action(
    "result_sample.deviated",
    _(
        "%(actor)s found something in %(count)s of the %(drawn)s drawn for the sample “%(subject)s” of the result"
    ),
)
EXPIRED = audit_action(
    "result_sample.expired", _("The rows that were read for the sample “%(subject)s” were destroyed")
)

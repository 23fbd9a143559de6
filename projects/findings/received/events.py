"""Sentences of the audit log about samples that recipients check, and their remedies."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words

from .enums import RemedyKind

audit_words("recipient_remedy", RemedyKind)

DRAWN = audit_action(
    "received_sample.drawn",
    _(
        "%(actor)s requested the sample “%(subject)s”: %(sample)s of %(rows)s rows, drawn with the seed "
        "%(seed)s"
    ),
)
SOUND = audit_action(
    "received_sample.sound",
    _("%(actor)s examined %(checked)s rows of the sample “%(subject)s” and found nothing"),
)
DEVIATED = audit_action(
    "received_sample.deviated",
    _("%(actor)s examined %(checked)s rows of the sample “%(subject)s” and reported findings: %(count)s"),
)
READ = audit_action(
    "received_sample.read",
    _("The records of the sample “%(subject)s” were read: %(sample_unit)s, %(drawn)s of %(drawable)s"),
)
FAILED = audit_action(
    "received_sample.failed", _("The records of the sample “%(subject)s” could not be read")
)
READ_AGAIN = audit_action(
    "received_sample.read_again", _("%(actor)s had the records of the sample “%(subject)s” read again")
)
LOOKED = audit_action(
    "received_sample.looked",
    _("%(actor)s looked at rows %(first)s to %(last)s of the sample “%(subject)s” in the enclave"),
)
EXPIRED = audit_action(
    "received_sample.expired", _("The rows that were read for the sample “%(subject)s” were destroyed")
)
REMEDY_RECORDED = audit_action(
    "recipient_remedy.recorded",
    _("%(actor)s stated what was done with the data about the finding “%(subject)s”: %(recipient_remedy)s"),
)
REMEDY_IN_STEAD = audit_action(
    "recipient_remedy.in_stead",
    _(
        "%(actor)s stated in the recipient's stead what was done with the data about the finding “%(subject)s”: "
        "%(recipient_remedy)s"
    ),
)
REMEDY_CONFIRMED = audit_action(
    "recipient_remedy.confirmed",
    _("%(actor)s confirmed the recipient's remedy for the finding “%(subject)s”"),
)
REMEDY_AGAIN = audit_action(
    "recipient_remedy.again",
    _("%(actor)s did not confirm the recipient's remedy for the finding “%(subject)s”"),
)

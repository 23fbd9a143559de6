"""Sentences of the audit log about jobs."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words, audit_words_of

from .enums import JobName
from .error_names import error_name

JOB_STARTED = audit_action("job.started", _("%(actor)s started the job “%(kind)s” for “%(subject)s”"))
JOB_RESUMED = audit_action(
    "job.resumed",
    _(
        "The job “%(kind)s” for “%(subject)s” was resumed after its worker had been lost (attempt "
        "%(attempt)s)"
    ),
)
JOB_FINISHED = audit_action("job.finished", _("The job “%(kind)s” for “%(subject)s” finished"))
JOB_FAILED = audit_action("job.failed", _("The job “%(kind)s” for “%(subject)s” failed: %(code)s"))
JOB_CANCEL_REQUESTED = audit_action(
    "job.cancel_requested", _("%(actor)s asked to cancel the job “%(kind)s” for “%(subject)s”")
)
JOB_CANCELLED = audit_action("job.cancelled", _("The job “%(kind)s” for “%(subject)s” was cancelled"))
audit_words("kind", JobName)
for _fact in ("code", "why"):
    audit_words_of(_fact, error_name)

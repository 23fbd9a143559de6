"""Sentences of the audit log about releases that were made outside the portal."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

RECORDED = audit_action(
    "outside_release.recorded",
    _("%(actor)s recorded “%(subject)s”, a release that was made outside the portal"),
)
CORRECTED = audit_action(
    "outside_release.corrected",
    _(
        "%(actor)s corrected the entry %(replaces)s about a release made outside the portal; it is “%(subject)s” now (%(reason)s)"
    ),
)
WITHDRAWN = audit_action(
    "outside_release.withdrawn",
    _("%(actor)s withdrew the entry “%(subject)s” about a release made outside the portal (%(reason)s)"),
)

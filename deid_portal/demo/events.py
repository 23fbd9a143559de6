"""The mark of a demo in its own log."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

DEMO_STARTED = audit_action("demo.started", _("%(actor)s began a demo in this database"))

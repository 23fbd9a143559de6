"""The mark of a demo in its own log."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

DEMO_BEGUN = audit_action("demo.begun", _("%(actor)s began a demo in this database"))

"""Sentences of the audit log about looks back."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

RECORDED = audit_action("lesson.recorded", _("%(actor)s recorded the look back “%(subject)s”"))

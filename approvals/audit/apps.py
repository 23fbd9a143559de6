import logging
from typing import Any

from django.apps import AppConfig
from django.db import DEFAULT_DB_ALIAS, DatabaseError
from django.db.models.signals import post_migrate, pre_migrate
from django.utils.translation import gettext_lazy as _

from approvals.governance.triggers import Trigger, ensure

log = logging.getLogger(__name__)
APPEND_ONLY = Trigger(
    "audit_append_only", "audit_auditevent", ("UPDATE", "DELETE"), "the audit log is append-only"
)


def _check(using: str, plan: Any = (), apps: Any = None, **kwargs: Any) -> None:
    from .taking_in import log_check_first

    if using == DEFAULT_DB_ALIAS:
        log_check_first(plan, apps)


def _ensure(using: str, plan: Any = (), **kwargs: Any) -> None:
    from .taking_in import log_take_in

    ensure(APPEND_ONLY, using=using)
    if using == DEFAULT_DB_ALIAS:
        try:
            log_take_in(plan)
        except DatabaseError as error:
            # Migrated to less than this code speaks of, backwards for instance.
            log.warning(
                "the tables are not those of this portal; the log says nothing of the migration (%s)", error
            )


class AuditConfig(AppConfig):
    name = "approvals.audit"
    label = "audit"
    verbose_name = _("Audit log")

    def ready(self) -> None:
        from . import events  # noqa: F401  registers the audit sentences

        pre_migrate.connect(_check, sender=self, dispatch_uid="audit-check")
        post_migrate.connect(_ensure, sender=self, dispatch_uid="audit-triggers")

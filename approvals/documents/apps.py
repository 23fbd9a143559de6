from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DocumentsConfig(AppConfig):
    name = "approvals.documents"
    label = "documents"
    verbose_name = _("Documents")

    def ready(self) -> None:
        from . import (
            checks,  # noqa: F401  registers the system check
            events,  # noqa: F401  registers the audit sentences
        )

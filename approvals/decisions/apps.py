from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DecisionsConfig(AppConfig):
    name = "approvals.decisions"
    label = "decisions"
    verbose_name = _("Decisions")

    def ready(self) -> None:
        from . import events  # noqa: F401  registers the audit sentences

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RecordsConfig(AppConfig):
    name = "deid_portal.records"
    label = "records"
    verbose_name = _("Records of staff")

    def ready(self) -> None:
        from projects.core.rules import set_records_source

        from . import providers  # noqa: F401  registers whose files are kept
        from .selectors import records_missing
        from .trainings import events, home, triggers  # noqa: F401  register sentences, tasks and triggers

        set_records_source(records_missing)

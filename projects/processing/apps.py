from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ProcessingConfig(AppConfig):
    name = "projects.processing"
    label = "processing"
    verbose_name = _("Processing")

    def ready(self) -> None:
        from . import events, providers  # noqa: F401  registrations
        from .runs import reactions  # noqa: F401  registrations

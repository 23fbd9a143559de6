from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ObjectiveConfig(AppConfig):
    name = "projects.objective"
    label = "objective"
    verbose_name = _("Target")

    def ready(self) -> None:
        from . import events, providers  # noqa: F401  registrations

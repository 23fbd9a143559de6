from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CustodyConfig(AppConfig):
    name = "projects.vault.custody"
    label = "custody"
    verbose_name = _("Custody of keys")

    def ready(self) -> None:
        from . import checks, triggers  # noqa: F401  registrations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class VaultConfig(AppConfig):
    name = "projects.vault"
    label = "vault"
    verbose_name = _("Auxiliary information")

    def ready(self) -> None:
        from . import checks, events  # noqa: F401  registrations

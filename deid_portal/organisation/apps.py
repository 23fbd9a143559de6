from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OrganisationConfig(AppConfig):
    name = "deid_portal.organisation"
    label = "organisation"
    verbose_name = _("Organisation")

    def ready(self) -> None:
        from . import events  # noqa: F401  registrations

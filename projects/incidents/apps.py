from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class IncidentsConfig(AppConfig):
    name = "projects.incidents"
    label = "incidents"
    verbose_name = _("Incidents")

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ImpactConfig(AppConfig):
    name = "projects.impact"
    label = "impact"
    verbose_name = _("Impact assessment")

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class QueriesConfig(AppConfig):
    name = "projects.queries"
    label = "queries"
    verbose_name = _("Questions to the data")

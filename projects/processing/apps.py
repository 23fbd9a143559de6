from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ProcessingConfig(AppConfig):
    name = "projects.processing"
    label = "processing"
    verbose_name = _("Processing")

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EnclaveConfig(AppConfig):
    name = "projects.enclave"
    label = "enclave"
    verbose_name = _("Queries in the enclave")

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MessagingConfig(AppConfig):
    name = "deid_portal.messaging"
    # "messages" is Django's own.
    label = "messaging"
    verbose_name = _("Messages")

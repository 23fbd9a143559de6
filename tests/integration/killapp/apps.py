from celery.signals import worker_process_init
from django.apps import AppConfig

from .parts import slow_motion


class KillAppConfig(AppConfig):
    name = "tests.integration.killapp"
    label = "killapp"

    def ready(self) -> None:
        worker_process_init.connect(slow_motion, dispatch_uid="slow-motion")

from django.apps import AppConfig


class KillAppConfig(AppConfig):
    name = "tests.integration.killapp"
    label = "killapp"

from django.apps import AppConfig


class DemoConfig(AppConfig):
    name = "deid_portal.demo"
    label = "demo"

    def ready(self) -> None:
        from . import events  # noqa: F401  registers the audit sentence

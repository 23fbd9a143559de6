from django.apps import AppConfig


class DemoConfig(AppConfig):
    name = "deid_portal.demo"
    label = "demo"

"""Django app that carries the template tags and the gallery page."""

from django.apps import AppConfig


class UiConfig(AppConfig):
    """Registers ``{% load ui %}``; it has no models."""

    name = "deid_portal.ui"
    label = "ui"

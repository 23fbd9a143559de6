"""API endpoints of releases."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

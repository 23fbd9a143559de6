"""API endpoints of decisions."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

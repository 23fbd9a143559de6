"""API endpoints of vault."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

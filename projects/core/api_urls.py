"""API endpoints of core."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

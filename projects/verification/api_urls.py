"""API endpoints of verification."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

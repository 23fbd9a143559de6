"""API endpoints of processing."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

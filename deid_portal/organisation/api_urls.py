"""API endpoints of organisation."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

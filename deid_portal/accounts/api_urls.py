"""API endpoints of accounts."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

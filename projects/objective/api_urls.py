"""API endpoints of objective."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

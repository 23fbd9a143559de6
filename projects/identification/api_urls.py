"""API endpoints of identification."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

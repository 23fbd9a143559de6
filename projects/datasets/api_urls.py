"""API endpoints of datasets."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

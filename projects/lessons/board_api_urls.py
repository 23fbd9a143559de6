"""Trends over all projects, for programs."""

from django.urls import path

from .trends import api

urlpatterns = [path("", api.TrendsView.as_view(), name="trends")]

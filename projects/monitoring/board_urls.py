"""The board of re-assessments over all projects."""

from django.urls import URLPattern

app_name = "board"
urlpatterns: list[URLPattern] = []

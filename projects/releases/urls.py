"""Pages of releases."""

from django.urls import URLPattern

app_name = "releases"
urlpatterns: list[URLPattern] = []

"""Pages of core."""

from django.urls import URLPattern

app_name = "core"
urlpatterns: list[URLPattern] = []

"""Pages of monitoring."""

from django.urls import URLPattern

app_name = "monitoring"
urlpatterns: list[URLPattern] = []

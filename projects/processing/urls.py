"""Pages of processing."""

from django.urls import URLPattern

app_name = "processing"
urlpatterns: list[URLPattern] = []

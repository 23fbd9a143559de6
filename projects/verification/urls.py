"""Pages of verification."""

from django.urls import URLPattern

app_name = "verification"
urlpatterns: list[URLPattern] = []

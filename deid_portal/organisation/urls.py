"""Pages of organisation."""

from django.urls import URLPattern

app_name = "organisation"
urlpatterns: list[URLPattern] = []

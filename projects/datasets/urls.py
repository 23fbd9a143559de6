"""Pages of datasets."""

from django.urls import URLPattern

app_name = "datasets"
urlpatterns: list[URLPattern] = []

"""Pages of objective."""

from django.urls import URLPattern

app_name = "objective"
urlpatterns: list[URLPattern] = []

"""Pages of identification."""

from django.urls import URLPattern

app_name = "identification"
urlpatterns: list[URLPattern] = []

"""Pages of vault."""

from django.urls import URLPattern

app_name = "vault"
urlpatterns: list[URLPattern] = []

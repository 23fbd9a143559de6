"""Pages of a recipient: what was released to them."""

from django.urls import URLPattern

app_name = "recipient"
urlpatterns: list[URLPattern] = []

"""The page on which a recipient reports an incident."""

from django.urls import path

from . import views

app_name = "recipient_incidents"
urlpatterns = [path("<uuid:release_id>/incidents/", views.recipient_page, name="page")]

"""A recipient's pages about their fetches."""

from django.urls import path

from . import views

app_name = "recipient_fetches"
urlpatterns = [
    path("<uuid:release_id>/fetches/", views.own, name="page"),
    path("<uuid:release_id>/fetches/<uuid:fetch_id>/slip/", views.own_slip, name="slip"),
]

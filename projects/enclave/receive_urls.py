"""A recipient's pages: their own queries and what they found."""

from django.urls import path

from . import views

app_name = "enclave_receive"
urlpatterns = [
    path("", views.own, name="page"),
    path("ask/", views.ask, name="ask"),
    path("<uuid:enclave_query_id>/", views.detail, name="detail"),
    path("<uuid:enclave_query_id>/progress/", views.progress, name="progress"),
    path("<uuid:enclave_query_id>/cancel/", views.cancel, name="cancel"),
]

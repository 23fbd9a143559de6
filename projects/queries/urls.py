"""Pages of the account, within a project."""

from django.urls import path

from . import views

app_name = "queries"
urlpatterns = [
    path("", views.page, name="page"),
    path("propose/", views.propose, name="propose"),
    path("<uuid:grant_id>/decide/", views.decide, name="decide"),
]

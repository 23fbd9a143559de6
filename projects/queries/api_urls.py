from django.urls import path

from . import api

urlpatterns = [
    path("", api.QueriesView.as_view(), name="queries"),
    path("<uuid:grant_id>/decide/", api.GrantDecideView.as_view(), name="queries-decide"),
]

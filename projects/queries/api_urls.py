from django.urls import path

from . import api
from .local import api as local_api

urlpatterns = [
    path("", api.QueriesView.as_view(), name="queries"),
    path("<uuid:grant_id>/decide/", api.GrantDecideView.as_view(), name="queries-decide"),
    path("local/", local_api.LocalEstimates.as_view(), name="queries-local"),
]

from django.urls import path

from . import api

urlpatterns = [
    path("", api.OwnQueriesView.as_view(), name="receive-enclave-queries"),
    path("<uuid:enclave_query_id>/", api.OwnQueryView.as_view(), name="receive-enclave-query"),
    path(
        "<uuid:enclave_query_id>/cancel/",
        api.OwnQueryCancelView.as_view(),
        name="receive-enclave-query-cancel",
    ),
]

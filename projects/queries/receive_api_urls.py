from django.urls import path

from . import api

urlpatterns = [
    path("", api.OwnQueriesView.as_view(), name="receive-queries"),
    path("more/", api.MoreView.as_view(), name="receive-queries-more"),
    path("<uuid:query_id>/", api.OwnQueryView.as_view(), name="receive-query"),
]

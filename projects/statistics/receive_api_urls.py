from django.urls import path

from . import api

urlpatterns = [
    path("", api.OwnTablesView.as_view(), name="receive-statistics"),
    path("requested/", api.RequestedTablesView.as_view(), name="receive-statistics-requested"),
    path("<uuid:tabulation_id>/file/", api.OwnTableFileView.as_view(), name="receive-statistics-file"),
]

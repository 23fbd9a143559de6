from django.urls import path

from . import api

urlpatterns = [
    path("<uuid:release_id>/incidents/", api.ReportedIncidents.as_view(), name="receive-incidents"),
]

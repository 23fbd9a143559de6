from django.urls import path

from . import api

urlpatterns = [
    path("", api.Incidents.as_view(), name="incidents"),
    path("<uuid:incident_id>/", api.IncidentDetail.as_view(), name="incidents-detail"),
]

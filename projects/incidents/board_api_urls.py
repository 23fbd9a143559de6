from django.urls import path

from . import api

urlpatterns = [path("", api.IncidentBoard.as_view(), name="incident-board")]

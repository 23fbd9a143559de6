from django.urls import path

from . import api
from .executing import api as executing_api

urlpatterns = [
    path("", api.PartyList.as_view(), name="parties"),
    path(
        "executing/<uuid:project_id>/", executing_api.ExecutingOrganisation.as_view(), name="executing-party"
    ),
    path("<uuid:party_id>/", api.PartyDetail.as_view(), name="party"),
    path("<uuid:party_id>/change/", api.PartyChange.as_view(), name="party-change"),
    path("<uuid:party_id>/end/", api.PartyEnd.as_view(), name="party-end"),
]

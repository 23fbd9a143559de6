from django.urls import path

from . import api

urlpatterns = [
    path("", api.FindingList.as_view(), name="findings"),
    path("<uuid:finding_id>/", api.FindingDetail.as_view(), name="findings-detail"),
    path("<uuid:finding_id>/act/", api.FindingAct.as_view(), name="findings-act"),
    path("<uuid:finding_id>/check/", api.FindingCheck.as_view(), name="findings-check"),
    path("<uuid:finding_id>/assign/", api.FindingAssign.as_view(), name="findings-assign"),
]

from django.urls import include, path

from . import api
from .assessments import api as assessment_api
from .received import api as received_api

urlpatterns = [
    path("", api.FindingList.as_view(), name="findings"),
    path("samples/", received_api.ReceivedSamples.as_view(), name="findings-samples"),
    path("result-samples/", include("projects.findings.inspected.api_urls")),
    path(
        "assessments/<uuid:order_id>/document/",
        assessment_api.AssessmentDocumentView.as_view(),
        name="assessment-document",
    ),
    path("<uuid:finding_id>/", api.FindingDetail.as_view(), name="findings-detail"),
    path("<uuid:finding_id>/act/", api.FindingAct.as_view(), name="findings-act"),
    path("<uuid:finding_id>/check/", api.FindingCheck.as_view(), name="findings-check"),
    path("<uuid:finding_id>/assign/", api.FindingAssign.as_view(), name="findings-assign"),
    path("<uuid:finding_id>/remedy/", received_api.RemedyDecide.as_view(), name="findings-remedy"),
    path(
        "<uuid:finding_id>/remedy/in-stead/",
        received_api.RemedyInStead.as_view(),
        name="findings-remedy-in-stead",
    ),
]

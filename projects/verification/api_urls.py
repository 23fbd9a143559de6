"""API endpoints of verification."""

from django.urls import path

from . import api

urlpatterns = [
    path("", api.VerificationList.as_view(), name="verification-list"),
    path("answer/", api.VerificationAnswer.as_view(), name="verification-answer"),
    path("decision/", api.ReleaseDecision.as_view(), name="verification-decision"),
    path("<uuid:verification_id>/", api.VerificationDetail.as_view(), name="verification-detail"),
]

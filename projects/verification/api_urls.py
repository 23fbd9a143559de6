from django.urls import path

from . import api
from .comparison import api as candidate_api
from .reports.classes import api as class_api
from .sign_off.opinions import api as opinion_api
from .trials import api as trial_api

urlpatterns = [
    path("", api.VerificationList.as_view(), name="verification-list"),
    path("answer/", api.VerificationAnswer.as_view(), name="verification-answer"),
    path("decision/", api.ReleaseDecision.as_view(), name="verification-decision"),
    path("classes/", class_api.Classes.as_view(), name="verification-classes"),
    path("utility/", opinion_api.UtilityOpinions.as_view(), name="verification-opinions"),
    path(
        "utility/<uuid:opinion_id>/",
        opinion_api.UtilityOpinionGive.as_view(),
        name="verification-opinion",
    ),
    path("trials/", trial_api.Trials.as_view(), name="verification-trials"),
    path("comparisons/", candidate_api.Comparisons.as_view(), name="verification-comparisons"),
    path(
        "comparisons/<uuid:comparison_id>/choice/",
        candidate_api.Choice.as_view(),
        name="verification-comparison-choice",
    ),
    path(
        "<uuid:verification_id>/ways/<int:number>/take/",
        api.RemedyTake.as_view(),
        name="verification-way-take",
    ),
    path(
        "<uuid:verification_id>/ways/<int:number>/carry-out/",
        trial_api.RemedyCarryOut.as_view(),
        name="verification-way-carry-out",
    ),
    path("<uuid:verification_id>/", api.VerificationDetail.as_view(), name="verification-detail"),
]

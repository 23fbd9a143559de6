from django.urls import path

from . import api
from .appointments import api as appointments
from .deputies import api as deputies
from .intake import api as intake
from .leaving import api as leaving

urlpatterns = [
    path("me/", api.MeView.as_view(), name="account-me"),
    path("token/", api.TokenSignInView.as_view(), name="account-token-sign-in"),
    path("people/intake/", intake.IntakeView.as_view(), name="account-intake"),
    path("people/<int:user_id>/leaving/", leaving.LeavingView.as_view(), name="account-leaving"),
    path(
        "people/<int:user_id>/leaving/<str:number>/",
        leaving.LeavingPlanningView.as_view(),
        name="account-leaving-planning",
    ),
    path("appointments/", appointments.AppointmentListView.as_view(), name="appointment-list"),
    path(
        "appointments/<uuid:appointment_id>/decision/",
        appointments.AppointmentDecisionView.as_view(),
        name="appointment-decision",
    ),
    path(
        "appointments/<uuid:appointment_id>/end/",
        appointments.AppointmentEndView.as_view(),
        name="appointment-end",
    ),
    path("deputations/", deputies.DeputationListView.as_view(), name="deputation-list"),
    path(
        "deputations/<uuid:deputation_id>/decision/",
        deputies.DeputationDecisionView.as_view(),
        name="deputation-decision",
    ),
    path(
        "deputations/<uuid:deputation_id>/end/",
        deputies.DeputationEndView.as_view(),
        name="deputation-end",
    ),
    path("tokens/", api.TokenListView.as_view(), name="account-token-list"),
    path("tokens/<uuid:token_id>/", api.TokenView.as_view(), name="account-token-detail"),
]

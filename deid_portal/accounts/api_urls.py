from django.urls import path

from . import api
from .appointments import api as appointments
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
    path("tokens/", api.TokenListView.as_view(), name="account-token-list"),
    path("tokens/<uuid:token_id>/", api.TokenView.as_view(), name="account-token-detail"),
]

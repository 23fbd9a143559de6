from django.urls import path

from . import api
from .invitations import api as invitations

urlpatterns = [
    path("", api.IntruderTests.as_view(), name="intrusion"),
    path("<uuid:test_id>/", api.IntruderTestDetail.as_view(), name="intrusion-detail"),
    path("<uuid:test_id>/claims/", api.IntruderClaims.as_view(), name="intrusion-claims"),
    path("<uuid:test_id>/checks/", api.IntruderChecks.as_view(), name="intrusion-checks"),
    path("<uuid:test_id>/close/", api.IntruderTestClose.as_view(), name="intrusion-close"),
    path("<uuid:test_id>/invitations/", invitations.Invitations.as_view(), name="intrusion-invitations"),
    path(
        "<uuid:test_id>/invitations/<uuid:invitation_id>/end/",
        invitations.InvitationEnd.as_view(),
        name="intrusion-invitation-end",
    ),
]

from django.urls import path

from . import api

urlpatterns = [
    path("", api.OwnTests.as_view(), name="tester-list"),
    path("<uuid:invitation_id>/", api.OwnTestDetail.as_view(), name="tester-detail"),
    path("<uuid:invitation_id>/file/", api.OwnFile.as_view(), name="tester-file"),
    path("<uuid:invitation_id>/claims/", api.OwnClaims.as_view(), name="tester-claims"),
]

from django.urls import path

from . import api

urlpatterns = [
    path("", api.OwnTests.as_view(), name="tester-list"),
    path("<uuid:invitation_id>/claims/", api.OwnClaims.as_view(), name="tester-claims"),
]

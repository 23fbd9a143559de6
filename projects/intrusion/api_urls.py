from django.urls import path

from . import api

urlpatterns = [
    path("", api.IntruderTests.as_view(), name="intrusion"),
    path("<uuid:test_id>/", api.IntruderTestDetail.as_view(), name="intrusion-detail"),
    path("<uuid:test_id>/claims/", api.IntruderClaims.as_view(), name="intrusion-claims"),
    path("<uuid:test_id>/checks/", api.IntruderChecks.as_view(), name="intrusion-checks"),
    path("<uuid:test_id>/close/", api.IntruderTestClose.as_view(), name="intrusion-close"),
]

from django.urls import path

from . import api
from .relatives import api as relatives_api
from .shares import api as share_api

urlpatterns = [
    path("", api.Releases.as_view(), name="releases"),
    path("<uuid:release_id>/end/", api.ReleaseEnd.as_view(), name="releases-end"),
    path("deliveries/", api.Deliveries.as_view(), name="releases-deliveries"),
    path("relatives/", relatives_api.RelativesView.as_view(), name="release-relatives"),
    path("shares/", share_api.Shares.as_view(), name="release-shares"),
    path("agreements/", api.Agreements.as_view(), name="agreements"),
    path("agreements/<uuid:agreement_id>/end/", api.AgreementEnd.as_view(), name="agreements-end"),
    path("agreements/<uuid:agreement_id>/scan/", api.AgreementScan.as_view(), name="agreements-scan"),
]

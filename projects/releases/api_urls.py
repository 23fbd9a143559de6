from django.urls import path

from . import api
from .agreements.changes import api as recipient_api
from .deliveries.publications import api as publication_api
from .deliveries.requests import api as fetch_api
from .relatives import api as relatives_api
from .shares import api as share_api

urlpatterns = [
    path("", api.Releases.as_view(), name="releases"),
    path("<uuid:release_id>/end/", api.ReleaseEnd.as_view(), name="releases-end"),
    path("deliveries/", api.Deliveries.as_view(), name="releases-deliveries"),
    path("publications/", publication_api.Publications.as_view(), name="publications"),
    path(
        "publications/<uuid:publication_id>/decide/",
        publication_api.PublicationDecision.as_view(),
        name="publications-decide",
    ),
    path(
        "publications/<uuid:publication_id>/withdraw/",
        publication_api.PublicationWithdraw.as_view(),
        name="publications-withdraw",
    ),
    path("fetches/", fetch_api.Fetches.as_view(), name="fetches"),
    path("fetches/<uuid:fetch_id>/slip/", fetch_api.FetchSlip.as_view(), name="fetches-slip"),
    path("fetch-requests/", fetch_api.FetchRequests.as_view(), name="fetch-requests"),
    path(
        "fetch-requests/<uuid:fetch_request_id>/decide/",
        fetch_api.FetchRequestDecision.as_view(),
        name="fetch-requests-decide",
    ),
    path("relatives/", relatives_api.RelativesView.as_view(), name="release-relatives"),
    path("shares/", share_api.Shares.as_view(), name="release-shares"),
    path("changes/", recipient_api.RecipientChanges.as_view(), name="recipient-changes"),
    path(
        "changes/<uuid:recipient_change_id>/decide/",
        recipient_api.RecipientChangeDecision.as_view(),
        name="recipient-changes-decide",
    ),
    path(
        "changes/<uuid:recipient_change_id>/scan/",
        recipient_api.RecipientChangeScan.as_view(),
        name="recipient-changes-scan",
    ),
    path("agreements/", api.Agreements.as_view(), name="agreements"),
    path("agreements/<uuid:agreement_id>/end/", api.AgreementEnd.as_view(), name="agreements-end"),
    path("agreements/<uuid:agreement_id>/scan/", api.AgreementScan.as_view(), name="agreements-scan"),
]

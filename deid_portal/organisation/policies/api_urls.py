from django.urls import path

from . import api

urlpatterns = [
    path("", api.PolicyList.as_view(), name="policies"),
    path("<uuid:policy_id>/", api.PolicyDetail.as_view(), name="policy"),
    path("<uuid:policy_id>/versions/", api.PolicyVersions.as_view(), name="policy-versions"),
    path("<uuid:policy_id>/review/", api.PolicyReviewing.as_view(), name="policy-review"),
    path("<uuid:policy_id>/owner/", api.PolicyOwner.as_view(), name="policy-owner"),
    path(
        "<uuid:policy_id>/versions/<uuid:version_id>/decide/",
        api.PolicyDecision.as_view(),
        name="policy-decide",
    ),
    path(
        "<uuid:policy_id>/versions/<uuid:version_id>/acknowledge/",
        api.PolicyAcknowledge.as_view(),
        name="policy-acknowledge",
    ),
    path(
        "<uuid:policy_id>/versions/<uuid:version_id>/file/",
        api.PolicyDocument.as_view(),
        name="policy-document",
    ),
]

from django.urls import path

from ..agreements.changes import api as recipient_api
from . import api

urlpatterns = [
    path("", api.Received.as_view(), name="receive"),
    path("<uuid:release_id>/", api.ReceivedDetail.as_view(), name="receive-detail"),
    path("<uuid:release_id>/accept/", recipient_api.TermsAccept.as_view(), name="receive-accept"),
    path("<uuid:release_id>/request/", api.ReceivedRequest.as_view(), name="receive-request"),
    path("deliveries/<uuid:delivery_id>/", api.DeliveryState.as_view(), name="receive-delivery"),
    path("deliveries/<uuid:delivery_id>/download/", api.DeliveryDownload.as_view(), name="receive-download"),
]

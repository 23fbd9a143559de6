from django.urls import path

from . import api

urlpatterns = [
    path("", api.Received.as_view(), name="receive"),
    path("<uuid:release_id>/", api.ReceivedDetail.as_view(), name="receive-detail"),
    path("<uuid:release_id>/request/", api.ReceivedRequest.as_view(), name="receive-request"),
    path("deliveries/<uuid:delivery_id>/", api.DeliveryState.as_view(), name="receive-delivery"),
    path("deliveries/<uuid:delivery_id>/download/", api.DeliveryDownload.as_view(), name="receive-download"),
]

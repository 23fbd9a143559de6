from django.urls import path

from . import api

urlpatterns = [
    path("<uuid:release_id>/fetch-requests/", api.OwnFetchRequests.as_view(), name="receive-fetch-requests"),
    path("<uuid:release_id>/fetches/", api.OwnFetches.as_view(), name="receive-fetches"),
    path(
        "<uuid:release_id>/fetches/<uuid:fetch_id>/slip/",
        api.OwnFetchSlip.as_view(),
        name="receive-fetch-slip",
    ),
]

from django.urls import path

from . import api

urlpatterns = [
    path("<uuid:release_id>/samples/", api.OwnSamples.as_view(), name="receive-samples"),
    path("<uuid:release_id>/samples/<uuid:sample_id>/", api.OwnSample.as_view(), name="receive-sample"),
    path(
        "<uuid:release_id>/samples/<uuid:sample_id>/read/",
        api.OwnSampleRead.as_view(),
        name="receive-sample-read",
    ),
    path(
        "<uuid:release_id>/samples/found/<uuid:deviation_id>/remedy/",
        api.OwnRemedy.as_view(),
        name="receive-sample-remedy",
    ),
]

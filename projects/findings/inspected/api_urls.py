from django.urls import path

from . import api

urlpatterns = [
    path("", api.ResultSamples.as_view(), name="result-samples"),
    path("<uuid:result_sample_id>/", api.ResultSampleDetail.as_view(), name="result-sample"),
    path("<uuid:result_sample_id>/read/", api.ResultSampleRead.as_view(), name="result-sample-read"),
]

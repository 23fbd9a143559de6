from django.urls import path

from . import api

urlpatterns = [path("", api.QueriesView.as_view(), name="enclave-queries")]

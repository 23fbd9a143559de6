"""API endpoint of live masking."""

from django.urls import path

from . import api

urlpatterns = [path("<slug:policy>/", api.MaskView.as_view(), name="masking")]

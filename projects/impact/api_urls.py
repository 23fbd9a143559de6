from django.urls import path

from . import api

urlpatterns = [
    path("", api.Impacts.as_view(), name="impact"),
    path("<uuid:assessment_id>/decide/", api.ImpactDecision.as_view(), name="impact-decide"),
]

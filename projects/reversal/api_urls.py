from django.urls import path

from . import api

urlpatterns = [
    path("", api.ReversalList.as_view(), name="reversal-list"),
    path("columns/", api.ReversibleColumns.as_view(), name="reversal-columns"),
    path("<uuid:reversal_id>/", api.ReversalDetail.as_view(), name="reversal-detail"),
    path("<uuid:reversal_id>/decide/", api.ReversalDecide.as_view(), name="reversal-decide"),
    path("<uuid:reversal_id>/read/", api.ReversalRead.as_view(), name="reversal-read"),
    path("<uuid:reversal_id>/end/", api.ReversalEnd.as_view(), name="reversal-end"),
]

from django.urls import path

from . import api
from .tables import api as tables_api

urlpatterns = [
    path("", api.DatasetList.as_view(), name="dataset-list"),
    path("tables/", tables_api.Tables.as_view(), name="dataset-tables"),
    path("tables/links/", tables_api.Links.as_view(), name="dataset-links"),
    path("tables/check/", tables_api.LinksCheck.as_view(), name="dataset-links-check"),
    path("<uuid:dataset_id>/", api.DatasetDetail.as_view(), name="dataset-detail"),
    path("<uuid:dataset_id>/preview/", api.DatasetPreview.as_view(), name="dataset-preview"),
    path("<uuid:dataset_id>/confirm/", api.DatasetConfirm.as_view(), name="dataset-confirm"),
    path("<uuid:dataset_id>/raw/", api.DatasetRawLook.as_view(), name="dataset-raw-look"),
]

from django.urls import path

from . import api

urlpatterns = [
    path("posts/", api.CatalogueList.as_view(), name="records-catalogue"),
    path("posts/<uuid:version_id>/decide/", api.CatalogueDecision.as_view(), name="records-catalogue-decide"),
    path("people/<int:user_id>/", api.RecordList.as_view(), name="records-list"),
    path("<uuid:record_id>/take-back/", api.RecordTakeBack.as_view(), name="records-take-back"),
]

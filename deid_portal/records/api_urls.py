from django.urls import path

from . import api
from .scans import api as scans
from .trainings import api as trainings

urlpatterns = [
    path("posts/", api.CatalogueList.as_view(), name="records-catalogue"),
    path("posts/<uuid:version_id>/decide/", api.CatalogueDecision.as_view(), name="records-catalogue-decide"),
    path("people/<int:user_id>/", api.RecordList.as_view(), name="records-list"),
    path("<uuid:record_id>/take-back/", api.RecordTakeBack.as_view(), name="records-take-back"),
    path("<uuid:record_id>/scan/", scans.RecordScanView.as_view(), name="records-scan"),
    path("trainings/", trainings.TrainingList.as_view(), name="records-trainings"),
    path(
        "trainings/<uuid:training_id>/attendance/",
        trainings.TrainingAttendance.as_view(),
        name="records-training-attendance",
    ),
    path(
        "trainings/<uuid:training_id>/cancel/",
        trainings.TrainingCancellation.as_view(),
        name="records-training-cancel",
    ),
]

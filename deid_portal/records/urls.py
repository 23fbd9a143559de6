from django.urls import path

from . import views
from .scans import views as scans
from .trainings import views as trainings

app_name = "records"
urlpatterns = [
    path("posts/", views.catalogue, name="catalogue"),
    path("posts/<uuid:version_id>/decide/", views.catalogue_decide, name="catalogue_decide"),
    path("people/<int:user_id>/", views.records, name="records"),
    path("<uuid:record_id>/take-back/", views.record_take_back, name="take_back"),
    path("<uuid:record_id>/scan/", scans.scan, name="scan"),
    path("<uuid:record_id>/scan/file/", scans.scan_file, name="scan_file"),
    path("trainings/", trainings.trainings, name="trainings"),
    path("trainings/<uuid:training_id>/", trainings.training, name="training"),
    path("trainings/<uuid:training_id>/hold/", trainings.training_hold, name="training_hold"),
    path("trainings/<uuid:training_id>/cancel/", trainings.training_cancel, name="training_cancel"),
]

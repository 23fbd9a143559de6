from django.urls import path

from . import views

app_name = "audit"
urlpatterns = [
    path("", views.log, name="log"),
    path("events/<int:seq>/", views.event, name="event"),
    path("export/csv/", views.export_csv, name="export_csv"),
    path("export/chain/", views.export_chain, name="export_chain"),
    path("verify/", views.verify, name="verify"),
    path("verify/<uuid:check_id>/", views.check, name="check"),
]

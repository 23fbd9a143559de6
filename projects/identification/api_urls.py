from django.urls import path

from . import api
from .persons import api as persons

urlpatterns = [
    path("", api.State.as_view(), name="identification-state"),
    path("scans/", api.Scans.as_view(), name="identification-scans"),
    path("scans/<uuid:round_id>/report/", api.Report.as_view(), name="identification-report"),
    path("verdicts/", api.Verdicts.as_view(), name="identification-verdicts"),
    path("verdicts/accept/", api.Accept.as_view(), name="identification-accept"),
    path("inventory/", api.InventoryView.as_view(), name="identification-inventory"),
    path("persons/", persons.Persons.as_view(), name="identification-persons"),
    path("columns/<int:position>/verdicts/", api.History.as_view(), name="identification-history"),
]

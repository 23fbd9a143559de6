from django.urls import path

from . import views
from .persons import views as persons

app_name = "identification"
urlpatterns = [
    path("", views.page, name="page"),
    path("scan/", views.scan, name="scan"),
    path("columns/<int:position>/", views.column, name="column"),
    path("persons/", persons.page, name="persons"),
    path("report/", views.report, name="report"),
]

from django.urls import path

from . import views

app_name = "identification"
urlpatterns = [
    path("", views.page, name="page"),
    path("scan/", views.scan, name="scan"),
    path("columns/<int:position>/", views.column, name="column"),
    path("report/", views.report, name="report"),
]

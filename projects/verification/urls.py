"""Pages of verification."""

from django.urls import path

from . import views

app_name = "verification"
urlpatterns = [
    path("", views.page, name="page"),
    path("measure/", views.measure, name="measure"),
    path("decide/", views.decide, name="decide"),
    path("report/make/", views.document_make, name="document_make"),
]

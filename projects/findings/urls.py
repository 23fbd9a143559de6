from django.urls import include, path

from . import views
from .assessments import views as assessment_views
from .received import views as received_views

app_name = "findings"
urlpatterns = [
    path("", views.page, name="page"),
    path("raise/", views.raise_new, name="raise"),
    path("raise/<slug:source>/<uuid:origin_id>/", views.raise_from, name="raise_from"),
    path("result-samples/", include("projects.findings.inspected.urls")),
    path("assessments/<uuid:order_id>/document/", assessment_views.document, name="assessment_document"),
    path("assessments/<uuid:order_id>/document/file/", assessment_views.file, name="assessment_file"),
    path("<uuid:finding_id>/", views.detail, name="detail"),
    path("<uuid:finding_id>/act/", views.act, name="act"),
    path("<uuid:finding_id>/check/", views.check, name="check"),
    path("<uuid:finding_id>/assign/", views.assign, name="assign"),
    path("<uuid:finding_id>/remedy/", received_views.decide, name="remedy"),
    path("<uuid:finding_id>/remedy/in-stead/", received_views.remedy_in_stead, name="remedy_in_stead"),
]

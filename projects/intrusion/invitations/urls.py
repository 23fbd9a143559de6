"""Pages of an invited tester."""

from django.urls import path

from . import workspace

app_name = "tester"
urlpatterns = [
    path("", workspace.listing, name="list"),
    path("<uuid:invitation_id>/", workspace.case, name="case"),
    path("<uuid:invitation_id>/look/", workspace.look, name="look"),
    path("<uuid:invitation_id>/file/", workspace.file, name="file"),
]

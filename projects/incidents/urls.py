from django.urls import path

from . import views

app_name = "incidents"
urlpatterns = [
    path("", views.page, name="page"),
    path("<uuid:incident_id>/", views.incident, name="incident"),
]

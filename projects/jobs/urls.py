from django.urls import path

from . import views

app_name = "jobs"
urlpatterns = [
    path("<uuid:job_id>/", views.detail, name="detail"),
    path("<uuid:job_id>/progress/", views.progress, name="progress"),
    path("<uuid:job_id>/cancel/", views.cancel, name="cancel"),
]

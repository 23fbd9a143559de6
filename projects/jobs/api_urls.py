from django.urls import path

from . import api

urlpatterns = [
    path("", api.JobList.as_view(), name="job-list"),
    path("<uuid:job_id>/", api.JobDetail.as_view(), name="job-detail"),
    path("<uuid:job_id>/cancel/", api.JobCancel.as_view(), name="job-cancel"),
]

"""The gallery of components, for those who build pages and those who judge the look."""

from django.urls import path

from deid_portal.ui import views

app_name = "ui"
urlpatterns = [
    path("", views.gallery, name="gallery"),
    path("form/", views.gallery_form, name="gallery_form"),
    path("job/", views.gallery_job, name="gallery_job"),
]

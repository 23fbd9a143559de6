from django.urls import path

from . import views

app_name = "disposal"
urlpatterns = [
    path("", views.page, name="page"),
    path("propose/", views.propose, name="propose"),
    path("<uuid:disposal_id>/carry-out/", views.carry_out, name="carry_out"),
    path("<uuid:disposal_id>/keep/", views.keep, name="keep"),
    path("<uuid:disposal_id>/resume/", views.resume, name="resume"),
]

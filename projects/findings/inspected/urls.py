from django.urls import path

from . import views

urlpatterns = [
    path("", views.page, name="result_samples"),
    path("<uuid:result_sample_id>/", views.sample, name="result_sample"),
    path("<uuid:result_sample_id>/read/", views.read, name="result_sample_read"),
    path("<uuid:result_sample_id>/look/", views.look, name="result_sample_look"),
]

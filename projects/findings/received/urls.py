"""The pages on which a recipient checks samples of what they fetched."""

from django.urls import path

from . import views

app_name = "recipient_samples"
urlpatterns = [
    path("<uuid:release_id>/samples/", views.samples, name="page"),
    path("<uuid:release_id>/samples/<uuid:sample_id>/", views.sample, name="sample"),
    path("<uuid:release_id>/samples/found/<uuid:deviation_id>/remedy/", views.remedy, name="remedy"),
]

"""The pages on which a recipient checks samples of what they received."""

from django.urls import path

from . import views
from .inside import views as inside

app_name = "recipient_samples"
urlpatterns = [
    path("<uuid:release_id>/samples/", views.samples, name="page"),
    path("<uuid:release_id>/samples/<uuid:sample_id>/", views.sample, name="sample"),
    path("<uuid:release_id>/samples/<uuid:sample_id>/read/", inside.read, name="read"),
    path("<uuid:release_id>/samples/<uuid:sample_id>/progress/", inside.progress, name="progress"),
    path("<uuid:release_id>/samples/<uuid:sample_id>/look/", inside.look, name="look"),
    path("<uuid:release_id>/samples/found/<uuid:deviation_id>/remedy/", views.remedy, name="remedy"),
]

from django.urls import path

from . import views
from .acceptance import views as acceptance_views

app_name = "monitoring"
one = "reassessments/<uuid:reassessment_id>/"
urlpatterns = [
    path("", views.page, name="page"),
    path("review/", views.review, name="review"),
    path(one, views.reassessment, name="reassessment"),
    path(one + "open/", views.reassessment_open, name="reassessment_open"),
    path(one + "measure/", views.reassessment_measure, name="reassessment_measure"),
    path(one + "accept/", acceptance_views.accept, name="reassessment_accept"),
]

from django.urls import path

from . import views
from .executing import views as executing_views

urlpatterns = [
    path("", views.parties, name="parties"),
    path("add/", views.party_add, name="party_add"),
    path("executing/<uuid:project_id>/", executing_views.executing, name="executing"),
    path("<uuid:party_id>/", views.party, name="party"),
    path("<uuid:party_id>/change/", views.party_change, name="party_change"),
    path("<uuid:party_id>/end/", views.party_end, name="party_end"),
]

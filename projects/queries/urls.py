"""Pages of the account, within a project."""

from django.urls import path

from . import views
from .local import views as local_views

app_name = "queries"
urlpatterns = [
    path("", views.page, name="page"),
    path("statement/", views.print_account, name="print_account"),
    path("propose/", views.propose, name="propose"),
    path("<uuid:grant_id>/decide/", views.decide, name="decide"),
    path("local/", local_views.local, name="local"),
    path("local/kit/", local_views.local_kit, name="local_kit"),
    path("local/start/", local_views.local_start, name="local_start"),
]

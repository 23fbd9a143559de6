from django.urls import path

from . import views
from .tables import views as table_views

app_name = "datasets"
urlpatterns = [
    path("", views.page, name="page"),
    path("tables/", table_views.tables, name="tables"),
    path("upload/", views.upload, name="upload"),
    path("<uuid:dataset_id>/confirm/", views.confirm, name="confirm"),
    path("<uuid:dataset_id>/raw/", views.raw_look, name="raw_look"),
]

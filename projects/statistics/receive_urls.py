from django.urls import path

from . import views

app_name = "statistics_receive"
urlpatterns = [
    path("", views.own, name="page"),
    path("ask/", views.ask, name="ask"),
    path("<uuid:tabulation_id>/", views.look, name="look"),
    path("<uuid:tabulation_id>/file/", views.own_download, name="download"),
]

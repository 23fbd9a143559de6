from django.urls import path

from . import views

app_name = "incident_board"
urlpatterns = [path("", views.board, name="page")]

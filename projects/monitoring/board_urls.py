"""The board of re-assessments over all projects."""

from django.urls import path

from . import views

app_name = "board"
urlpatterns = [path("", views.board, name="page")]

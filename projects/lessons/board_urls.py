"""Trends over all projects that somebody may see."""

from django.urls import path

from .trends import views

app_name = "trends"
urlpatterns = [path("", views.trends, name="page")]

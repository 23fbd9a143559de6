"""The page of the example, beside the help."""

from django.urls import path

from . import views

app_name = "query_example"
urlpatterns = [path("", views.histogram, name="histogram")]

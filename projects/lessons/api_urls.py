from django.urls import path

from . import api

urlpatterns = [path("", api.Lessons.as_view(), name="lessons")]

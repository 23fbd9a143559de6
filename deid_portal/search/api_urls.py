from django.urls import path

from . import api

urlpatterns = [path("", api.SearchView.as_view(), name="search")]

from django.urls import path

from . import api

urlpatterns = [
    path("<slug:token>/", api.PublishedDetail.as_view(), name="published"),
    path("<slug:token>/files/<int:file>/", api.PublishedFile.as_view(), name="published-file"),
]

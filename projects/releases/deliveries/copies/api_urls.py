from django.urls import path

from . import api

urlpatterns = [path("<uuid:release_id>/copy/", api.OwnCopy.as_view(), name="receive-copy")]

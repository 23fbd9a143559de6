from django.urls import path

from . import api

urlpatterns = [
    path("<uuid:document_id>/", api.DocumentView.as_view(), name="document-detail"),
    path("<uuid:document_id>/content/", api.DocumentContentView.as_view(), name="document-content"),
]

"""API endpoint of the board."""

from django.urls import path

from . import api

urlpatterns = [path("", api.Board.as_view(), name="board")]

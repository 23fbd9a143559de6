"""The page on which a recipient states what became of their copy."""

from django.urls import path

from . import views

app_name = "recipient_copies"
urlpatterns = [path("<uuid:release_id>/copy/", views.page, name="page")]

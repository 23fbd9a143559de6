"""Pages of monitoring."""

from django.urls import path

from . import review_views, views

app_name = "monitoring"
urlpatterns = [
    path("", views.page, name="page"),
    path("review/", review_views.review, name="review"),
]

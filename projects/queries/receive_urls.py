"""A recipient's pages: the own account, questions and answers."""

from django.urls import path

from . import views

app_name = "queries_receive"
urlpatterns = [
    path("", views.own, name="page"),
    path("ask/", views.ask, name="ask"),
    path("more/", views.more, name="more"),
    path("<uuid:query_id>/", views.detail, name="detail"),
]

from django.urls import path

from . import views

urlpatterns = [
    path("", views.team, name="team"),
    path("head/", views.head_propose, name="team_head_propose"),
    path("seats/", views.seat_give, name="team_seat_give"),
    path("seats/<uuid:seat_id>/take/", views.head_take, name="team_head_take"),
    path("seats/<uuid:seat_id>/end/", views.seat_end, name="team_seat_end"),
]

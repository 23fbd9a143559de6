from django.urls import path

from . import api

urlpatterns = [
    path("", api.TeamToday.as_view(), name="team"),
    path("ended/", api.TeamEnded.as_view(), name="team-ended"),
    path("head/", api.TeamHeadProposal.as_view(), name="team-head-propose"),
    path("seats/", api.TeamSeats.as_view(), name="team-seat-give"),
    path("seats/<uuid:seat_id>/take/", api.TeamHeadTaking.as_view(), name="team-head-take"),
    path("seats/<uuid:seat_id>/end/", api.TeamSeatEnding.as_view(), name="team-seat-end"),
]

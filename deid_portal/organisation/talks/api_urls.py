from django.urls import path

from . import api

urlpatterns = [
    path("", api.TalkList.as_view(), name="talks"),
    path("<uuid:talk_id>/", api.TalkDetail.as_view(), name="talk"),
    path("<uuid:talk_id>/corrections/", api.TalkCorrections.as_view(), name="talk-corrections"),
    path("<uuid:talk_id>/follow-ups/", api.TalkFollowUps.as_view(), name="talk-follow-ups"),
    path(
        "<uuid:talk_id>/follow-ups/<uuid:follow_up_id>/close/",
        api.FollowUpClosing.as_view(),
        name="talk-follow-up-close",
    ),
]

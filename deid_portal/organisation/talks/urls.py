from django.urls import path

from . import views

urlpatterns = [
    path("", views.talks, name="talks"),
    path("add/", views.talk_add, name="talk_add"),
    path("<uuid:talk_id>/", views.talk, name="talk"),
    path("<uuid:talk_id>/correct/", views.talk_correct, name="talk_correct"),
    path("<uuid:talk_id>/follow-ups/", views.follow_up_give, name="talk_follow_up"),
    path(
        "<uuid:talk_id>/follow-ups/<uuid:follow_up_id>/close/",
        views.follow_up_close,
        name="talk_follow_up_close",
    ),
]

from django.urls import path

from . import api

urlpatterns = [
    path("", api.MessageList.as_view(), name="messages-list"),
    path("mine/", api.ChoiceView.as_view(), name="messages-choice"),
    path("robots/", api.RobotList.as_view(), name="messages-robots"),
    path("robots/<uuid:robot_id>/", api.RobotView.as_view(), name="messages-robot"),
    path("test/", api.TestView.as_view(), name="messages-test"),
    path("again/", api.AgainView.as_view(), name="messages-again"),
]

from django.urls import path

from . import views

app_name = "messaging"
urlpatterns = [
    path("", views.page, name="page"),
    path("mine/", views.choice, name="choice"),
    path("robots/", views.robot_add, name="robot_add"),
    path("robots/<uuid:robot_id>/remove/", views.robot_remove, name="robot_remove"),
    path("test/", views.test, name="test"),
    path("again/", views.again, name="again"),
]

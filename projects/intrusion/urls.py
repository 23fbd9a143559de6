from django.urls import path

from . import views

app_name = "intrusion"
urlpatterns = [
    path("", views.page, name="page"),
    path("<uuid:test_id>/", views.test, name="test"),
    path("<uuid:test_id>/claim/", views.claim, name="claim"),
    path("<uuid:test_id>/check/", views.check, name="check"),
    path("<uuid:test_id>/close/", views.close, name="close"),
]

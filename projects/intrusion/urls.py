from django.urls import path

from . import views
from .invitations import views as invitations

app_name = "intrusion"
urlpatterns = [
    path("", views.page, name="page"),
    path("<uuid:test_id>/", views.test, name="test"),
    path("<uuid:test_id>/claim/", views.claim, name="claim"),
    path("<uuid:test_id>/check/", views.check, name="check"),
    path("<uuid:test_id>/close/", views.close, name="close"),
    path("<uuid:test_id>/invite/", invitations.invite, name="invite"),
    path("<uuid:test_id>/invitations/<uuid:invitation_id>/end/", invitations.end, name="invitation_end"),
]

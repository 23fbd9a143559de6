from django.urls import path

from . import views

app_name = "reversal"
urlpatterns = [
    path("", views.page, name="page"),
    path("ask/", views.ask, name="ask"),
    path("<uuid:reversal_id>/", views.detail, name="detail"),
    path("<uuid:reversal_id>/decide/", views.decide, name="decide"),
    path("<uuid:reversal_id>/read/", views.read, name="read"),
    path("<uuid:reversal_id>/end/", views.end, name="end"),
]

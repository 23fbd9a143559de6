from django.urls import path

from . import views

app_name = "impact"
urlpatterns = [
    path("", views.page, name="page"),
    path("<uuid:assessment_id>/decide/", views.decide, name="decide"),
]

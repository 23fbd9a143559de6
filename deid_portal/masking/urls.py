from django.urls import path

from . import views

app_name = "masking"
urlpatterns = [
    path("", views.page, name="page"),
    path("propose/", views.propose, name="propose"),
    path("decide/<uuid:policy_id>/", views.decide, name="decide"),
    path("<slug:name>/", views.policy, name="policy"),
    path("<slug:name>/propose/", views.propose, name="next"),
]

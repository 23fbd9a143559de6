from django.urls import path

from . import views

app_name = "records"
urlpatterns = [
    path("posts/", views.catalogue, name="catalogue"),
    path("posts/<uuid:version_id>/decide/", views.catalogue_decide, name="catalogue_decide"),
    path("people/<int:user_id>/", views.records, name="records"),
    path("<uuid:record_id>/take-back/", views.record_take_back, name="take_back"),
]

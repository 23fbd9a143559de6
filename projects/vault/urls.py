from django.urls import path

from . import views

app_name = "vault"
urlpatterns = [
    path("", views.page, name="page"),
    path("<uuid:secret_id>/propose/", views.propose, name="propose"),
    path("<uuid:secret_id>/keep/", views.keep, name="keep"),
    path("<uuid:secret_id>/destroy/", views.destroy, name="destroy"),
]

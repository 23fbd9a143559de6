from django.urls import path

from . import api

urlpatterns = [
    path("", api.SecretList.as_view(), name="secret-list"),
    path("<uuid:secret_id>/propose/", api.SecretPropose.as_view(), name="secret-propose"),
    path("<uuid:secret_id>/keep/", api.SecretKeep.as_view(), name="secret-keep"),
    path("<uuid:secret_id>/destroy/", api.SecretDestroy.as_view(), name="secret-destroy"),
]

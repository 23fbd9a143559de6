from django.urls import path

from . import views

app_name = "enclave"
urlpatterns = [path("", views.page, name="page")]

"""Pages of a recipient: what was released to them."""

from django.urls import path

from . import views

app_name = "recipient"
urlpatterns = [
    path("", views.listing, name="list"),
    path("<uuid:release_id>/", views.detail, name="detail"),
    path("<uuid:release_id>/request/", views.request_delivery, name="request"),
    path("deliveries/<uuid:delivery_id>/", views.delivery, name="delivery"),
    path("deliveries/<uuid:delivery_id>/progress/", views.progress, name="progress"),
    path("deliveries/<uuid:delivery_id>/download/", views.download, name="download"),
    path("deliveries/<uuid:delivery_id>/look/", views.look, name="look"),
]

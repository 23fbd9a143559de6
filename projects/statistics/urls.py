from django.urls import path

from . import views

app_name = "statistics"
urlpatterns = [
    path("", views.page, name="page"),
    path("make/", views.make, name="make"),
    path("import/", views.bring, name="bring"),
    path("<uuid:tabulation_id>/", views.detail, name="detail"),
    path("<uuid:tabulation_id>/decide/", views.decide, name="decide"),
    path("<uuid:tabulation_id>/file/", views.download, name="download"),
]

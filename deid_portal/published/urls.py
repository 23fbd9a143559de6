from django.urls import path

from . import views

app_name = "published"
urlpatterns = [
    path("<slug:token>/", views.page, name="page"),
    path("<slug:token>/files/<int:file>/", views.download, name="download"),
]

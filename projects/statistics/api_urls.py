from django.urls import path

from . import api

urlpatterns = [
    path("", api.TablesView.as_view(), name="statistics"),
    path("<uuid:tabulation_id>/", api.TableView.as_view(), name="statistics-table"),
    path("<uuid:tabulation_id>/decide/", api.TableDecideView.as_view(), name="statistics-decide"),
    path("<uuid:tabulation_id>/file/", api.TableFileView.as_view(), name="statistics-file"),
]

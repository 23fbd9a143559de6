"""What is monitored over all projects: the board of re-assessments and the portfolio."""

from django.urls import path

from . import views
from .portfolio import views as portfolio_views
from .register import views as register_views

app_name = "board"
urlpatterns = [
    path("", views.board, name="page"),
    path("portfolio/", portfolio_views.portfolio, name="portfolio"),
    path("portfolio/register/", register_views.register, name="register"),
    path("portfolio/csv/", portfolio_views.portfolio_csv, name="portfolio_csv"),
]

"""What is monitored over all projects: the board of re-assessments and the portfolio."""

from django.urls import path

from projects.releases.relatives.outside import views as outside_views

from . import views
from .afterwards import views as afterwards_views
from .portfolio import views as portfolio_views
from .register import views as register_views

app_name = "board"
urlpatterns = [
    path("", views.board, name="page"),
    path("afterwards/", afterwards_views.board, name="afterwards"),
    path("portfolio/", portfolio_views.portfolio, name="portfolio"),
    path("portfolio/register/", register_views.register, name="register"),
    path("portfolio/register/outside/", outside_views.record, name="outside_record"),
    path("portfolio/register/outside/<uuid:entry_id>/", outside_views.entry, name="outside"),
    path(
        "portfolio/register/outside/<uuid:entry_id>/correct/", outside_views.correct, name="outside_correct"
    ),
    path(
        "portfolio/register/outside/<uuid:entry_id>/withdraw/",
        outside_views.withdraw,
        name="outside_withdraw",
    ),
    path("portfolio/csv/", portfolio_views.portfolio_csv, name="portfolio_csv"),
]

"""API endpoints of what is monitored over all projects."""

from django.urls import path

from projects.releases.relatives.outside import api as outside_api

from . import api
from .afterwards.api import LaterBoard
from .portfolio.api import PortfolioView
from .register.api import RegisterView

urlpatterns = [
    path("afterwards/", LaterBoard.as_view(), name="board-later"),
    path("", api.Board.as_view(), name="board"),
    path("portfolio/register/", RegisterView.as_view(), name="register"),
    path("portfolio/register/outside/", outside_api.OutsideList.as_view(), name="outside"),
    path(
        "portfolio/register/outside/<uuid:entry_id>/",
        outside_api.OutsideEntry.as_view(),
        name="outside-entry",
    ),
    path(
        "portfolio/register/outside/<uuid:entry_id>/correct/",
        outside_api.OutsideCorrect.as_view(),
        name="outside-correct",
    ),
    path(
        "portfolio/register/outside/<uuid:entry_id>/withdraw/",
        outside_api.OutsideWithdraw.as_view(),
        name="outside-withdraw",
    ),
    path("portfolio/", PortfolioView.as_view(), name="portfolio"),
]

"""API endpoints of what is monitored over all projects."""

from django.urls import path

from . import api
from .portfolio.api import PortfolioView
from .register.api import RegisterView

urlpatterns = [
    path("", api.Board.as_view(), name="board"),
    path("portfolio/register/", RegisterView.as_view(), name="register"),
    path("portfolio/", PortfolioView.as_view(), name="portfolio"),
]

from django.urls import path

from . import api

urlpatterns = [
    path("me/", api.MeView.as_view(), name="account-me"),
    path("token/", api.TokenSignInView.as_view(), name="account-token-sign-in"),
    path("tokens/", api.TokenListView.as_view(), name="account-token-list"),
    path("tokens/<uuid:token_id>/", api.TokenView.as_view(), name="account-token-detail"),
]

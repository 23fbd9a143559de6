"""The gallery on its own, without a database or people."""

from django.conf.urls.i18n import urlpatterns as language_urls
from django.urls import include, path

urlpatterns = [
    path("i18n/", include(language_urls)),
    path("gallery/", include("deid_portal.ui.urls")),
]

from django.urls import path

from . import api

urlpatterns = [
    path("", api.Disposals.as_view(), name="disposal"),
    path("now/", api.Holdings.as_view(), name="disposal-now"),
    path("<uuid:disposal_id>/carry-out/", api.DisposalCarryOut.as_view(), name="disposal-carry-out"),
    path("<uuid:disposal_id>/keep/", api.DisposalKeep.as_view(), name="disposal-keep"),
    path("<uuid:disposal_id>/resume/", api.DisposalResume.as_view(), name="disposal-resume"),
]

from django.urls import path

from . import views
from .agreements import views as agreement_views
from .agreements.changes import views as recipient_views
from .deliveries.publications import views as publication_views
from .deliveries.requests import views as fetch_views
from .relatives import views as relatives_views
from .shares import views as share_views

app_name = "releases"
urlpatterns = [
    path("", views.page, name="page"),
    path("create/", views.create, name="create"),
    path("<uuid:release_id>/end/", views.end, name="end"),
    path("publications/", publication_views.page, name="publications"),
    path("publications/<uuid:publication_id>/", publication_views.publication, name="publication"),
    path(
        "publications/<uuid:publication_id>/withdraw/",
        publication_views.withdraw,
        name="publication_withdraw",
    ),
    path("fetches/", fetch_views.page, name="fetches"),
    path("fetches/requests/<uuid:fetch_request_id>/", fetch_views.detail, name="fetch_request"),
    path("fetches/<uuid:fetch_id>/slip/", fetch_views.slip, name="fetch_slip"),
    path("relatives/", relatives_views.page, name="relatives"),
    path("relatives/measure/", relatives_views.measure, name="relatives_measure"),
    path("shares/", share_views.assign, name="share_assign"),
    path("agreement/", agreement_views.agreement, name="agreement"),
    path("agreement/text/", agreement_views.print_text, name="agreement_text"),
    path("changes/<uuid:recipient_change_id>/", recipient_views.change, name="recipient_change"),
    path(
        "changes/<uuid:recipient_change_id>/scan/", recipient_views.change_scan, name="recipient_change_scan"
    ),
    path("agreements/<uuid:agreement_id>/end/", agreement_views.agreement_end, name="agreement_end"),
    path("agreements/<uuid:agreement_id>/scan/", agreement_views.scan, name="scan"),
]

"""Addresses of the API; each package lists its own in ``api_urls.py``."""

from django.urls import include, path

from .docs import api_docs
from .schema import SchemaView

project = "projects/<uuid:project_id>/"

app_name = "api"
urlpatterns = [
    path("schema/", SchemaView.as_view(), name="schema"),
    path("docs/", api_docs, name="docs"),
    path("", include("projects.core.api_urls")),
    path("account/", include("deid_portal.accounts.api_urls")),
    path("organisation/", include("deid_portal.organisation.api_urls")),
    path("records/", include("deid_portal.records.api_urls")),
    path("messages/", include("deid_portal.messaging.api_urls")),
    path("masking/", include("deid_portal.masking.api_urls")),
    path("search/", include("deid_portal.search.api_urls")),
    path("audit/", include("approvals.audit.api_urls")),
    path("documents/", include("approvals.documents.api_urls")),
    path("jobs/", include("projects.jobs.api_urls")),
    path(project + "data/", include("projects.datasets.api_urls")),
    path(project + "vault/", include("projects.vault.api_urls")),
    path(project + "objective/", include("projects.objective.api_urls")),
    path(project + "identification/", include("projects.identification.api_urls")),
    path(project + "processing/", include("projects.processing.api_urls")),
    path(project + "reversal/", include("projects.reversal.api_urls")),
    path(project + "verification/", include("projects.verification.api_urls")),
    path(project + "release/", include("projects.releases.api_urls")),
    path(project + "enclave/", include("projects.enclave.api_urls")),
    path(project + "queries/", include("projects.queries.api_urls")),
    path(project + "statistics/", include("projects.statistics.api_urls")),
    path(project + "intruder-tests/", include("projects.intrusion.api_urls")),
    path("tests/", include("projects.intrusion.invitations.api_urls")),
    path(project + "impact/", include("projects.impact.api_urls")),
    path("receive/", include("projects.releases.deliveries.api_urls")),
    path("receive/<uuid:release_id>/enclave/", include("projects.enclave.receive_api_urls")),
    path("receive/<uuid:release_id>/queries/", include("projects.queries.receive_api_urls")),
    path("receive/<uuid:release_id>/statistics/", include("projects.statistics.receive_api_urls")),
    path("receive/", include("projects.incidents.recipient_api_urls")),
    path("receive/", include("projects.releases.deliveries.copies.api_urls")),
    path("receive/", include("projects.releases.deliveries.requests.api_urls")),
    path("receive/", include("projects.findings.received.api_urls")),
    path("published/", include("deid_portal.published.api_urls")),
    path(project + "incidents/", include("projects.incidents.api_urls")),
    path("incidents/", include("projects.incidents.board_api_urls")),
    path(project + "lessons/", include("projects.lessons.api_urls")),
    path("trends/", include("projects.lessons.board_api_urls")),
    path(project + "findings/", include("projects.findings.api_urls")),
    path("findings/", include("projects.findings.board_api_urls")),
    path(project + "monitoring/", include("projects.monitoring.api_urls")),
    path("monitoring/", include("projects.monitoring.board_api_urls")),
    path(project + "disposal/", include("projects.disposal.api_urls")),
]

"""Every address of the portal. Stage packages own what lies below ``projects/<uuid>/<stage>/``."""

from django.urls import include, path

from deid_portal.accounts.views import language_set

handler500 = "deid_portal.failures.failed"
project = "projects/<uuid:project_id>/"

urlpatterns = [
    path("language/", language_set, name="set_language"),
    path("", include("projects.core.urls")),
    path("account/", include("deid_portal.accounts.urls")),
    path("organisation/", include("deid_portal.organisation.urls")),
    path("records/", include("deid_portal.records.urls")),
    path("messages/", include("deid_portal.messaging.urls")),
    path("masking/", include("deid_portal.masking.urls")),
    path("search/", include("deid_portal.search.urls")),
    path("audit/", include("approvals.audit.urls")),
    path("documents/", include("approvals.documents.urls")),
    path("decisions/", include("approvals.decisions.urls")),
    path("jobs/", include("projects.jobs.urls")),
    path(project + "data/", include("projects.datasets.urls")),
    path(project + "vault/", include("projects.vault.urls")),
    path(project + "objective/", include("projects.objective.urls")),
    path(project + "identification/", include("projects.identification.urls")),
    path(project + "processing/", include("projects.processing.urls")),
    path(project + "reversal/", include("projects.reversal.urls")),
    path(project + "verification/", include("projects.verification.urls")),
    path(project + "release/", include("projects.releases.urls")),
    path(project + "enclave/", include("projects.enclave.urls")),
    path(project + "queries/", include("projects.queries.urls")),
    path(project + "statistics/", include("projects.statistics.urls")),
    path(project + "intruder-tests/", include("projects.intrusion.urls")),
    path("tests/", include("projects.intrusion.invitations.urls")),
    path(project + "impact/", include("projects.impact.urls")),
    path("help/answers/", include("projects.queries.example.urls")),
    path("receive/", include("projects.releases.deliveries.urls")),
    path("receive/<uuid:release_id>/enclave/", include("projects.enclave.receive_urls")),
    path("receive/<uuid:release_id>/queries/", include("projects.queries.receive_urls")),
    path("receive/<uuid:release_id>/statistics/", include("projects.statistics.receive_urls")),
    path("receive/", include("projects.incidents.recipient_urls")),
    path("receive/", include("projects.releases.deliveries.copies.urls")),
    path("receive/", include("projects.releases.deliveries.requests.urls")),
    path("receive/", include("projects.findings.received.urls")),
    path(project + "incidents/", include("projects.incidents.urls")),
    path("incidents/", include("projects.incidents.board_urls")),
    path(project + "lessons/", include("projects.lessons.urls")),
    path("trends/", include("projects.lessons.board_urls")),
    path(project + "findings/", include("projects.findings.urls")),
    path("findings/", include("projects.findings.board_urls")),
    path(project + "monitoring/", include("projects.monitoring.urls")),
    path("monitoring/", include("projects.monitoring.board_urls")),
    path(project + "disposal/", include("projects.disposal.urls")),
    path("published/", include("deid_portal.published.urls")),
    path("gallery/", include("deid_portal.ui.urls")),
    path("api/", include("deid_portal.api.urls")),
]

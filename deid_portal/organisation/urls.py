from django.urls import include, path

from . import views
from .agreements import views as agreement_views
from .checklists import views as checklist_views
from .cryptography import views as cryptography_views
from .disclosure import views as disclosure_views
from .environment import views as environment_views
from .grading import views as grading_views
from .letterhead import views as letterhead_views
from .retention import views as retention_views
from .signers import views as signers_views

app_name = "organisation"
urlpatterns = [
    path("", views.page, name="page"),
    path("metadata/", views.metadata, name="metadata"),
    path("metadata/add/", views.metadata_add, name="metadata_add"),
    path("metadata/export/", views.metadata_export, name="metadata_export"),
    path("metadata/import/", views.metadata_import, name="metadata_import"),
    path("metadata/versions/", views.metadata_versions, name="metadata_versions"),
    path("metadata/versions/<int:number>/", views.metadata_version, name="metadata_version"),
    path("metadata/<slug:kind>/", views.metadata_edit, name="metadata_edit"),
    path("metadata/<slug:kind>/remove/", views.metadata_remove, name="metadata_remove"),
    path("cryptography/", cryptography_views.policy, name="cryptography"),
    path("letterhead/", letterhead_views.letterhead, name="letterhead"),
    path("coefficients/", environment_views.coefficients, name="coefficients"),
    path(
        "coefficients/<uuid:version_id>/decide/",
        environment_views.coefficients_decide,
        name="coefficients_decide",
    ),
    path("table-rules/", disclosure_views.table_rules, name="table_rules"),
    path(
        "table-rules/<uuid:version_id>/decide/",
        disclosure_views.table_rules_decide,
        name="table_rules_decide",
    ),
    path("retention/", retention_views.retention, name="retention"),
    path("retention/<uuid:version_id>/decide/", retention_views.retention_decide, name="retention_decide"),
    path("signers/", signers_views.signers, name="signers"),
    path("signers/<uuid:version_id>/decide/", signers_views.signers_decide, name="signers_decide"),
    path("grading/", grading_views.grading, name="grading"),
    path("grading/<uuid:version_id>/decide/", grading_views.grading_decide, name="grading_decide"),
    path("checklists/", checklist_views.checklists, name="checklists"),
    path("checklists/<slug:stage>/", checklist_views.checklist, name="checklist"),
    path("checklists/<uuid:version_id>/decide/", checklist_views.checklist_decide, name="checklist_decide"),
    path("agreement/", agreement_views.clauses, name="clauses"),
    path("agreement/<uuid:version_id>/decide/", agreement_views.clauses_decide, name="clauses_decide"),
    path("policies/", include("deid_portal.organisation.policies.urls")),
    path("team/", include("deid_portal.organisation.team.urls")),
    path("talks/", include("deid_portal.organisation.talks.urls")),
    path("parties/", include("deid_portal.organisation.parties.urls")),
    path("rules/", views.rule_library, name="rules"),
]

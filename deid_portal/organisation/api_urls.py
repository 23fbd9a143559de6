from django.urls import include, path

from . import api
from .agreements import api as agreements_api
from .checklists import api as checklists_api
from .cryptography import api as cryptography_api
from .disclosure import api as disclosure_api
from .environment import api as environment_api
from .grading import api as grading_api
from .letterhead import api as letterhead_api
from .retention import api as retention_api
from .signers import api as signers_api

urlpatterns = [
    path("metadata/", api.MetadataList.as_view(), name="organisation-metadata"),
    path("metadata/file/", api.MetadataFile.as_view(), name="organisation-metadata-file"),
    path("metadata/versions/", api.VersionList.as_view(), name="organisation-metadata-versions"),
    path("metadata/<slug:kind>/", api.MetadataDetail.as_view(), name="organisation-metadata-detail"),
    path(
        "cryptography/", cryptography_api.CryptographyPolicyView.as_view(), name="organisation-cryptography"
    ),
    path("letterhead/", letterhead_api.LetterheadList.as_view(), name="organisation-letterhead"),
    path("coefficients/", environment_api.CoefficientsList.as_view(), name="organisation-coefficients"),
    path(
        "coefficients/<uuid:version_id>/decide/",
        environment_api.CoefficientsDecision.as_view(),
        name="organisation-coefficients-decide",
    ),
    path("table-rules/", disclosure_api.TableRulesList.as_view(), name="organisation-table-rules"),
    path("retention/", retention_api.RetentionList.as_view(), name="organisation-retention"),
    path(
        "retention/<uuid:version_id>/decide/",
        retention_api.RetentionDecision.as_view(),
        name="organisation-retention-decide",
    ),
    path("signers/", signers_api.SignersList.as_view(), name="organisation-signers"),
    path(
        "signers/<uuid:version_id>/decide/",
        signers_api.SignersDecision.as_view(),
        name="organisation-signers-decide",
    ),
    path("grading/", grading_api.GradingList.as_view(), name="organisation-grading"),
    path(
        "grading/<uuid:version_id>/decide/",
        grading_api.GradingDecision.as_view(),
        name="organisation-grading-decide",
    ),
    path("checklists/", checklists_api.ChecklistList.as_view(), name="organisation-checklists"),
    path(
        "checklists/<uuid:version_id>/decide/",
        checklists_api.ChecklistDecision.as_view(),
        name="organisation-checklists-decide",
    ),
    path("agreement/", agreements_api.ClausesList.as_view(), name="organisation-clauses"),
    path(
        "agreement/<uuid:version_id>/decide/",
        agreements_api.ClausesDecision.as_view(),
        name="organisation-clauses-decide",
    ),
    path("policies/", include("deid_portal.organisation.policies.api_urls")),
    path("team/", include("deid_portal.organisation.team.api_urls")),
    path("talks/", include("deid_portal.organisation.talks.api_urls")),
    path("parties/", include("deid_portal.organisation.parties.api_urls")),
    path("rules/", api.RuleList.as_view(), name="organisation-rules"),
]

from django.urls import path

from . import api
from .cryptography import api as cryptography_api

urlpatterns = [
    path("metadata/", api.MetadataList.as_view(), name="organisation-metadata"),
    path("metadata/file/", api.MetadataFile.as_view(), name="organisation-metadata-file"),
    path("metadata/versions/", api.VersionList.as_view(), name="organisation-metadata-versions"),
    path("metadata/<slug:kind>/", api.MetadataDetail.as_view(), name="organisation-metadata-detail"),
    path(
        "cryptography/", cryptography_api.CryptographyPolicyView.as_view(), name="organisation-cryptography"
    ),
    path("rules/", api.RuleList.as_view(), name="organisation-rules"),
]

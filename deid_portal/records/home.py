"""What of the catalogue of posts stands on a home page: a version that waits for a second person."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from deid_portal.organisation.proposals.home import ProposalKind, proposal_kind

from .models import PostCatalogue

proposal_kind(
    ProposalKind(
        PostCatalogue,
        title=lambda version: (
            _("Decide on version %(number)s of the catalogue of posts") % {"number": version.number}
        ),
        address=lambda version: reverse("records:catalogue"),
    )
)

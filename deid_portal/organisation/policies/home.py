"""What of the policy library stands on a home page: versions that another planning manager or administrator approves."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from ..proposals.home import ProposalKind, proposal_kind
from .models import PolicyVersion

proposal_kind(
    ProposalKind(
        PolicyVersion,
        title=lambda version: _("Decide on “%(name)s”") % {"name": version},
        address=lambda version: reverse("organisation:policy", args=[version.policy_id]),
        reads=("policy",),
    )
)

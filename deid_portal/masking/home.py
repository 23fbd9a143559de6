"""What of masking stands on a person's home page: policies that wait for a second person."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from deid_portal.organisation.proposals.home import ProposalKind, proposal_kind

from .models import MaskingPolicy

proposal_kind(
    ProposalKind(
        MaskingPolicy,
        title=lambda policy: _("Decide on the masking policy “%(title)s”") % {"title": policy.title},
        address=lambda policy: reverse("masking:policy", args=[policy.name]),
        names=("title", "name"),
    )
)

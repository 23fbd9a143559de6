"""What of the organisation stands on a person's home page: what waits for a second person."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from .models import (
    AgreementClauses,
    EnvironmentCoefficients,
    GradingPolicy,
    RetentionTerms,
    ReviewChecklist,
    SignerQuorum,
    TableRules,
)
from .policies import home as policies  # noqa: F401
from .proposals.home import ProposalKind, proposal_kind
from .talks import home as talks  # noqa: F401
from .team import home as team  # noqa: F401

proposal_kind(
    ProposalKind(
        EnvironmentCoefficients,
        title=lambda version: (
            _("Decide on version %(number)s of the coefficients of the surroundings")
            % {"number": version.number}
        ),
        address=lambda version: reverse("organisation:coefficients"),
    )
)
proposal_kind(
    ProposalKind(
        TableRules,
        title=lambda version: _("Decide on the rules for tables “%(name)s”") % {"name": version},
        names=("name",),
        address=lambda version: reverse("organisation:table_rules"),
    )
)
proposal_kind(
    ProposalKind(
        GradingPolicy,
        title=lambda version: (
            _("Decide on version %(number)s of the grading of data") % {"number": version.number}
        ),
        address=lambda version: reverse("organisation:grading"),
    )
)
proposal_kind(
    ProposalKind(
        RetentionTerms,
        title=lambda version: (
            _("Decide on version %(number)s of the terms of retention") % {"number": version.number}
        ),
        address=lambda version: reverse("organisation:retention"),
    )
)
proposal_kind(
    ProposalKind(
        SignerQuorum,
        title=lambda version: (
            _("Decide on version %(number)s of the numbers of signatures") % {"number": version.number}
        ),
        address=lambda version: reverse("organisation:signers"),
    )
)
proposal_kind(
    ProposalKind(
        ReviewChecklist,
        title=lambda version: _("Decide on the review checklist “%(name)s”") % {"name": version},
        names=("stage",),
        address=lambda version: reverse("organisation:checklist", args=[version.stage]),
    )
)
proposal_kind(
    ProposalKind(
        AgreementClauses,
        title=lambda version: (
            _("Decide on version %(number)s of the clauses of the agreement") % {"number": version.number}
        ),
        address=lambda version: reverse("organisation:clauses"),
    )
)

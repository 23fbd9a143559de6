"""The page of the rules for tables of statistics: names and versions for everybody inside, what they say for who decides on them."""

from __future__ import annotations

import uuid
from decimal import Decimal
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from ..models import TableRules
from ..proposals import pages
from ..proposals.forms import DecisionForm
from ..proposals.models import ProposalStatus
from ..proposals.rules import may_decide, may_propose
from ..rules import may_read_organisation
from . import rule_sets as services
from .forms import COUNTS, RulesForm


@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def table_rules(
    request: HttpRequest, about: TableRules | None = None, decision: DecisionForm | None = None
) -> HttpResponse:
    """Everybody inside sees which sets there are; planning managers and administrators what they say, and propose others."""
    may_read_organisation(request.user).require()
    form = RulesForm(pages.sent(request, decision))

    def propose(given: dict[str, Any]) -> None:
        services.rules_propose(
            name=given["name"],
            counts=given["kind"] == COUNTS,
            rules=form.rules(),
            reason=given["reason"],
            by=request.user,
        )

    if (
        request.method == "POST"
        and decision is None
        and pages.laid_down(request, form, propose, field="name")
    ):
        return redirect("organisation:table_rules")
    knows = may_propose(request.user)
    found = list(services.versions().defer(None) if knows else services.versions())
    context = {
        "versions": [_row(one, request, bool(knows), decision if one == about else None) for one in found],
        "may_propose": knows,
        "form": form,
    }
    return render(request, "organisation/table_rules.html", context, status=pages.status_of(form, decision))


def _row(
    version: TableRules, request: HttpRequest, knows: bool, decision: DecisionForm | None
) -> dict[str, Any]:
    shown = knows and version.status in (ProposalStatus.PROPOSED, ProposalStatus.IN_FORCE)
    waits = version.status == ProposalStatus.PROPOSED
    return {
        "version": version,
        "says": _says(version) if shown else [],
        "waits": waits,
        "may_decide": may_decide(request.user, version) if waits else None,
        "decision": decision or DecisionForm(),
    }


def _exact(parameter: float) -> str:
    """Every digit that was set, never as a power of ten."""
    return format(Decimal(repr(parameter)).normalize(), "f")


def _says(version: TableRules) -> list[str]:
    """What a version makes sensitive, in words."""
    rules = services.rules_of(version)
    said = []
    if rules.minimum_contributors is not None:
        said.append(_("Fewer than %(number)d contributors") % {"number": rules.minimum_contributors})
        if not version.counts:
            said.append(
                _("The estimate of their sum must be off by %(share)s of it")
                % {"share": _exact(rules.margin)}
            )
    if rules.dominance is not None:
        facts = {"n": rules.dominance.n, "k": _exact(rules.dominance.k)}
        said.append(_("The %(n)s largest contribute more than %(k)s %%") % facts)
    if rules.p_percent is not None:
        said.append(_("p %% rule, p = %(p)s") % {"p": _exact(rules.p_percent)})
    if rules.prior_posterior is not None:
        facts = {"p": _exact(rules.prior_posterior.p), "q": _exact(rules.prior_posterior.q)}
        said.append(_("p/q rule, p = %(p)s, q = %(q)s") % facts)
    if not version.counts and rules.zeros == "hidden":
        said.append(_("Cells whose contributions are all zero"))
    return said


@require_POST
def table_rules_decide(request: HttpRequest, version_id: uuid.UUID) -> HttpResponse:
    """Planning managers and administrators, but not who proposed it. Put a version in force or turn it down."""
    found = services.version_get(version_id)
    decision = pages.decide(request, found, services.rules_decide, in_force=_("The rules are in force."))
    if decision is not None:
        return table_rules(request, found, decision)
    return redirect("organisation:table_rules")

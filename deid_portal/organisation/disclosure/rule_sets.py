"""The secret rules for tables of statistics: their only writer, and how they are read."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.statistics.rule_sets import RuleSet
from projects.vault.keys import key_unwrap, key_wrap
from techniques.core.messages import filled

from .. import events
from ..models import TableRules
from ..proposals.models import ProposalStatus
from ..proposals.rules import may_propose
from ..proposals.services import proposal_decide, proposal_lay

if TYPE_CHECKING:
    from techniques.families.statistical.tables.sensitivity import SensitivityRules


def versions() -> QuerySet[TableRules]:
    """Every version of every set, by name, the newest first; without what it says."""
    return TableRules.objects.defer("sealed").select_related("made_by", "decided_by")


def version_get(version_id: uuid.UUID) -> TableRules:
    """Raises ``TableRules.DoesNotExist``."""
    return versions().get(pk=version_id)


def rules_of(version: TableRules) -> SensitivityRules:
    """What a version says."""
    from techniques.families.statistical.tables.sensitivity import SensitivityRules

    sealed = base64.b64decode(version.sealed)
    return SensitivityRules.model_validate_json(key_unwrap(sealed, version.context))


class Sets:
    """The organisation's sets, as projects ask for them."""

    def sets(self) -> Sequence[RuleSet]:
        found = TableRules.objects.filter(status=ProposalStatus.IN_FORCE).order_by("name")
        return [RuleSet(*row) for row in found.values_list("pk", "name", "number", "counts")]

    def opened(self, set_id: uuid.UUID) -> SensitivityRules:
        passed = (ProposalStatus.IN_FORCE, ProposalStatus.REPLACED)
        return rules_of(TableRules.objects.get(pk=set_id, status__in=passed))

    def may_know(self, user: Person) -> bool:
        return bool(may_propose(user))


def rules_propose(*, name: str, counts: bool, rules: dict[str, Any], reason: str, by: Person) -> TableRules:
    """Lay down the next version of the set ``name``; it waits for a second person.

    Raises ``ValidationError`` where ``rules`` are none, or not those of counts; ``Refused`` where the person may not, no reason is
    given, or a version of the set is waiting already.
    """
    from pydantic import ValidationError as Invalid

    from techniques.core.validation import first_problem
    from techniques.families.statistical.tables.sensitivity import SensitivityRules

    may_propose(by).require()
    name = name.strip()
    try:
        found = SensitivityRules.model_validate(rules)
    except Invalid as error:
        problem = first_problem(error, "rules")
        raise ValidationError(filled(_(problem.message), problem.params)) from None
    if not name:
        raise ValidationError({"name": _("Give the set a name.")})
    if counts and (found.minimum_contributors is None or found.of_amounts):
        raise ValidationError(_("Counts of persons depend on the fewest contributors and on nothing else."))
    if counts and found.zeros == "hidden":
        raise ValidationError(
            _("Zeros are hidden in sums: each person counts as one, so no contribution to a count is zero.")
        )
    if not counts and found.minimum_contributors is None and not found.of_amounts:
        raise ValidationError(_("Say what makes a cell sensitive."))
    proposal = TableRules(name=name, counts=counts, reason=reason)
    sealed = key_wrap(found.model_dump_json().encode(), proposal.context)
    proposal.sealed = base64.b64encode(sealed).decode()
    return proposal_lay(
        proposal, versions=TableRules.objects.filter(name=name), sentences=events.TABLE_RULES, facts={"name": name}, by=by
    )  # fmt: skip


def rules_decide(version: TableRules, *, accept: bool, reason: str, by: Person) -> TableRules:
    """Put a proposed version in force, for every table that is made from then on, or turn it down."""
    return proposal_decide(
        version,
        versions=TableRules.objects.filter(name=version.name),
        sentences=events.TABLE_RULES,
        accept=accept,
        reason=reason,
        by=by,
    )

"""The only writer of who carries projects out."""

from __future__ import annotations

from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.models import Project
from projects.core.services import project_lock

from ..models import Party
from . import events, rules
from .models import ExecutingParty
from .selectors import named_of


def executing_name(project: Project, party: Party, *, by: Person) -> ExecutingParty:
    """Name the organisation that carries the processing out and answers for it, from now on."""
    with recording(events.NAMED, by=by, about=project, party=party.name) as event:
        project = project_lock(project)
        party = Party.objects.select_for_update(of=("self",)).get(pk=party.pk)
        rules.may_name(by, project).require()
        rules.may_carry_out(party).require()
        before = named_of(project)
        if before is not None:
            if before.party_id == party.pk:
                deny(rules.ExecutingReason.NAMED_ALREADY).require()
            event.facts["party_before"] = before.party.name
            before.ended_at = timezone.now()
            before.save()
        return ExecutingParty.objects.create(project=project, party=party, named_by=by)

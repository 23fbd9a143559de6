"""Who may have the suggestion tried on the data, and the only writer of what came of it."""

from __future__ import annotations

from typing import Any

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Verdict, deny
from projects.core.services import project_lock
from projects.datasets.models import Table
from projects.datasets.tables.names import label_of
from projects.datasets.tables.selectors import dataset_now
from projects.identification.selectors import verdicts_of
from projects.jobs.models import Job
from projects.jobs.results import result_break_off, result_end, result_lock, result_number, result_queue
from techniques.core.canonical import canonical_hash
from techniques.core.messages import gettext_noop

from ... import events, rules
from ...models import Proposal
from ...rules import ProcessingReason
from ..suggestion import recipe_suggest
from .selectors import basis_of, tried_of

PROPOSE_JOB = "processing.propose"


def may_propose(user: Person, table: Table) -> Verdict:
    """The executor, while the data is processed, of a table whose columns were judged; one at a time."""
    verdict = rules.may_edit_recipe(user, table.project)
    if not verdict:
        return verdict
    dataset = dataset_now(table)
    if dataset is None or not dataset.is_ready or not verdicts_of(table):
        return deny(ProcessingReason.NOTHING_TO_PROPOSE)
    if Proposal.objects.filter(project=table.project_id, ended_at=None).exists():
        return deny(ProcessingReason.PROPOSAL_UNDER_WAY)
    return ALLOW


def is_untried(user: Person, table: Table) -> bool:
    """Whether the way to the editor leads over a try of the suggestion: ``user`` may have it tried, and nobody had."""
    return bool(may_propose(user, table)) and tried_of(table, recipe_suggest(table)) is None


def proposal_start(table: Table, *, by: Person) -> tuple[Proposal, Job]:
    """Have the suggested recipe of a table tried on its data, as a job."""
    with recording(events.PROPOSAL_STARTED, by=by, project_id=table.project_id) as event:
        table.project = project = project_lock(table.project)
        may_propose(by, table).require()
        dataset, suggested = dataset_now(table), recipe_suggest(table)
        assert dataset is not None  # as the rule requires
        found = Proposal.objects.create(
            project=project,
            dataset=dataset,
            number=result_number(Proposal, project),
            suggested=suggested,
            basis_hash=basis_of(suggested),
            requested_by=by,
        )
        event.subject = found.subject
        event.facts.update(table=label_of(table))
        return found, result_queue(
            found, PROPOSE_JOB, title=gettext_noop("Try the suggestion on the data"), by=by
        )


def proposal_complete(proposal: Proposal, *, result: dict[str, Any]) -> Proposal:
    """Record what came of it; called once, in the transaction that ends the job."""
    facts: dict[str, Any] = {"number": len(result["attempts"])}
    with recording(events.PROPOSAL_TRIED, by=None, project_id=proposal.project_id, **facts) as event:
        proposal = result_lock(proposal)
        proposal.result = result
        proposal.content_hash = canonical_hash(result)
        result_end(proposal)
        event.subject = proposal.subject
        return proposal


def proposal_break_off(proposal: Proposal, *, code: str) -> None:
    """Record that nothing came of it: the job failed or was cancelled."""
    result_break_off(proposal, events.PROPOSAL_BROKEN_OFF, code=code)

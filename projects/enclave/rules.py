"""Who queries what was released in an enclave, and who sees what a query found.

Whoever may look at the rows there, and has confirmed the data-use notice; each sees their own queries only. The team and auditors
read who ran how many, by their hashes.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.models import Project
from projects.core.rules import may_see_inside
from projects.objective.enums import Act
from projects.objective.surroundings.profile.rules import act_allowed, queries_left
from projects.releases.models import Release
from projects.releases.rules import ReleaseReason, may_look_inside
from projects.releases.selectors import deliveries_to

from .enums import QueryState
from .models import EnclaveQuery
from .selectors import queries_by, queries_today


class EnclaveReason(Reason):
    ONE_AT_A_TIME = (
        "enclave_one_at_a_time",
        _("Your last query is still running; wait for it or cancel it."),
    )
    NOTHING_TO_SHOW = "enclave_nothing_to_show", _("This query has no result that can be shown.")
    RESULT_DESTROYED = (
        "enclave_result_destroyed",
        _("The text of this query and what it found were destroyed."),
    )
    NO_STATEMENT = "enclave_no_statement", _("Write the query.")
    STATEMENT_LONG = "enclave_statement_long", _("A query has at most %(most)s characters.")


def may_query(user: Person, release: Release) -> Verdict:
    """The recipient of an enclave, one query at a time, as many a day as the target allows."""
    verdict = first_denial(_may_query_inside(user, release), _notice_read(user, release))
    if not verdict:
        return verdict
    verdict = queries_left(release.project, lambda: queries_today(user, release.project))
    if not verdict:
        return verdict
    running = queries_by(user, release).filter(status=QueryState.RUNNING).exists()
    return deny(EnclaveReason.ONE_AT_A_TIME) if running else ALLOW


def _may_query_inside(user: Person, release: Release) -> Verdict:
    verdict = may_look_inside(user, release)
    return act_allowed(release.project, Act.QUERY) if verdict else verdict


def _notice_read(user: Person, release: Release) -> Verdict:
    """Nobody asks for a delivery without confirming it."""
    return ALLOW if deliveries_to(user, release).exists() else deny(ReleaseReason.NOTICE_UNREAD)


def may_answer(query: EnclaveQuery) -> Verdict:
    """Whether who asked may still look at what was released: asked again by the job, before the rows are read and at its end."""
    return _may_query_inside(query.asked_by, query.release)


def may_look(user: Person, query: EnclaveQuery) -> Verdict:
    """Who asked, while they may look at the rows themselves and the result is kept."""
    if query.asked_by_id != user.pk:
        return deny(ReleaseReason.NOT_A_RECIPIENT)
    verdict = _may_query_inside(user, query.release)
    if not verdict:
        return verdict
    if query.status == QueryState.RUNNING or query.result is None:
        return deny(EnclaveReason.NOTHING_TO_SHOW)
    return ALLOW if query.result.destroyed_at is None else deny(EnclaveReason.RESULT_DESTROYED)


def may_read_log(user: Person, project: Project) -> Verdict:
    """Who works on the project or reads all of them: how many queries were run by whom, never their texts."""
    return may_see_inside(user, project)

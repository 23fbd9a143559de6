"""Who makes a table of statistics, who lets it out, and who has it.

The executor makes it, the supervisor reviews it, senior management signs it: three roles, and never the same person under another
account. A recipient has it while a release of the project may be received, under an agreement whatever the way of sharing.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.enums import SharingType
from projects.core.models import Project
from projects.core.rules import has_role, in_state, may_see_inside
from projects.core.selectors import role_of
from projects.datasets.rules import DatasetReason
from projects.identification.persons.rules import settled_key
from projects.objective.enums import Act
from projects.objective.surroundings.profile.rules import act_allowed
from projects.releases.models import Release
from projects.releases.rules import may_receive_agreed
from projects.releases.selectors import current_release
from projects.workflow import ACTIVE, STAGES, STATES, Role, Stage

from .enums import WITH_A_FILE, TableStatus
from .models import Tabulation
from .selectors import report_of, requested_by, signed_of_other_contributors, signed_of_source, sources_of

JUDGES = {TableStatus.PROTECTED: Role.SUPERVISOR, TableStatus.REVIEWED: Role.MANAGEMENT}
"""Whose word is next."""
WORKING = tuple(
    state
    for state in ACTIVE
    if list(STAGES).index(STATES[state].stage) >= list(STAGES).index(Stage.PROCESSING)
)
"""From when it is known whose rows the data hold and which columns identify persons."""


class TableReason(Reason):
    NOT_WAITING = "table_not_waiting", _("This table is not waiting for a decision.")
    OWN_TABLE = "own_table", _("You made this table yourself; another person decides.")
    OWN_REVIEW = "own_review", _("You reviewed this table yourself; another person signs.")
    REASON_NEEDED = "reason_needed", _("A reason is required.")
    NO_FILE = "table_no_file", _("There is no table to fetch.")
    NOT_SIGNED = "table_not_signed", _("This table was not signed for recipients.")
    NO_RULES = "table_no_rules", _("These rules are not in force any more. Choose others.")
    RULES_FOR_PERSONS = (
        "table_rules_for_persons",
        _(
            "“%(rules)s” is for counts of persons. This table adds up amounts or counts rows: choose rules for these; planning managers and "
            "administrators propose them under “Rules for tables of statistics”."
        ),
    )
    RULES_FOR_AMOUNTS = (
        "table_rules_for_amounts",
        _(
            "“%(rules)s” is for amounts and rows. This table counts persons: choose rules for these; planning managers and administrators "
            "propose them under “Rules for tables of statistics”."
        ),
    )
    NO_DATA = "table_no_data", _("There are no checked data with this name.")
    OTHER_DATA = (
        "table_other_data",
        _("The data, or whose rows they are, have changed since the table was made: make it again."),
    )
    OTHER_TABLES = (
        "table_other_tables",
        _(
            "Since this table was made, others of the same data have been signed: %(tables)s. Make it again so that it is protected alongside them."
        ),
    )
    OTHER_FILE = (
        "table_other_file",
        _("The file of this table is not what was judged. Nothing has been released."),
    )
    PERSONS_UNSAID = "persons_unsaid", _("Nobody has stated whose rows this table contains.")
    NO_SUCH_COLUMN = "no_such_column", _("There is no column “%(column)s”.")
    OTHER_CONTRIBUTORS = (
        "table_other_contributors",
        _(
            "Tables of the same data have been signed that count rows where this one counts persons, or the other way round, or that contain the same figures for different contributors: %(tables)s. Cells are hidden or rounded in this table or those, and what they reveal together is not worked out, so this table is not released."
        ),
    )
    NO_COLUMNS = "table_no_columns", _("Choose the columns that span the table.")
    DIRECT_IDENTIFIER = (
        "direct_identifier",
        _("“%(column)s” identifies persons directly; it can neither span a table nor be added up."),
    )
    NOT_ENCLAVE = (
        "table_not_enclave",
        _("Recipients ask for tables in an enclave only; otherwise they have the data themselves."),
    )
    REQUESTED_ENOUGH = (
        "tables_wait",
        _("%(most)s of the tables you asked for wait for their decision; ask again once one is decided."),
    )
    NOT_RECORDS = (
        "table_not_records",
        _(
            "The released rows are no records of persons, so it cannot be checked how many contribute to a cell."
        ),
    )
    TOO_LARGE = "table_too_large", _("The file is larger than 1 MB.")


def may_make(user: Person, project: Project) -> Verdict:
    return first_denial(has_role(user, project, Role.EXECUTOR), in_state(project, *WORKING))


MOST_REQUESTED = 3
"""Tables of one recipient that may wait at a time: each is work of a person."""


def may_ask(user: Person, release: Release) -> Verdict:
    """The recipient of an enclave, under an agreement, while not too many of theirs wait."""
    is_enclave = release.project.sharing_type == SharingType.ENCLAVE
    verdict = first_denial(
        may_receive_agreed(user, release), ALLOW if is_enclave else deny(TableReason.NOT_ENCLAVE)
    )
    if verdict:
        verdict = act_allowed(release.project, Act.ASK_TABLE)
    if not verdict:
        return verdict
    waiting = requested_by(user, release.project).filter(status__in=(TableStatus.RUNNING, *JUDGES))
    return (
        deny(TableReason.REQUESTED_ENOUGH, most=MOST_REQUESTED)
        if waiting.count() >= MOST_REQUESTED
        else ALLOW
    )


def may_look_at(user: Person, table: Tabulation, release: Release) -> Verdict:
    """Who asked for it, once its cells are protected and unless it was refused."""
    shown = table.status in (*JUDGES, TableStatus.APPROVED)
    verdict = first_denial(
        may_receive_agreed(user, release),
        ALLOW if table.made_by_id == user.pk and shown else deny(TableReason.NO_FILE),
    )
    return act_allowed(release.project, Act.ASK_TABLE) if verdict else verdict


def may_look(user: Person, project: Project) -> Verdict:
    """Who works on the project or reads all of them: the table as it goes out, and which cells are hidden why."""
    return may_see_inside(user, project)


def sees_values(user: Person, project: Project) -> bool:
    """Whose work it is to know what a hidden cell holds: who makes the table, and who reviews it."""
    return user.is_active and role_of(user, project) in (Role.EXECUTOR, Role.SUPERVISOR)


def may_refuse(user: Person, table: Tabulation) -> Verdict:
    """Whose word is next; of a signed table either judge takes it back."""
    status = TableStatus(table.status)
    signed = status == TableStatus.APPROVED
    judges = (Role.SUPERVISOR, Role.MANAGEMENT) if signed or status not in JUDGES else (JUDGES[status],)
    verdict = has_role(user, table.project, *judges)
    if not verdict:
        return verdict
    if status not in JUDGES and not signed:
        return deny(TableReason.NOT_WAITING)
    return deny(TableReason.OWN_TABLE) if user.is_same_person(table.made_by) else ALLOW


def may_accept(user: Person, table: Tabulation) -> Verdict:
    """The supervisor passes what the executor made, senior management signs what the supervisor passed."""
    verdict = first_denial(may_refuse(user, table), in_state(table.project, *WORKING))
    if not verdict:
        return verdict
    if table.status == TableStatus.APPROVED:
        return deny(TableReason.NOT_WAITING)
    if table.reviewed_by is not None and user.is_same_person(table.reviewed_by):
        return deny(TableReason.OWN_REVIEW)
    return is_as_made(table)


def is_as_made(table: Tabulation) -> Verdict:
    """Whether the table is from the data as they are now, their rows are of the same persons, none of the same was signed that it
    was not read beside, and none that counts or adds up the same of other contributors, where either protects cells."""
    if table.dataset is None:
        return ALLOW
    current = {one.pk for one in sources_of(table.project).values()}
    key = settled_key(table.dataset)
    if table.dataset_id not in current or key is None or list(key) != table.person_key:
        return deny(TableReason.OTHER_DATA)
    if table.run_table is not None and table.run_table.run_id != _released_run(table.project):
        return deny(TableReason.OTHER_DATA)
    together = (report_of(table) or {}).get("together", {})
    known = {one["id"] for side in ("tables", "left") for one in together.get(side, ())}
    if new := [one for one in signed_of_source(table) if str(one.pk) not in known]:
        return deny(TableReason.OTHER_TABLES, tables=_places(table, new))
    others = signed_of_other_contributors(table)
    if not _protects_cells(table):
        others = [one for one in others if _protects_cells(one)]
    if others:
        return deny(TableReason.OTHER_CONTRIBUTORS, tables=_places(table, others))
    return ALLOW


def _released_run(project: Project) -> Any:
    release = current_release(project)
    return release.run_id if release is not None and release.in_force else None


def _places(table: Tabulation, others: list[Tabulation]) -> str:
    """Which tables ``others`` are; those of other projects are not named."""
    here = [f"T{one.number}" for one in others if one.project_id == table.project_id]
    elsewhere = len(others) > len(here)
    return gettext(", ").join([*here, *([gettext("in another project")] if elsewhere else [])])


def _protects_cells(table: Tabulation) -> bool:
    """Whether a cell is hidden, or all are rounded."""
    report = report_of(table)
    return report is None or report["rounded"] or any(one["hidden"] for one in report["cells"])


def may_fetch(user: Person, table: Tabulation) -> Verdict:
    """Inside the project: whoever makes or judges it."""
    verdict = has_role(user, table.project, Role.EXECUTOR, Role.SUPERVISOR, Role.MANAGEMENT)
    if verdict and table.status not in WITH_A_FILE:
        return deny(TableReason.NO_FILE)
    if verdict and table.result is not None and table.result.destroyed_at is not None:
        return deny(DatasetReason.CONTENT_DESTROYED)
    return verdict


def may_have_signed(user: Person, release: Release) -> Verdict:
    """Whoever may receive under an agreement, unless the approved target lets no table out."""
    verdict = may_receive_agreed(user, release)
    return act_allowed(release.project, Act.FETCH_TABLE) if verdict else verdict


def may_have(user: Person, table: Tabulation, release: Release) -> Verdict:
    return first_denial(
        may_have_signed(user, release),
        ALLOW
        if table.status == TableStatus.APPROVED
        and (table.run_table_id is None or table.made_by_id == user.pk)
        else deny(TableReason.NOT_SIGNED),
    )

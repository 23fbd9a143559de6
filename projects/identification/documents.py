"""The identification report as a PDF, made by a job when the identification is submitted (5.6.1)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from approvals.documents.models import Document
from approvals.documents.render import DocumentHead
from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.numbers import count, percent
from projects.core.returns import justifications_in, justified_rows
from projects.datasets.models import Table
from projects.datasets.tables.names import titled
from projects.jobs.documents import Paper, cover_facts, document_start, document_write, stage_signers
from projects.jobs.models import Job
from projects.workflow import Stage
from techniques.core.messages import gettext_noop

from . import presentation, selectors
from .inventory import inventory_of
from .links.striking import StrikingText
from .links.wording import LinksText
from .models import IdentificationRound
from .persons.presentation import decision_text
from .persons.rules import against
from .persons.selectors import signs_of

REPORT = "identification_report"
REPORT_JOB = "identification.report_pdf"


def report_start(project: Project, *, by: Person) -> Job | None:
    """Have the report of the current content printed in every language, unless that is done or under way."""
    round_ = selectors.current_round(project)
    if round_ is None or not selectors.verdicts_hash(project):
        return None
    title = gettext_noop("Print the identification report")
    return document_start(
        REPORT_JOB, project=project, kind=REPORT, about=selectors.report_subject(round_), title=title, by=by
    )


def report_context(project: Project, round_: IdentificationRound) -> dict[str, Any]:
    """What the page and the document of the report both show: the inventory, and each table with the lines of its columns."""
    rounds = selectors.rounds_with(round_)
    tables = [_table_context(table, found) for table, found in rounds if found is not None]
    return {"project": project, "tables": tables, "inventory": inventory_of(project, rounds)}


def persons_said(round_: IdentificationRound) -> dict[str, Any]:
    """Whose the rows of a table are, by whom it was decided, and against which finding."""
    key = selectors.person_key_in(round_)
    sign = None if key is None else against(tuple(key.columns), signs_of(round_))
    return {
        "persons_key": key,
        "persons_text": decision_text(round_, key),
        "persons_overruled": "" if sign is None else _(", ").join(sign.columns),
    }


def set_aside(project: Project) -> list[str]:
    """What people decided against what the scan found: verdicts, and whose the rows are."""
    return presentation.overrides_said(presentation.overrides_of(project)) + persons_aside(project)


def persons_aside(project: Project) -> list[str]:
    """Per table where it was decided against the scan that each row is a person: one line."""
    said = []
    round_ = selectors.current_round(project)
    rounds = selectors.rounds_with(round_) if round_ is not None else []
    for table, found in rounds:
        if found is not None and (columns := persons_said(found)["persons_overruled"]):
            said.append(titled(str(table) if len(rounds) > 1 else "", _aside(columns)))
    return said


def _aside(columns: str) -> str:
    text = _("Several rows of one person were found by %(columns)s, but the finding was not accepted")
    return text % {"columns": columns}


def _table_context(table: Table, round_: IdentificationRound) -> dict[str, Any]:
    lines = presentation.rows_of(table.project, round_)
    return persons_said(round_) | {
        "table": table,
        "round": round_,
        "rows": lines,
        "tally": presentation.tally(lines),
        "above": presentation.above_of_rows(table.project, lines),
        "links": LinksText(round_, lines),
        "striking": StrikingText(round_),
        "row_count": count(round_.report["rows"]),
        "coverage": percent(round_.report["coverage"]),
        "methods": presentation.method_lines(round_),
    }


def report_write(round_: IdentificationRound, language: str, *, by: Person) -> Document:
    """Make and keep the PDF in ``language``."""
    project = round_.project
    given = selectors.verdicts_in(round_)
    subject = selectors.report_subject(round_)

    def paper() -> Paper:
        title = _("Identification report")
        head = DocumentHead(
            number=f"{project.number}-I{round_.number}",
            title=title,
            subtitle=project.title,
            content_hash=subject.hash,
            made_at=max((v.decided_at for v in given.values()), default=round_.finished_at)
            or round_.started_at,
            project=str(project),
        )
        template, context = "identification/report_document.html", report_context(project, round_)
        context["justified"] = justified_rows(justifications_in(project, Stage.IDENTIFICATION))
        context["signers"] = stage_signers(project, by=by)
        context |= _page_one(project, context["tables"])
        return Paper(head, f"{title} · {project.title}", template, context)

    return document_write(project, kind=REPORT, about=subject, language=language, paper=paper, by=by)


def _page_one(project: Project, tables: list[dict[str, Any]]) -> dict[str, Any]:
    """The cover: the columns by what they were found to be, and which findings a person overruled."""
    brief = cover_facts(project)
    weigh: list[str] = []
    for one in tables:
        name = str(one["table"]) if len(tables) > 1 else ""
        columns: dict[str, list[str]] = {}
        for row in one["rows"]:
            said = str(row.verdict.role_said) if row.verdict else _("No verdict yet")
            columns.setdefault(said, []).append(row.column)
            if row.overruled:
                weigh.append(
                    titled(name, _("%(column)s: %(kind)s") % {"column": row.column, "kind": row.overruled})
                )
        brief += [(titled(name, said), _(", ").join(names)) for said, names in columns.items()]
        weigh += [titled(name, said) for said in one["above"]]
        if one["persons_overruled"]:
            weigh.append(titled(name, _aside(one["persons_overruled"])))
    return {"brief": brief, "weigh": weigh}

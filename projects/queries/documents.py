"""The statement of the accounts as a document: who was granted and who spent what, how it is counted, and what that guarantees and what
not (T/ISC 0078-2025 10.4)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from approvals.documents.models import Document
from approvals.documents.render import DocumentHead
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from approvals.governance.verdict import Refused, deny
from approvals.passages import passage
from projects.core.models import Project
from projects.core.numbers import moment, number
from projects.jobs.documents import Paper, cover_facts, document_start, document_write
from projects.jobs.models import Job
from projects.processing.runs.selectors import latest_run
from techniques.core.canonical import canonical_hash
from techniques.core.messages import filled, gettext_noop
from techniques.models.differential_privacy.outcome import times

from .presentation import book
from .rules import QueryReason
from .selectors import sources_of

ACCOUNT_JOB = "queries.account_pdf"
KIND = "answer_account"


def accounts_of(project: Project) -> list[dict[str, Any]]:
    """Those that were opened, with their entries."""
    run = latest_run(project)
    found = book(project, sources_of(run.pk)) if run is not None else []
    return [one for one in found if one["opened"] is not None]


def statement_subject(project: Project, accounts: list[dict[str, Any]]) -> Subject:
    """What the document is about: every entry up to now, so that a further one makes another document."""
    content = [
        {
            "file": one["dataset"].sha256,
            "person_key": one["person_key"],
            "opened": str(one["opened"].pk),
            "entries": [
                [line.number, line.at.isoformat(), line.received, line.paid, line.balance]
                for line in one["lines"]
            ],
        }
        for one in accounts
    ]
    return Subject(KIND, str(project.pk), project.number, canonical_hash(content))


def statement_start(project: Project, *, by: Person) -> Job | None:
    """Have it printed in every language, unless that is done or under way. Refused where no account was opened."""
    accounts = accounts_of(project)
    if not accounts:
        raise Refused(deny(QueryReason.NO_ACCOUNT))
    return document_start(
        ACCOUNT_JOB,
        project=project,
        kind=KIND,
        about=statement_subject(project, accounts),
        title=gettext_noop("Print the statement of the budget of answers"),
        by=by,
    )


def statement_write(project: Project, language: str, *, by: Person) -> Document:
    """Print and keep one language."""
    subject = statement_subject(project, accounts_of(project))

    def paper() -> Paper:
        title = _("Statement of the budget of answers")
        # Its words are of the language that is active here.
        accounts = accounts_of(project)
        head = DocumentHead(
            number=f"{project.number}-B1",
            title=title,
            subtitle=project.title,
            project=project.number,
            content_hash=subject.hash,
            made_at=_until(accounts),
        )
        return Paper(
            head, f"{title} {project.title}", "queries/account_document.html", _context(project, accounts)
        )

    return document_write(project, kind=KIND, about=subject, language=language, paper=paper, by=by)


def _until(accounts: list[dict[str, Any]]) -> datetime:
    """When the last entry was made."""
    found: datetime = max(line.at for one in accounts for line in one["lines"])
    return found


def _context(project: Project, accounts: list[dict[str, Any]]) -> dict[str, Any]:
    # What says sentences loads the numerical libraries.
    from techniques.models.differential_privacy.statements import CLAUSE, limits

    beyond = limits()
    return {
        "brief": [
            *cover_facts(project),
            (_("Data sets with an account"), _(", ").join(one["dataset"].name for one in accounts)),
            *((_("Spent of what was granted"), _spent_of(one)) for one in accounts),
            (_("Last entry"), moment(_until(accounts))),
            (_("Clause"), CLAUSE),
        ],
        "weigh": [filled(_(beyond.message), beyond.params)],
        "accounts": [one | {"guarantee": guarantee_said(one), "rows": _rows(one)} for one in accounts],
    }


def _spent_of(account: dict[str, Any]) -> str:
    whole = account["whole"]
    return f"ε = {whole['spent']} / {whole['granted']} · {account['dataset'].name}"


def _rows(account: dict[str, Any]) -> list[tuple[str, str]]:
    whole, opened, counting = account["whole"], account["opened"], account["counting"]
    rows = [
        (_("What is compared"), counting["neighbours"]),
        (_("Whose data that are"), counting["unit"]),
        (_("How costs add up"), counting["composition"]),
        (_("When it is spent"), opened.get_exhaustion_display()),
        (_("Granted"), f"ε = {whole['granted']}, δ = {number(opened.delta)}"),
        (_("Spent"), f"ε = {whole['spent']}, δ = {number(whole['spent_delta'])}"),
        (_("Left"), f"ε = {whole['left']}"),
    ]
    if opened.part:
        rows.append((_("Parts that share nobody"), opened.part))
    return rows


def guarantee_said(account: dict[str, Any]) -> str:
    """What all answers from the account promise together, and how their costs came to that."""
    whole, opened = account["whole"], account["opened"]
    spent = {"times": times(whole["spent"]), "epsilon": whole["spent"]}
    figures = {**spent, "delta": number(whole["spent_delta"])}
    together = (
        _(
            "All answers from this account together: the data of one person make what came out %(times)s times as likely "
            "at most (e^ε, ε = %(epsilon)s), but for a chance of %(delta)s."
        )
        if whole["spent_delta"]
        else _(
            "All answers from this account together: the data of one person make what came out %(times)s times as likely "
            "at most (e^ε, ε = %(epsilon)s)."
        )
    )
    said = [together % figures]
    if opened.composition == "zcdp" and whole["questions"]:
        said.append(_("Costs were added up as ρ, and their sum was turned into ε by the δ of the account."))
    if opened.part and whole["questions"]:
        dearest = (
            _(
                "Answers about different values of %(part)s, in none of which a person of another stands, count as the dearest value."
            )
            if opened.neighbours == "add_remove"
            else _(
                "Answers about different values of %(part)s, in none of which a person of another stands, count as the two dearest values."
            )
        )
        said.append(dearest % {"part": opened.part})
    return passage(said)

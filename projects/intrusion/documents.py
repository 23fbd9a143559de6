"""The report of a concluded intruder test, in both languages."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from approvals.documents.models import Document
from approvals.documents.render import DocumentHead
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from projects.core.numbers import moment, number
from projects.jobs.documents import Paper, cover_facts, document_start, document_write
from projects.jobs.models import Job
from projects.processing.runs.designation.presentation import designation_rows
from projects.processing.runs.selectors import results_by_table
from projects.workflow import Role
from techniques.core.canonical import canonical_hash
from techniques.core.messages import gettext_noop

from .enums import PDF_JOB, REPORT
from .invitations.presentation import apart
from .invitations.selectors import invited_from
from .models import IntruderClaim, IntruderTest
from .presentation import outcome, wanted
from .selectors import bound_of, claims_of


def report_subject(test: IntruderTest) -> Subject:
    """The concluded test with its claims and the result that it was of, which nothing alters any more."""
    claims = [
        [one.number, one.of_table, one.record, one.reference, one.verdict]
        + ([one.grounds, one.certainty] if one.invitation_id else [])
        for one in claims_of(test)
    ]
    said = [test.knowledge, test.scope, test.testers, test.auxiliary, test.attempts, test.conclusion]
    results = [[name, sha256] for name, sha256 in results_by_table(test.run).items()]
    # Reports from before the country was asked for keep their hash.
    places = [[str(one.tester_id), one.country] for one in invited_from(test) if one.country is not None]
    content = [said, claims, results, *([places] if places else [])]
    return Subject("intruder_test", str(test.pk), str(test), canonical_hash(content))


def report_start(test: IntruderTest, *, by: Person) -> Job | None:
    """Have it printed in every language, unless that is done or under way."""
    return document_start(
        PDF_JOB,
        project=test.project,
        kind=REPORT,
        about=report_subject(test),
        title=gettext_noop("Print the report of the intruder test"),
        by=by,
    )


def report_write(test: IntruderTest, language: str, *, by: Person) -> Document:
    """Print and keep one language."""
    project, subject = test.project, report_subject(test)

    def paper() -> Paper:
        title = _("Report of the intruder test")
        head = DocumentHead(
            number=f"{project.number}-N{test.number}",
            title=title,
            subtitle=project.title,
            project=project.number,
            content_hash=subject.hash,
            made_at=test.closed_at or test.opened_at,
        )
        return Paper(head, f"{title} {project.title}", "intrusion/report_document.html", report_context(test))

    return document_write(project, kind=REPORT, about=subject, language=language, paper=paper, by=by)


def _claim_text(claim: IntruderClaim) -> list[str]:
    """What the paper says of a claim, line by line."""
    lines = [str(claim.get_verdict_display()), claim.reference]
    if claim.invitation_id:
        lines += [
            claim.grounds,
            _("%(certainty)s, by an invited outsider") % {"certainty": claim.get_certainty_display()},
        ]
    return [*lines, f"{claim.made_by} → {claim.checked_by}"]


def report_context(test: IntruderTest) -> dict[str, Any]:
    """Everything the template shows, in the active language."""
    claims, bound = claims_of(test), bound_of(test.project)
    asked = wanted(bound) if bound is not None else _("The target asks for no such test.")
    return {
        "brief": [
            *cover_facts(test.project),
            *designation_rows(test.run),
            (_("Who the testers stand for"), str(test.get_knowledge_display())),
            (_("Result"), outcome(test, claims)),
        ],
        "weigh": [asked],
        "rows": [
            (_("Scope"), test.scope),
            (_("Testers"), test.testers),
            *apart(test, claims),
            (_("Auxiliary data"), test.auxiliary),
            (_("Result file"), f"{test.run} · " + _(", ").join(results_by_table(test.run).values())),
            (_("Opened"), f"{moment(test.opened_at)} · {test.opened_by}"),
            (_("Conclusion"), test.conclusion),
        ],
        "claims": [
            (
                _("Claim %(number)s: record %(record)s")
                % {"number": number(one.number), "record": one.place},
                "\n".join(_claim_text(one)),
            )
            for one in claims
        ],
        "signers": [
            {
                "role": str(Role.SUPERVISOR.label),
                "name": str(test.closed_by),
                "decision": _("Concluded"),
                "time": test.closed_at,
                "reason": test.conclusion,
            }
        ],
    }

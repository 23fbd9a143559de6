"""The slip of one fetch, in both languages: who got which file when, by which approval and agreement (T/ISC 0078 11.2 c).

The file itself bears no mark: it is byte for byte what was approved, and its SHA-256 was promised. The slip names it by that.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from approvals.documents.models import Document
from approvals.documents.registry import visible_to
from approvals.documents.render import DocumentHead
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from projects.core.numbers import moment
from projects.jobs.documents import Paper, document_start, document_write
from projects.jobs.models import Job
from projects.processing.models import Run
from techniques.core.canonical import canonical_hash
from techniques.core.messages import gettext_noop

from .enums import SLIP, SLIP_JOB
from .models import Fetch
from .rules import may_have_slip
from .selectors import fetch_whole, place_of


@visible_to
def slips_of_their_own(user: Person, document: Document) -> bool:
    """Who fetched a file may open the slip of it; nothing else of the project opens with that."""
    if document.kind != SLIP:
        return False
    return Fetch.objects.filter(pk=document.subject_id, delivery__recipient=user.pk).exists()


def slip_subject(fetch: Fetch) -> Subject:
    """Rows that are written once make one content."""
    request, agreement = fetch.request, fetch.agreement
    said = [
        str(fetch.pk), fetch.sha256, fetch.fetched_at.isoformat(), fetch.delivery.release.seal,
        str(request.pk) if request else "", str(agreement.pk) if agreement else "",
    ]  # fmt: skip
    return Subject(SLIP, str(fetch.pk), str(fetch), canonical_hash(said))


def slip_start(fetch: Fetch, *, by: Person) -> Job | None:
    """Have it printed in every language, unless that is done or under way."""
    may_have_slip(by, fetch).require()
    return document_start(
        SLIP_JOB,
        project=fetch.project,
        kind=SLIP,
        about=slip_subject(fetch),
        title=gettext_noop("Print the delivery slip"),
        by=by,
    )


def slip_write(fetch_id: Any, language: str, *, by: Person) -> Document:
    """Print and keep one language."""
    fetch = fetch_whole(fetch_id)
    subject = slip_subject(fetch)

    def paper() -> Paper:
        title = _("Delivery slip")
        head = DocumentHead(
            number=f"{fetch.project.number}-H{place_of(fetch)}",
            title=title,
            subtitle=fetch.project.title,
            project=fetch.project.number,
            content_hash=subject.hash,
            made_at=fetch.fetched_at,
        )
        return Paper(
            head,
            f"{title} {fetch.project.title}",
            "releases/requests/slip_document.html",
            slip_context(fetch),
        )

    return document_write(fetch.project, kind=SLIP, about=subject, language=language, paper=paper, by=by)


def slip_context(fetch: Fetch) -> dict[str, Any]:
    """Everything the template shows, in the active language."""
    release, request, agreement = fetch.delivery.release, fetch.request, fetch.agreement
    run = Run.objects.select_related("recipe_version").get(pk=release.run_id)
    file = release.files[fetch.file]
    recipient = str(fetch.delivery.recipient)
    when = moment(fetch.fetched_at)
    approved = [
        (pgettext("a fetch", "Request"), str(request)),
        (_("What it is needed for"), request.purpose),
        (_("Requested at"), moment(request.requested_at)),
        (_("Approved by"), str(request.decision.decided_by)),
        (_("Approved at"), moment(request.decision.decided_at)),
        (_("Approved for one fetch until"), moment(request.decision.holds_until)),
        (_("Reason for the decision"), request.decision.reason),
    ] if request is not None else []  # fmt: skip
    return {
        "brief": [
            (_("Project"), f"{fetch.project.number} {fetch.project.title}"),
            (_("Recipient"), recipient),
            (_("Time of the fetch"), when),
            (_("File"), file["file_name"]),
        ],
        "weigh": [
            _("On %(when)s the portal handed this file to %(recipient)s, who was signed in. Whether all of it arrived is not recorded.")
            % {"when": when, "recipient": recipient},
            _("The file bears no mark of its own: it is byte for byte what was approved. By its SHA-256 a copy is known as this file."),
        ],
        "file": [
            (_("File"), file["file_name"]),
            *([(_("Table"), file["table"])] if file["table"] else []),
            (_("Version"), _("run %(run)s, recipe version %(recipe)s") % {"run": run.number, "recipe": run.recipe_version.number}),
            (_("Released on"), moment(release.released_at)),
            (_("SHA-256 of the file"), fetch.sha256),
            (_("Seal of the release"), release.seal),
            (_("Seal verified"), moment(fetch.delivery.verified_at)),
        ],
        "approved": approved,
        "agreement": [
            (_("Recipient organisation"), agreement.organisation),
            (_("Permitted purpose"), agreement.purpose),
            (_("Signed by"), f"{agreement.signed_by} · {agreement.signed_on.isoformat()}"),
            (_("Valid until"), agreement.valid_until.isoformat()),
        ] if agreement is not None else [],
    }  # fmt: skip

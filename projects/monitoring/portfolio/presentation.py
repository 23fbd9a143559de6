"""The portfolio in words and numbers: the same for its page, its CSV file and the API."""

from __future__ import annotations

import csv
import io
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from approvals.audit.readers.export import neutral
from projects.core.numbers import beside, count, percent

from .due import DueLine
from .holders import RecipientLine
from .selectors import MeasuredRisk, Portfolio, ProjectLine


def risk_text(risk: MeasuredRisk | None) -> str:
    """The measured maximum risk; a dash where it is not known."""
    return "–" if risk is None or risk.share is None else percent(risk.share)


def risk_source(risk: MeasuredRisk | None) -> str:
    """Which measurement of which run it comes from, whether a later run is not measured, and why a risk is not known."""
    if risk is None:
        return _("not measured yet")
    said = _("verification %(verification)s of run %(run)s, %(day)s") % {
        "verification": risk.verification,
        "run": risk.run,
        "day": date_format(localtime(risk.at), "Y-m-d"),
    }
    if risk.newer_run is not None:
        said += _("; ") + _("run %(run)s is not measured") % {"run": risk.newer_run}
    return beside(said, risk.why) if risk.why else said


def days(number: int) -> str:
    return ngettext("%(n)s day", "%(n)s days", number) % {"n": number}


def line_row(line: ProjectLine) -> dict[str, Any]:
    """One project as every reader gets it."""
    project = line.project
    return {
        "number": project.number,
        "title": project.title,
        "stage": str(project.stage.label),
        "state": str(project.get_state_display()),
        "owner": str(project.owner.label) if project.owner else "",
        "age": days(line.age),
        "waiting": days(line.waiting),
        "deadline": line.deadline.due.isoformat() if line.deadline else "",
        "deadline_text": line.deadline.text if line.deadline else "",
        "risk": risk_text(line.risk),
        "risk_source": risk_source(line.risk),
    }


def recipient_name(line: RecipientLine) -> str:
    if line.public:
        return _("Anyone (completely public)")
    return line.organisation or _("No agreement on file")


def more_releases(number: int) -> str:
    """That of what one recipient holds so many are not named."""
    return ngettext("and %(n)s more", "and %(n)s more", number) % {"n": count(number)}


def due_text_of(line: DueLine) -> str:
    """What has to be done."""
    if line.reassessment is not None:
        return _("Re-assessment of the release")
    if line.finding is not None:
        return _("Finding F%(number)s, %(owner)s: %(title)s (%(state)s)") % {
            "number": line.finding.number,
            "owner": line.finding.owner,
            "title": line.finding.headline,
            "state": line.finding.get_status_display(),
        }
    assert line.returned is not None
    return _("Returned by %(by)s: %(reason)s") % {"by": line.returned.by, "reason": line.returned.reason}


def headings() -> dict[str, str]:
    """The columns of the table and of the file, by the keys of :func:`line_row`."""
    return {
        "number": pgettext("serial", "Number"),
        "title": _("Title"),
        "stage": _("Stage"),
        "state": _("State"),
        "owner": _("Whose turn it is"),
        "age": pgettext("of a project", "Age"),
        "waiting": _("In this state"),
        "deadline": _("Deadline"),
        "deadline_text": _("Days left"),
        "risk": _("Maximum risk"),
        "risk_source": _("Measured by"),
    }


def as_csv(found: Portfolio) -> bytes:
    """Every line as UTF-8 with a byte order mark, for spreadsheets; no cell is taken for a formula."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    names = headings()
    writer.writerow(names.values())
    for line in found.lines:
        row = line_row(line)
        writer.writerow(neutral(row[name]) for name in names)
    return text.getvalue().encode("utf-8-sig")

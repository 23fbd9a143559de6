"""An incident in rows: for its page, its paper, the board and the API."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from projects.core.numbers import moment, number

from .enums import IncidentAct, IncidentSeverity, IncidentVerdict
from .models import Incident, IncidentStep

SEVERITY_TONES = {
    IncidentSeverity.MINOR: "neutral",
    IncidentSeverity.MAJOR: "warn",
    IncidentSeverity.GRAVE: "fail",
}


@dataclass(frozen=True)
class Duty:
    """One notification that article 57 asks for: until when, and whether it is done or need not be."""

    label: Any
    due: datetime
    done: str

    @property
    def outcome(self) -> str:
        """What was recorded of it and when, or that nothing was."""
        return self.done or _("%(notification)s: not recorded") % {"notification": self.label}

    @property
    def is_late(self) -> bool:
        return not self.done and timezone.now() > self.due

    @property
    def tone(self) -> str:
        return "ok" if self.done else "fail" if self.is_late else "warn"


def duties_of(incident: Incident, steps: Iterable[IncidentStep]) -> list[Duty]:
    """What the law asks of an incident that is not unfounded."""
    if incident.verdict == IncidentVerdict.UNFOUNDED:
        return []
    by_act = {step.act: step for step in steps}
    authority = by_act.get(IncidentAct.AUTHORITY)
    persons = by_act.get(IncidentAct.PERSONS) or by_act.get(IncidentAct.SPARE)
    return [
        Duty(_("Notify the authority"), incident.authority_by, _recorded(authority)),
        Duty(_("Notify the persons concerned"), incident.persons_by, _recorded(persons)),
    ]


def _recorded(step: IncidentStep | None) -> str:
    """What was done, in the words of the act: persons who need not be notified were not."""
    return f"{step.get_act_display()} · {moment(step.at)}" if step else ""


def next_duty(incident: Incident, steps: Iterable[IncidentStep]) -> Duty | None:
    """The notification that is due next; None where nothing is left to notify."""
    waiting = [one for one in duties_of(incident, steps) if not one.done]
    return min(waiting, key=lambda one: one.due, default=None)


def law_text() -> str:
    """What the deadlines are."""
    return _(
        "Article 57: measures are taken at once, and authority and persons are notified. The "
        "organisation has set %(authority)s hours for the authority and %(persons)s hours for the "
        "persons, counted from the report. Persons need not be notified where the measures avoid the "
        "harm, but the authority may still require it."
    ) % {
        "authority": number(settings.DEID_INCIDENT_AUTHORITY_HOURS),
        "persons": number(settings.DEID_INCIDENT_PERSONS_HOURS),
    }


def incident_row(incident: Incident, steps: Iterable[IncidentStep] = ()) -> dict[str, Any]:
    """The incident with tone and word of its state."""
    duty = next_duty(incident, steps) if incident.closed_at is None else None
    if incident.closed_at is not None:
        tone, word = "ok", _("Closed: %(verdict)s") % {"verdict": incident.get_verdict_display()}
    elif duty is not None and duty.is_late:
        tone, word = "fail", _("Notification overdue")
    else:
        tone, word = "warn", incident.get_verdict_display()
    return {
        "incident": incident,
        "tone": tone,
        "word": word,
        "severity_tone": SEVERITY_TONES[IncidentSeverity(incident.severity)],
        "duty": duty,
    }

"""Vocabulary of incidents; article 57 is that of the Personal Information Protection Law."""

from django.db import models
from django.utils.translation import gettext_lazy as _

PDF_JOB = "incidents.report_pdf"
REPORT = "incident_report"


class IncidentKind(models.TextChoices):
    REIDENTIFICATION = "reidentification", _("Somebody may have been re-identified")
    LEAK = "leak", _("Data leaked, were altered or lost")
    MISUSE = "misuse", _("Data were used for something else than agreed")
    OTHER = "other", _("Something else went wrong")


class IncidentSeverity(models.TextChoices):
    MINOR = "minor", _("Minor: no person is affected")
    MAJOR = "major", _("Major: persons may be affected")
    GRAVE = "grave", _("Grave: persons are harmed, or many are affected")


class IncidentVerdict(models.TextChoices):
    OPEN = "open", _("Being looked into")
    CONFIRMED = "confirmed", _("Confirmed")
    UNFOUNDED = "unfounded", _("Unfounded")


class IncidentAct(models.TextChoices):
    """What is done about an incident."""

    MEASURE = "measure", _("A measure was taken")
    STOP = "stop", _("Deliveries were stopped")
    RESUME = "resume", _("Deliveries go on")
    CONFIRM = "confirm", _("It is confirmed")
    UNFOUNDED = "unfounded", _("It is unfounded")
    AUTHORITY = "authority", _("The authority was notified")
    PERSONS = "persons", _("The persons concerned were notified")
    SPARE = "spare", _("The persons need not be notified: the measures avoid the harm")
    CLOSE = "close", _("It is closed; this was learned")

"""Vocabulary about impact assessments; the articles are those of the Personal Information Protection Law."""

from django.db import models
from django.utils.translation import gettext_lazy as _

PDF_JOB = "impact.report_pdf"
REPORT = "impact_assessment"


class Occasion(models.TextChoices):
    """Why an assessment comes first (article 55)."""

    SENSITIVE = "sensitive", _("Sensitive personal information is processed")
    IMPORTANT = "important", _("The data are graded as important data")
    AUTOMATED = "automated", _("Automated decisions are made with it")
    PROVIDED = "provided", _("It is provided to others")
    ENCLAVE = "enclave", _("Others work with it in a controlled environment, which the data never leave")
    PUBLIC = "public", _("It is made public")
    ABROAD = "abroad", _("It goes abroad")
    POLICY = "policy", _("Required by the organisation's data grading")


class LawfulBasis(models.TextChoices):
    """On what the processing rests (article 13)."""

    CONSENT = "consent", _("Consent of the persons")
    CONTRACT = "contract", _("A contract with the person, or personnel matters")
    DUTY = "duty", _("A statutory duty or power")
    EMERGENCY = "emergency", _("Public health or an emergency")
    NEWS = "news", _("News and public interest")
    DISCLOSED = "disclosed", _("Information that is already lawfully public")
    OTHER_LAW = "other_law", _("Another law or regulation")


class Transfer(models.TextChoices):
    """Where the recipients are, and what lets the data go there (articles 38 to 40)."""

    INSIDE = "inside", _("All recipients are in the mainland")
    SECURITY_ASSESSMENT = (
        "security_assessment",
        _("Outside the mainland, after a security assessment of the authority"),
    )
    STANDARD_CONTRACT = "standard_contract", _("Outside the mainland, under the standard contract")
    CERTIFICATION = "certification", _("Outside the mainland, with a certification of protection")


class Level(models.TextChoices):
    """How much the persons concerned are affected."""

    LOW = "low", _("Slight")
    MEDIUM = "medium", _("Noticeable")
    HIGH = "high", _("Grave")


class Outcome(models.TextChoices):
    WAITING = "waiting", _("Waiting for a second person")
    CONCLUDED = "concluded", _("Concluded: the release may go on")
    TURNED_DOWN = "turned_down", _("Turned down")

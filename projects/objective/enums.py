"""Vocabulary about the target: the parts of clause 5.2 and the answers that they offer."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

# Kinds of jobs: the plan is written as a document, and with its approval.
PLAN_JOB = "objective.plan_pdf"
APPROVAL_JOB = "objective.approval_pdf"


class Part(models.TextChoices):
    """The steps in which the target is determined."""

    SHARING = "sharing", _("Sharing type")
    SCOPE = "scope", _("Object of de-identification")
    FACTORS = "factors", _("Factors of the target")
    TARGETS = "targets", _("Risk and utility targets")
    PLAN = "plan", _("Implementation plan")


class Level(models.TextChoices):
    """The three grades of table 1."""

    HIGH = "high", pgettext_lazy("level", "High")
    MEDIUM = "medium", pgettext_lazy("level", "Medium")
    LOW = "low", pgettext_lazy("level", "Low")


class Circulation(models.TextChoices):
    """How far data travel that are not public, by the scenarios of T/ISC 0078 7.1 and C.4."""

    INTERNAL = "internal", _("Within the organisation: every recipient is one of its own units")
    EXTERNAL = "external", _("To other organisations: outsiders are among those who use the data")


class Regulation(models.TextChoices):
    """Laws and standards that a scope may fall under (5.2.2 a)."""

    PIPL = "pipl", _("Personal Information Protection Law")
    DSL = "dsl", _("Data Security Law")
    CSL = "csl", _("Cybersecurity Law")
    GBT_35273 = "gbt_35273", _("GB/T 35273 personal information security specification")
    GBT_42460 = "gbt_42460", _("GB/T 42460 evaluation of the effect of de-identification")
    GBT_39725 = "gbt_39725", _("GB/T 39725 health data security")
    TISC_0078 = "tisc_0078", _("T/ISC 0078 anonymization on the internet")
    OTHER = "other", _("Other laws, rules or industry standards (name them below)")


class Classification(models.TextChoices):
    """How the organisation's policy grades the data (5.2.2 b)."""

    GENERAL = "general", _("General data")
    SENSITIVE = "sensitive", _("Sensitive data")
    IMPORTANT = "important", _("Important data")
    CORE = "core", _("Core data")

    @property
    def rank(self) -> int:
        """The higher, the more the data are protected."""
        return list(Classification).index(self)


class Promise(models.TextChoices):
    """What was promised about de-identification when the data was collected (5.2.2 c)."""

    PROMISED = "promised", _("De-identification was promised")
    CONSENT = "consent", _("Consent covers this use, without a promise of de-identification")
    NONE = "none", _("No promise was made")
    UNKNOWN = "unknown", _("Not known")


class NoticeKind(models.TextChoices):
    """What a kept privacy notice is, by its bytes; the value is the ending of its name."""

    PDF = "pdf", "PDF"
    TEXT = "txt", _("Plain text")


class Protection(models.TextChoices):
    """Protections while the data is viewed and used (5.2.3 c)."""

    AGREEMENT = "agreement", _("Data use agreement with the three prohibitions")
    NAMED_PEOPLE = "named_people", _("Named people only")
    VIEW_ONLY = "view_only", _("Viewing inside a controlled environment only")
    ACCESS_LOG = "access_log", _("Every access is logged")
    WATERMARK = "watermark", _("Watermark")
    ENCRYPTED = "encrypted", _("Encrypted in transit and at rest")
    EXPIRY = "expiry", _("Access ends on a date, and the data is destroyed")
    NO_CONTROL = "no_control", _("None is possible: the data are open to everyone")


class Act(models.TextChoices):
    """What a recipient does with what was released to them, as far as the portal carries it out (T/ISC 0078 11.2 b)."""

    FETCH = "fetch", pgettext_lazy("act", "Fetching the file on its page")
    FETCH_API = "fetch_api", pgettext_lazy("act", "Fetching the file with a program, through the API")
    PUBLISH = (
        "publish",
        pgettext_lazy("act", "Fetching without signing in, from the address of a publication"),
    )
    LOOK = "look", pgettext_lazy("act", "Looking at the first rows in the portal")
    QUERY = "query", pgettext_lazy("act", "Running SQL queries in the portal")
    SAMPLE = "sample", pgettext_lazy("act", "Having samples drawn and looking at them in the portal")
    ASK_TABLE = "ask_table", pgettext_lazy("act", "Asking for tables of statistics of the released rows")
    FETCH_TABLE = "fetch_table", pgettext_lazy("act", "Fetching signed tables of statistics")
    QUESTION = "question", pgettext_lazy("act", "Asking questions that are answered with noise")


class Keeper(models.TextChoices):
    """Who sees to it that a protection is kept, under a type of sharing."""

    PORTAL = "portal", _("Enforced by the portal")
    IN_PART = "in_part", _("Enforced by the portal in part")
    RECIPIENT = "recipient", _("Not enforced by the portal")


class RiskModel(models.TextChoices):
    """The model with which the re-identification risk will be assessed (5.2.3 d)."""

    CLASS_SIZES = "class_sizes", _("Sizes of equivalence classes (annex B.1)")
    DIFFERENTIAL_PRIVACY = "differential_privacy", _("Differential privacy (annex B.2)")
    LINEAR_SENSITIVITY = "linear_sensitivity", _("Linear sensitivity of figures of groups (T/ISC 0078 10.5)")


class Candidate(models.TextChoices):
    """Models and techniques that may come into use (5.2.3 e, annexes A and B)."""

    SUPPRESSION = "suppression", _("Suppression and masking")
    PSEUDONYMISATION = "pseudonymisation", _("Pseudonymisation")
    CRYPTOGRAPHIC = "cryptographic", _("Cryptographic techniques")
    GENERALISATION = "generalisation", _("Generalisation, rounding, top and bottom coding")
    RANDOMISATION = "randomisation", _("Randomisation")
    STATISTICAL = "statistical", _("Sampling and aggregation")
    SYNTHESIS = "synthesis", _("Synthetic data")
    K_ANONYMITY = "k_anonymity", _("K-anonymity model")
    L_DIVERSITY = "l_diversity", _("L-diversity and T-closeness")
    DIFFERENTIAL_PRIVACY = "differential_privacy", _("Differential privacy model")


class Section(models.TextChoices):
    """The nine sections of the implementation plan (5.2.4)."""

    PURPOSE = "purpose", _("Purpose")
    GOALS = "goals", _("Goals")
    DATA_OBJECTS = "data_objects", _("Data objects")
    SHARING_MODE = "sharing_mode", _("Sharing mode")
    TEAM = "team", _("Implementation team")
    SCHEME = "scheme", _("Implementation scheme")
    STAKEHOLDERS = "stakeholders", _("Stakeholders")
    CONTINGENCY = "contingency", _("Contingency measures")
    SCHEDULE = "schedule", _("Schedule")


class Trigger(models.TextChoices):
    """Why a need comes up: the cases of T/ISC 0078 5.1 a 1, and that somebody wants to use the data."""

    NO_GROUND = "no_ground", _("There is no consent and no other legal ground for these data")
    WITHDRAWN = "withdrawn", _("Consent was taken back")
    BEYOND = "beyond", _("The use goes beyond what the data were collected for")
    CANCELLED = "cancelled", _("Accounts were closed")
    EXPIRED = "expired", _("The term of storage ends")
    USE = "use", _("Somebody needs the data for a purpose of their own")


class Instead(models.TextChoices):
    """The alternatives to records of persons."""

    AGGREGATES = "aggregates", _("Tables of statistics")
    QUERIES = "queries", _("Queries inside, of which only figures come out")
    SYNTHETIC = "synthetic", _("Synthetic data")
    FEWER = "fewer", _("Fewer records or fields")
    NONE = "none", _("Nothing else would do")


class Met(models.TextChoices):
    """Whether a point of feasibility is met."""

    YES = "yes", pgettext_lazy("point", "Yes")
    NO = "no", pgettext_lazy("point", "No")
    UNKNOWN = "unknown", pgettext_lazy("point", "Not known")

"""Vocabulary about projects."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from approvals.documents.letterhead import Mark
from projects.workflow import Role, Stage


class SharingType(models.TextChoices):
    """How the data will be shared (GB/T 37964 4.5, table 1); decided first, sets every default."""

    PUBLIC = "public", _("Completely public sharing")
    CONTROLLED = "controlled", _("Controlled public sharing")
    ENCLAVE = "enclave", _("Enclave sharing")


class ProjectMark(models.TextChoices):
    """What the documents of a project are marked with on top (密级): what the letterhead says, or something of its own."""

    HOUSE = "house", _("As the organisation's letterhead")
    NONE = "none", _("None")
    INTERNAL = Mark.INTERNAL.value, Mark.INTERNAL.label
    WORK = Mark.WORK.value, Mark.WORK.label
    TRADE = Mark.TRADE.value, Mark.TRADE.label


class Thread(models.TextChoices):
    """What members talk about: the steps of the standard, and monitoring, which runs beside them (5.6)."""

    OBJECTIVE = Stage.OBJECTIVE.value, Stage.OBJECTIVE.label
    IDENTIFICATION = Stage.IDENTIFICATION.value, Stage.IDENTIFICATION.label
    PROCESSING = Stage.PROCESSING.value, Stage.PROCESSING.label
    VERIFICATION = Stage.VERIFICATION.value, Stage.VERIFICATION.label
    RELEASE = Stage.RELEASE.value, Stage.RELEASE.label
    MONITORING = "monitoring", _("Monitor and review")


# The object permission that goes with each role, given out by django-guardian.
PERMISSION_OF_ROLE: dict[Role, str] = {
    Role.PLANNER: "plan_project",
    Role.EXECUTOR: "execute_project",
    Role.SUPERVISOR: "supervise_project",
    Role.MANAGEMENT: "approve_project",
    Role.RECIPIENT: "receive_project",
}
# Roles that see the project itself; a recipient sees releases only.
INSIDE_ROLES = frozenset({Role.PLANNER, Role.EXECUTOR, Role.SUPERVISOR, Role.MANAGEMENT})
# Roles that judge what the others do.
JUDGES = frozenset({Role.SUPERVISOR, Role.MANAGEMENT})

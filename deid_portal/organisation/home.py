"""What of the organisation stands on a person's home page: coefficients that wait for a second person."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.tasks_registry import Task, task_provider

from .models import EnvironmentCoefficients
from .proposals.home import proposals_waiting


@task_provider
def coefficients_waiting(user: Person) -> list[Task]:
    """Those that ``user`` may put in force or turn down."""
    return proposals_waiting(
        user,
        EnvironmentCoefficients.objects.all(),
        title=lambda version: (
            _("Decide about version %(number)s of the coefficients of the surroundings")
            % {"number": version.number}
        ),
        address=lambda version: reverse("organisation:coefficients"),
    )

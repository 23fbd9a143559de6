"""What sign-off and release wait for: an assessment that was concluded about exactly this way, grade and recipients."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.countries import country_name
from projects.core.evidence import Missing, demands
from projects.core.models import Project
from projects.core.pages import Pointer, points_from
from projects.workflow import Evidence, Stage, State

from .abroad import countries_unassessed
from .presentation import occasion_texts
from .selectors import assessments_of, current_assessment, needs_assessment, occasions_of


@demands(Evidence.GATE_PASSED, Evidence.RELEASE_READY)
def assessed(project: Project) -> Missing:
    if not needs_assessment(project) or current_assessment(project) is not None:
        return []
    why = _("; ").join(occasion_texts([one.value for one in occasions_of(project)]))
    return [
        _("A concluded impact assessment of this sharing type and these recipients (%(why)s)") % {"why": why}
    ]


@demands(Evidence.RELEASE_READY)
def transfer_assessed(project: Project) -> Missing:
    """Whoever is abroad: the law asks for it, whatever the organisation's rules say."""
    if not (places := countries_unassessed(project)):
        return []
    return [
        _("A concluded impact assessment that names %(places)s and what permits the transfer")
        % {"places": _("; ").join(map(country_name, places))}
    ]


@points_from(Stage.OBJECTIVE)
@points_from(Stage.VERIFICATION)
@points_from(Stage.RELEASE)
def impact_pointer(project: Project) -> Pointer | None:
    """The way to the page, where the release waits for an assessment."""
    if not needs_assessment(project) or current_assessment(project) is not None:
        return None
    title = _("The release waits for an impact assessment")
    text = _("The effect on the people concerned is assessed and concluded before anything is shared.")
    # A release from before the organisation's rules asked for one is received as before.
    if project.state == State.MONITORING:
        if not assessments_of(project).exists():
            return None
        title = _("A new impact assessment is needed")
        text = _(
            "No concluded assessment covers this sharing type and all of these recipients: a recipient who is not covered receives nothing until one is concluded."
        )
    return Pointer(
        title=title,
        text=text,
        url=reverse("impact:page", kwargs={"project_id": project.pk}),
        label=_("Impact assessment"),
    )

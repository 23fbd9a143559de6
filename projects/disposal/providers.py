"""What the pages of an ended project say of its data."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from projects.core.models import Project
from projects.core.numbers import moment
from projects.core.pages import Pointer, shown_on_every_page
from projects.datasets.store.holdings import DATA
from projects.workflow import TERMINAL, State

from .models import Disposal
from .presentation import kinds_text
from .selectors import disposals_done


@shown_on_every_page
def disposal_pointer(project: Project) -> Pointer | None:
    """Why there is nothing left to look at."""
    done = disposals_done(project) if State(project.state) in TERMINAL else []
    return _pointer(done) if done else None


def _pointer(done: list[Disposal]) -> Pointer:
    last = done[0]
    kinds = {kind for one in done for kind in one.kinds}
    facts = {
        "at": moment(last.decided_at),
        "by": last.decided_by,
        "kinds": _(", ").join(kinds_text(kind) for kind in DATA if kind in kinds),
    }
    text = (
        _(
            "%(kinds)s; last by %(by)s on %(at)s. They can no longer be opened, repeated or reversed. What was recorded and signed is still here."
        )
        if last.is_destroyed
        else _(
            "%(kinds)s; last by %(by)s on %(at)s. Nothing of them can be opened any more; the encrypted files are not all removed yet."
        )
    )
    return Pointer(
        title=_("Data of this project were destroyed"),
        text=text % facts,
        url=reverse("disposal:page", kwargs={"project_id": last.project_id}),
        label=_("Disposal of data"),
        tone="info",
    )

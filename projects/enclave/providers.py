"""What queries in the enclave leave in the store, and what the page of the release says of them."""

from __future__ import annotations

from django.db.models import Count, F
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from projects.core.enums import SharingType
from projects.core.models import Project
from projects.core.pages import Pointer, points_from
from projects.datasets.store.holdings import HeldKind, Holder, holds_files
from projects.workflow import Stage

from .models import EnclaveQuery

holds_files(
    Holder(EnclaveQuery, "statement", HeldKind.RESULT, _("Text of a query in the enclave"), F("number")),
    Holder(EnclaveQuery, "result", HeldKind.RESULT, _("What a query in the enclave found"), F("number")),
)


@points_from(Stage.RELEASE)
def queries_pointer(project: Project) -> Pointer | None:
    """How many queries were run, and the way to who ran them."""
    if project.sharing_type != SharingType.ENCLAVE:
        return None
    run = EnclaveQuery.objects.filter(project=project).order_by()
    counted = run.aggregate(queries=Count("pk"), people=Count("asked_by", distinct=True))
    if not counted["queries"]:
        return None
    return Pointer(
        title=gettext("Queries in the enclave"),
        text=gettext("Queries run: %(queries)s; recipients who ran them: %(people)s.") % counted,
        url=reverse("enclave:page", kwargs={"project_id": project.pk}),
        label=gettext("Who ran them"),
        tone="info",
    )

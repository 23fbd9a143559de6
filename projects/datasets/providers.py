"""Evidence that datasets answers for, and what it does when something happens elsewhere."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from projects.core.evidence import Missing, provides
from projects.core.models import Project
from projects.core.services import on_open
from projects.workflow import Evidence

from .enums import DatasetStatus
from .models import Dataset
from .store.holdings import HeldKind, Holder, holds_files
from .tables.names import label_of, titled
from .tables.selectors import datasets_now, links_of, tables_of
from .tables.services import first_table_create

holds_files(
    Holder(Dataset, "stored", HeldKind.SOURCE, _("Uploaded file"), "name"),
    Holder(Dataset, "sample", HeldKind.WORKSPACE, _("First rows of a file, for previews"), "name"),
)


@provides(Evidence.DATASET_READY)
def dataset_ready(project: Project) -> Missing:
    """Every table's current data set was checked to its last row, and every declared link joins."""
    missing = [
        titled(label_of(table), text)
        for table, dataset in datasets_now(project)
        for text in _missing_of(dataset)
    ]
    return missing or _missing_links(project)


def _missing_links(project: Project) -> Missing:
    links = links_of(project)
    if not links and any(not table.is_first for table in tables_of(project)):
        return [_("The links between the tables: which column refers to which")]
    shas = {table.pk: dataset.sha256 for table, dataset in datasets_now(project) if dataset}
    missing: Missing = []
    for link in links:
        if (link.source_sha256, link.target_sha256) != (shas.get(link.source_id), shas.get(link.target_id)):
            missing.append(_("A check of the link %(link)s against the data") % {"link": link})
        elif not link.counts.get("rows", 0) - link.counts.get("orphans", 0):
            missing.append(
                _("%(link)s does not join any rows: choose the right columns or upload the right files")
                % {"link": link}
            )
    return missing


def _missing_of(dataset: Dataset | None) -> Missing:
    if dataset is None:
        return [_("A data set (upload a file)")]
    if dataset.status == DatasetStatus.UPLOADED:
        return [_("Confirmation of the format of the uploaded file")]
    if dataset.status == DatasetStatus.CHECKING:
        return [_("Completion of the check of every row of the data set")]
    return []


@on_open
def open_with_a_table(project: Project, by: Person) -> None:
    """A project has a table from its beginning."""
    first_table_create(project, by=by)

"""Jobs: for who sees the project; ended by who asked for them, or has the role in which they were asked for."""

from projects.jobs.enums import JobStatus
from projects.jobs.models import Job

from ..checkpoints import ALL
from ..language import Table, acts, reads
from ..roles import SEES, SIGNED_IN


def _waiting(world, role, project):
    """The first document's job: the planning manager asked for it, and no worker takes it here."""
    jobs = Job.objects.filter(project=project, status=JobStatus.QUEUED, kind="objective.plan_pdf")
    return jobs.order_by("created_at").values_list("pk", flat=True).first()


CANCEL = acts(("planner", ALL), arguments={"job_id": _waiting})
TABLE: Table = {
    "jobs:detail": {"GET": reads()},
    "jobs:progress": {"GET": reads()},
    "jobs:cancel": {"POST": CANCEL},
    "api:job-list": {"GET": reads(SIGNED_IN, names=SEES, names_other=frozenset({"outsider"}))},
    "api:job-detail": {"GET": reads()},
    "api:job-cancel": {"POST": CANCEL},
}

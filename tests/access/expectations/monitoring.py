"""Stage reviews, changes and re-assessments."""

from django.utils import timezone

from projects.core.evidence import content_of
from projects.workflow import REVIEW_STATES, State

from ..language import Table, acts, reads
from ..stands import at

REVIEWED = at(*REVIEW_STATES)


def _review(world, role):
    state = State(world.project.state)
    content = content_of(world.project, REVIEW_STATES[state]) if state in REVIEW_STATES else None
    return {
        "content": content.hash if content else "",
        "object": "the records", "process": "compared", "result": "complete", "measures": "none needed",
        "time": timezone.localtime().strftime("%Y-%m-%dT%H:%M"), "outcome": "passed",
    }  # fmt: skip


TABLE: Table = {
    "monitoring:page": {"GET": reads()},
    "monitoring:review": {
        "GET": reads(redirects=True),
        "POST": acts(("supervisor", REVIEWED), body=_review),
    },
}

"""The only writer of what was counted of a key, and of the decision whose rows a table holds."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from projects.core.services import project_lock
from projects.datasets.selectors import dataset_format, dataset_open
from projects.jobs.models import Job
from projects.jobs.registry import Tick
from projects.jobs.services import job_start
from techniques.core.messages import gettext_noop

from .. import events, selectors
from ..models import IdentificationRound, PersonCount, PersonKey
from ..rules import may_give
from . import rules
from .counts import Counted, persons_count
from .selectors import candidates_of

COUNT = "identification.count_persons"


def count_start(round_: IdentificationRound, columns: Sequence[str], *, by: Person) -> Job:
    """Have the rows of each person counted by a key that the scan has not counted by, as a job."""
    with governed_act():
        project = project_lock(round_.project)
        may_give(
            by, project, round_, selectors.current_rounds(project).get(round_.dataset.table_id)
        ).require()
        rules.may_be_counted(round_, columns).require()
        return job_start(
            COUNT,
            project=project,
            subject=round_.subject,
            title=gettext_noop("Count the rows of each person"),
            by=by,
            params={"columns": list(columns)},
        )


def count_run(round_: IdentificationRound, columns: Sequence[str], tick: Tick) -> Counted:
    """Count by the key over every row."""
    from techniques.tables import open_table

    dataset = round_.dataset
    with dataset_open(dataset) as stream, open_table(stream, dataset_format(dataset)) as reader:
        return persons_count(reader.batches(), columns, lambda: tick(reader.progress()))


def count_keep(round_: IdentificationRound, counted: Counted) -> None:
    """Keep what was counted, in the place of what was counted by the same key before."""
    same = [one for one in round_.person_counts.all() if one.counted["columns"] == list(counted.columns)]
    PersonCount.objects.filter(pk__in=[one.pk for one in same]).delete()
    PersonCount.objects.create(round=round_, counted=counted.as_json())


def person_key_decide(
    round_: IdentificationRound, columns: Sequence[str], *, reason: str, by: Person
) -> PersonKey:
    """Say whose rows the table of a round holds: of persons by the key ``columns``, or without one each of a person.

    A decision that repeats the current one writes nothing.
    """
    key, reason = tuple(columns), reason.strip()
    with governed_act():
        project = project_lock(round_.project)
        newest = selectors.current_rounds(project).get(round_.dataset.table_id)
        may_give(by, project, round_, newest).require()
        assert newest is not None
        if key:
            rules.may_be_counted(newest, key).require()
        rules.may_stand(newest, key, reason).require()
        former = selectors.person_key_in(newest)
        if former is not None and (tuple(former.columns), former.reason) == (key, reason):
            return former
        candidates = candidates_of(newest)
        counted = next((one.counted for one in candidates if one.columns == key), None)
        sign = rules.against(key, candidates)
        with recording(
            events.ROWS_OF_PERSONS if key else events.ROWS_ARE_PERSONS,
            by=by,
            subject=newest.dataset.subject,
            project_id=project.pk,
            reason=reason,
            columns=", ".join(key),
            rows=newest.report["rows"],
            persons=newest.report["rows"] if counted is None else counted.persons,
            overruled="" if sign is None else ", ".join(sign.columns),
        ):
            if former is not None:
                former.superseded_at = timezone.now()
                former.save()
            return PersonKey.objects.create(
                project=project,
                dataset_id=newest.dataset_id,
                round=newest,
                columns=list(key),
                counted={} if counted is None else counted.as_json(),
                reason=reason,
                decided_by=by,
            )

"""The only writer of advice on techniques."""

from __future__ import annotations

from typing import Any

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from projects.core.services import project_lock
from projects.datasets.models import Table
from projects.datasets.tables.names import label_of
from techniques.advice import Answers, advise

from .. import events, rules
from ..models import AdviceRecord
from .questions import with_roles
from .selectors import current_advice


def advice_record(table: Table, *, answers: dict[str, Any], by: Person) -> AdviceRecord:
    """Keep answers to the questions of 5.4.3 about a table with the ranking that they lead to, as evidence.

    The role of each column is the verdict's, whatever ``answers`` say. The same answers as before change
    nothing. Raises EngineError with the place of a wrong answer.
    """
    with governed_act():
        table.project = project = project_lock(table.project)
        rules.may_edit_recipe(by, project).require()
        found = advise(Answers.from_data(with_roles(table, answers))).as_dict()
        last = current_advice(table)
        if last is not None and last.content_hash == found["sha256"]:
            return last
        with recording(events.ADVICE_RECORDED, by=by, project_id=project.pk) as event:
            record = AdviceRecord.objects.create(
                project=project,
                table=table,
                number=project.advice_records.count() + 1,
                answers=found["answers"],
                advice=found["columns"],
                content_hash=found["sha256"],
                made_by=by,
            )
            event.subject = record.subject
            event.facts.update(columns=len(found["columns"]), table=label_of(table))
            return record

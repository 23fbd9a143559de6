"""The only writer of advice on techniques."""

from __future__ import annotations

from typing import Any

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from projects.core.models import Project
from projects.core.services import project_lock
from techniques.advice import Answers, advise

from .. import events, rules
from ..models import AdviceRecord
from .questions import with_roles


def advice_record(project: Project, *, answers: dict[str, Any], by: Person) -> AdviceRecord:
    """Keep answers to the questions of 5.4.3 with the ranking that they lead to, as evidence.

    The role of each column is the verdict's, whatever ``answers`` say. The same answers as before change
    nothing. Raises EngineError with the place of a wrong answer.
    """
    with governed_act():
        project = project_lock(project)
        rules.may_edit_recipe(by, project).require()
        found = advise(Answers.from_data(with_roles(project, answers))).as_dict()
        last = AdviceRecord.objects.filter(project=project).first()
        if last is not None and last.content_hash == found["sha256"]:
            return last
        with recording(events.ADVICE_RECORDED, by=by, project_id=project.pk) as event:
            record = AdviceRecord.objects.create(
                project=project,
                number=last.number + 1 if last else 1,
                answers=found["answers"],
                advice=found["columns"],
                content_hash=found["sha256"],
                made_by=by,
            )
            event.subject = record.subject
            event.facts["columns"] = len(found["columns"])
            return record

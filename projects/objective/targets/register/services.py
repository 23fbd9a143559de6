"""The only writer of look-ups of the register of releases, and of what a target takes over from one."""

from __future__ import annotations

from django.conf import settings
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from projects.core.models import Project
from projects.core.services import project_lock

from ... import events
from ...enums import Part
from ...models import Objective, PartDraft, RegisterLookup
from ...rules import may_look_up
from ...services import draft_keep, scope_save
from ...wording import (
    FOUND,
    FOUND_HIDDEN,
    FOUND_OUTSIDE,
    LOOKED_UP,
    NOTHING_DISCLOSED,
)
from ..content import Scope
from .content import FoundRelease, Ground, Question
from .selectors import releases_found


def register_look_up(project: Project, *, question: Question, by: Person) -> RegisterLookup:
    """Ask the register; what was asked and found is kept, for those who judge the target."""
    with recording(events.REGISTER_LOOKED_UP, by=by, about=project) as event:
        project = project_lock(project)
        may_look_up(by, project).require()
        found = releases_found(by, project, question)
        event.facts.update(found=len(found), hidden=sum(one.is_hidden for one in found))
        return RegisterLookup.objects.create(
            project=project,
            asked=question.model_dump(mode="json"),
            found=[one.model_dump(mode="json") for one in found],
            looked_up_by=by,
        )


def related_take(project: Project, *, seen: str, by: Person) -> int:
    """Name what the last look-up found in the target: in what is saved of the scope, or in its draft where somebody is writing.

    ``seen`` tells what was saved when the draft is begun. What the target names already stays, and so does what was written of the
    relation, unless it says that nothing was disclosed. Returns how many were found.
    """
    with governed_act():
        project = project_lock(project)
        may_look_up(by, project).require()
        last = RegisterLookup.objects.filter(project=project).first()
        if last is None or not last.releases:
            return 0
        objective = Objective.objects.filter(project=project).first()
        draft = PartDraft.objects.filter(project=project, part=Part.SCOPE).first()
        if objective is not None and objective.scope is not None and draft is None:
            scope = Scope(**objective.scope)
            new = {one.number: one.related for one in last.releases}
            kept = [one for one in scope.related if one.number not in new]
            relation = relation_text(last) if _denies(scope.relation) else scope.relation
            scope = scope.model_copy(update={"related": [*kept, *new.values()], "relation": relation})
            scope_save(project, scope=scope, by=by)
            return len(new)
        entries = dict(draft.entries) if draft is not None else {}
        numbers = [*entries.get("related", []), *(one.number for one in last.releases)]
        entries["related"] = list(dict.fromkeys(numbers))
        entries.pop("relation_chosen", None)
        if not "".join(entries.get("relation", [])).strip():
            entries["relation"] = [relation_text(last)]
        draft_keep(
            project, part=Part.SCOPE, entries=entries, seen=draft.seen if draft is not None else seen, by=by
        )
        return len(last.releases)


def _denies(relation: str) -> bool:
    """Whether it is the sentence that the form offers for no earlier disclosure, in either language."""
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            if relation.strip() == str(NOTHING_DISCLOSED):
                return True
    return False


def relation_text(lookup: RegisterLookup) -> str:
    """A first draft of the relation, in the language of the organisation; the planning manager goes on from it."""
    with translation.override(settings.LANGUAGE_CODE):
        day = timezone.localdate(lookup.looked_up_at).isoformat()
        head = str(LOOKED_UP) % {"day": day}
        return "\n".join([head, *(_line(one) for one in lookup.releases)])


def _line(one: FoundRelease) -> str:
    by = _(", ").join(str(Ground(ground).label) for ground in one.by)
    if one.is_hidden:
        return str(FOUND_HIDDEN) % {"number": one.number, "by": by}
    text = FOUND_OUTSIDE if one.is_outside else FOUND
    return str(text) % {"number": one.number, "title": one.title, "by": by}

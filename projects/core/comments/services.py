"""The only writer of comments."""

from __future__ import annotations

from django.utils.translation import gettext as _

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny

from .. import events, rules
from ..enums import Thread
from ..models import Project, StageComment
from ..services import notify_person, project_lock
from .identifiers import identifiers_in
from .selectors import members_inside, mentioned_in


def comment_write(project: Project, *, thread: Thread, text: str, by: Person) -> StageComment:
    """Say something about a step of the project; who is mentioned gets a notice.

    The log says that, where and by whom, never what: a comment may turn out to say too much.
    """
    thread, text = Thread(thread), text.strip()
    with recording(events.COMMENT_WRITTEN, by=by, about=project, thread=thread.value) as event:
        project = project_lock(project)
        rules.may_comment(by, project).require()
        if not text:
            deny(rules.CoreReason.NOTHING_SAID).require()
        if found := identifiers_in(text):
            deny(rules.CoreReason.PERSONAL_IN_TEXT, kinds=_(", ").join(found)).require()
        called = [one for one in mentioned_in(text, members_inside(project)) if one.pk != by.pk]
        comment = StageComment.objects.create(
            project=project, thread=thread, text=text, mentioned=[one.pk for one in called], written_by=by
        )
        event.facts["mentioned"] = len(called)
        for person in called:
            notify_person(person, events.COMMENT_WRITTEN, by=by, project=project, thread=thread.value)
        return comment

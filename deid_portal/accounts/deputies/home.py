"""What of deputies stands on an administrator's home page: those that wait for their word."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.tasks_registry import Task, due_text, task_provider
from projects.workflow.posts import Post

from .rules import may_decide
from .selectors import deputations_waiting

MOST = 50


@task_provider
def deputies_to_confirm(user: Person) -> list[Task]:
    """Those that ``user`` may confirm, oldest first."""
    if user.post != Post.ADMINISTRATOR:
        return []
    return [
        Task(
            _("Confirm that %(deputy)s acts on behalf of %(person)s as %(post)s")
            % {"deputy": one.deputy, "person": one.account, "post": one.get_post_display()},
            reverse("accounts:deputations"),
            due=one.given_at,
            tone="warn",
            word=_("Your decision"),
            hint=_("given by %(by)s, since %(since)s")
            % {"by": one.given_by, "since": due_text(one.given_at)},
            icon="users",
            rank=24,
        )
        for one in deputations_waiting().order_by("given_at")[:MOST]
        if may_decide(user, one, confirm=True)
    ]

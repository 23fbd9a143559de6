"""What a message says: what there is to do, in which project, by when, and where. Never why, and nothing of the data.

Of a task it takes title, project and deadline, and leaves its hint, in which columns, counts and reasons stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.governance.person import Person
from projects.core.deadlines import Deadline
from projects.core.tasks_registry import Task


@dataclass(frozen=True)
class Line:
    """One thing to do; ``holder``: who has to, where it is not the reader."""

    title: str
    url: str
    project: str
    deadline: Deadline | None
    holder: str = ""

    @property
    def text(self) -> str:
        parts = [self.title, self.project]
        if self.deadline is not None:
            parts.append(f"{self.deadline.due.isoformat()} ({self.deadline.text})")
        parts.append(self.holder)
        return " · ".join(filter(None, parts))


def line_of(task: Task, holder: Person | None = None) -> Line:
    return Line(str(task.title), task.url, task.project, task.deadline, "" if holder is None else str(holder))


@dataclass(frozen=True)
class Part:
    heading: str
    lines: Sequence[Line]


def portal_address(path: str) -> str:
    """The address that somebody outside the portal opens."""
    return str(settings.DEID_PORTAL_URL).rstrip("/") + path


@dataclass(frozen=True)
class Letter:
    """What one person is told at one time."""

    reader: str
    parts: Sequence[Part]

    @property
    def subject(self) -> str:
        lines = [line for part in self.parts for line in part.lines]
        name = _("De-identification portal")
        if len(lines) == 1:
            return f"{name}: {lines[0].title}"
        n = len(lines)
        waiting = ngettext("%(n)s thing to see to", "%(n)s things to see to", n) % {"n": n}
        return f"{name}: {waiting}"

    def mail(self) -> str:
        """The text of a mail."""
        rows = [_("%(name)s,") % {"name": self.reader}, ""]
        for part in self.parts:
            rows += [part.heading, ""]
            for line in part.lines:
                rows += [f"- {line.text}", f"  {portal_address(line.url)}"]
            rows.append("")
        chosen = portal_address(reverse("messaging:choice"))
        rows += [_("You choose in the portal whether and when you are written to: %(url)s") % {"url": chosen}]
        return "\n".join(rows) + "\n"

    def chat(self, most: int) -> str:
        """The text for a robot, no longer than ``most`` bytes: what does not fit is counted, and found in the portal."""
        rows = [_("%(name)s: %(subject)s") % {"name": self.reader, "subject": self.subject}]
        for part in self.parts:
            rows.append(part.heading)
            rows += [f"- {line.text} {portal_address(line.url)}" for line in part.lines]
        home = portal_address(reverse("core:home"))
        whole = "\n".join(rows)
        if len(whole.encode()) <= most:
            return whole
        more = "\n" + _("There is more: %(url)s") % {"url": home}
        return _within(rows, most - len(more.encode())) + more


def _within(rows: Iterable[str], most: int) -> str:
    taken: list[str] = []
    for row in rows:
        if len("\n".join([*taken, row]).encode()) > most:
            break
        taken.append(row)
    return "\n".join(taken)


def test_letter(reader: Person) -> tuple[str, str]:
    """Subject and text of the message by which an administrator sees that a way is open."""
    subject = _("De-identification portal: test message")
    text = _("%(name)s had this message sent to see whether it arrives. There is nothing to do.")
    return subject, text % {"name": reader}

"""A look back is written once."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register

register(Trigger("lesson_is_final", "lessons_lesson", ("UPDATE", "DELETE"), "a look back is written once"))

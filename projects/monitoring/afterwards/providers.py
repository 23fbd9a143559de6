"""What ends a re-assessment by itself: the statement of the recipient who had the last copy."""

from __future__ import annotations

from projects.releases.deliveries.copies.services import on_copy_destroyed
from projects.releases.models import CopyStatement

from .rules import can_end
from .selectors import later_waiting
from .services import later_end


@on_copy_destroyed
def react(statement: CopyStatement) -> None:
    """In the act of the recipient, so that nothing waits for a conclusion about copies that are not there."""
    waiting = later_waiting(statement.release)
    if waiting is not None and can_end(waiting):
        later_end(waiting)

"""What a migration means for the posts of a portal that knew no appointments: taken over where the log proves who held them."""

from __future__ import annotations

import logging

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from approvals.audit.verify import verify

from ..models import Appointment, User
from .services import posts_take_over

log = logging.getLogger(__name__)


def posts_take_over_if_proved() -> int:
    """How many posts were taken over; to be called after every migration, and after the log was taken in.

    Nothing while a migration is still to come (the next one is asked again). Nothing either where the log does not hold: a
    role that somebody wrote past it would become a post, and over a broken log nothing is written. The server's log says so,
    the migration goes on, and whoever verifies finds what is wrong; once that is mended, ``migrate`` takes over.
    """
    tables = connection.introspection.table_names()
    if not {Appointment._meta.db_table, User._meta.db_table} <= set(tables):
        return 0
    if Appointment.objects.exists() or not User.objects.exists() or not _is_newest():
        return 0
    if faults := verify().faults:
        log.critical(
            "the audit log does not hold, so nobody was taken over into the posts that they held, and nobody acts in one: %s "
            "Put the database back from a backup and run migrate again.",
            faults[0],
        )
        return 0
    return posts_take_over()


def _is_newest() -> bool:
    """Whether every table is the one that this code speaks of."""
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())

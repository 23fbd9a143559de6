"""The team for personal information: everybody inside reads it, administrators propose its head, and the head gives the other duties.

The planning manager of the other project, who is of senior management too, is its head; senior management of the project is proposed.
"""

from ..language import Table, for_all
from ..roles import ADMINISTRATOR, SIGNED_IN, STAFF, Roles

HEAD: Roles = frozenset({"outsider"})
PROPOSED: Roles = frozenset({"management"})


def reads(**more):
    return for_all(STAFF, refuses=SIGNED_IN, **more)


def by(roles, **more):
    return for_all(roles, refuses=SIGNED_IN, **more)


# Somebody is proposed already: an administrator reads why there is no second one.
PROPOSES = {
    "never": "one is proposed already; tests/deid_portal/organisation/team/test_team.py proposes the first"
}
ENDED = {"reason": "another task"}


def _seat(world):
    return {"account": str(world.people.executor.pk), "duty": "technique"}


def _ended(world):
    return {f"{world.seat.pk}-reason": "another task"}


TABLE: Table = {
    "organisation:team": {"GET": reads()},
    "organisation:team_head_propose": {
        "POST": by(frozenset(), body=lambda world: {"account": str(world.people.management.pk)}, **PROPOSES)
    },
    "organisation:team_seat_give": {"POST": by(HEAD, body=_seat)},
    "organisation:team_head_take": {"POST": by(PROPOSED)},
    "organisation:team_seat_end": {"POST": by(PROPOSED | ADMINISTRATOR, body=_ended)},
    "api:team": {"GET": reads()},
    "api:team-ended": {"GET": reads()},
    "api:team-head-propose": {
        "POST": by(frozenset(), body=lambda world: {"person": "management"}, **PROPOSES)
    },
    "api:team-seat-give": {"POST": by(HEAD, body=lambda world: {"person": "executor", "duty": "technique"})},
    "api:team-head-take": {"POST": by(PROPOSED)},
    "api:team-seat-end": {"POST": by(PROPOSED | ADMINISTRATOR, body=lambda world: ENDED)},
}

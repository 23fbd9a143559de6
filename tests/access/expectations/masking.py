"""Live masking: everybody inside reads the policies, few propose them; every signed-in person may ask."""

from projects.workflow.posts import Post
from techniques.core.kinds import Identifier

from ..language import Table, for_all
from ..roles import ADMINISTRATOR, PLANNERS, SIGNED_IN, STAFF

EDITORS = PLANNERS | ADMINISTRATOR
GRID = {f"{post.value}-{kind.value}": "hidden" for post in Post for kind in Identifier}
PROPOSAL = GRID | {"title": "Desk", "name": "desk-two", "scene": "operations", "reason": "a second desk"}
NAME = {"name": "desk"}


def inside(**more):
    return for_all(STAFF, refuses=SIGNED_IN, **more)


def edits(**more):
    return for_all(EDITORS, refuses=SIGNED_IN, **more)


def _waiting(world, role, project):
    return world.waiting_policy.pk


TABLE: Table = {
    "masking:page": {"GET": inside()},
    "masking:policy": {"GET": inside(arguments=NAME)},
    "masking:propose": {"GET": edits(), "POST": edits(body=lambda world: PROPOSAL)},
    "masking:next": {
        "GET": edits(arguments=NAME),
        "POST": edits(arguments=NAME, body=lambda world: PROPOSAL),
    },
    # The one that waits was proposed by the planning manager: the other one and the administrator decide.
    "masking:decide": {
        "POST": for_all(
            EDITORS - {"planner"},
            refuses=SIGNED_IN,
            arguments={"policy_id": _waiting},
            body=lambda world: {"decision": "accept", "reason": "as agreed"},
        )
    },
    "api:masking": {
        "POST": for_all(
            SIGNED_IN,
            arguments={"policy": "desk"},
            body=lambda world: {"values": [{"kind": "number", "value": "12"}]},
        )
    },
}

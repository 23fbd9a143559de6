"""Messages: everybody's own choice, and what administrators set up and see."""

from ..language import Table, for_all
from ..roles import ADMINISTRATOR, SIGNED_IN

ROBOT = {"name": "Another chat", "kind": "feishu", "url": "https://robot.invalid/hook", "secret": "s"}


def own(**more):
    return for_all(SIGNED_IN, **more)


def administers(**more):
    return for_all(ADMINISTRATOR, refuses=SIGNED_IN, **more)


TABLE: Table = {
    "messaging:choice": {"GET": own(), "POST": own(body=lambda world: {"pace": "daily", "channel": "mail"})},
    "messaging:page": {"GET": administers()},
    "messaging:robot_add": {"POST": administers(body=lambda world: ROBOT)},
    "messaging:robot_remove": {"POST": administers()},
    "messaging:test": {"POST": administers(body=lambda world: {"channel": str(world.robot.pk)})},
    "messaging:again": {"POST": administers()},
    "api:messages-choice": {
        "GET": own(),
        "PUT": own(body=lambda world: {"pace": "never", "robot": None}),
    },
    "api:messages-list": {"GET": administers()},
    "api:messages-robots": {"GET": administers(), "POST": administers(body=lambda world: ROBOT)},
    "api:messages-robot": {"DELETE": administers()},
    "api:messages-test": {"POST": administers(body=lambda world: {"robot": str(world.robot.pk)})},
    "api:messages-again": {"POST": administers()},
}

"""Disposal: of an ended project the planning manager proposes it, the supervisor carries it out or keeps the data."""

from projects.disposal.selectors import content_now, kinds_in

from ..checkpoints import at
from ..language import Table, acts, reads

WALKED = at("monitoring", "rejected", "withdrawn", "closed")
# Of a project that was rejected before it had data there is nothing to destroy; in the end one proposal waits.
POSSIBLE = at("withdrawn")
WAITS = at("closed")


def _body(world):
    return {"reason": "no longer needed"}


def _form(world):
    return _body(world) | {"kinds": [kind.value for kind in kinds_in(content_now(world.project))]}


PROPOSE = acts(("planner", POSSIBLE), body=_body, walked=WALKED)
PROPOSE_BY_FORM = acts(("planner", POSSIBLE), body=_form, walked=WALKED)
CARRY_OUT = acts(("supervisor", WAITS), body=_body, exists=WAITS, walked=WAITS)
KEEP = acts((frozenset({"supervisor", "planner"}), WAITS), body=_body, exists=WAITS, walked=WAITS)
RESUME = acts(
    ("supervisor", frozenset()),
    exists=WAITS,
    walked=WAITS,
    never="no removal was interrupted in the walk; tests/projects/disposal/test_disposal.py interrupts one",
)
TABLE: Table = {
    "disposal:page": {"GET": reads(walked=WALKED)},
    "disposal:propose": {"POST": PROPOSE_BY_FORM},
    "disposal:carry_out": {"POST": CARRY_OUT},
    "disposal:keep": {"POST": KEEP},
    "disposal:resume": {"POST": RESUME},
    "api:disposal": {"GET": reads(walked=WALKED), "POST": PROPOSE},
    "api:disposal-now": {"GET": reads(walked=WALKED)},
    "api:disposal-carry-out": {"POST": CARRY_OUT},
    "api:disposal-keep": {"POST": KEEP},
    "api:disposal-resume": {"POST": RESUME},
}

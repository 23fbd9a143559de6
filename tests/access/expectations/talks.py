"""The record of talks: planning managers keep it, senior management and auditors read it, and who is to do something that one talk."""

from django.utils import timezone

from ..language import Table, for_all
from ..roles import AUDITORS, PLANNERS, SIGNED_IN

READERS = PLANNERS | AUDITORS | {"management"}
# Who has the follow-up of the talk.
OWNER = frozenset({"executor"})


def reads(**more):
    return for_all(READERS, refuses=SIGNED_IN, **more)


def reads_one(**more):
    return for_all(READERS | OWNER, refuses=SIGNED_IN, **more)


def records(**more):
    return for_all(PLANNERS, refuses=SIGNED_IN, **more)


def closes(**more):
    return for_all(PLANNERS | OWNER, refuses=SIGNED_IN, **more)


TALK = {"kind": "partner", "counterpart": "A partner", "topic": "A study", "outcome": "They join."}
CORRECTION = {"text": "It was a letter.", "reason": "mistaken"}
CLOSED = {"result": "It is written."}


def _talk(world):
    return TALK | {"held_on": timezone.localdate().isoformat(), "people": [str(world.people.planner.pk)]}


def _talk_api(world):
    return _talk(world) | {"people": ["planner"]}


def _follow_up(world):
    day = timezone.localdate().isoformat()
    return {"what": "Answer them.", "owner": str(world.people.executor.pk), "due_on": day}


def _follow_up_api(world):
    return _follow_up(world) | {"owner": "executor"}


def _closed(world):
    return {f"{world.talk.follow_ups.get().pk}-result": "It is written."}


TABLE: Table = {
    "organisation:talks": {"GET": reads()},
    "organisation:talk_add": {"GET": records(), "POST": records(body=_talk)},
    "organisation:talk": {"GET": reads_one()},
    "organisation:talk_correct": {"POST": records(body=lambda world: CORRECTION)},
    "organisation:talk_follow_up": {"POST": records(body=_follow_up)},
    "organisation:talk_follow_up_close": {"POST": closes(body=_closed)},
    "api:talks": {"GET": reads(), "POST": records(body=_talk_api)},
    "api:talk": {"GET": reads_one()},
    "api:talk-corrections": {"POST": records(body=lambda world: CORRECTION)},
    "api:talk-follow-ups": {"POST": records(body=_follow_up_api)},
    "api:talk-follow-up-close": {"POST": closes(body=lambda world: CLOSED)},
}

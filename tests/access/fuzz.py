"""Every operation of the served schema and every address, by every role, with input that nobody means: no answer is an error.

Nightly, by ``make fuzz``; the walk takes a small slice of it along. ``FUZZ_EXAMPLES`` (of each kind, for each operation and
role), ``FUZZ_ROUNDS`` (over all addresses, for each role), ``FUZZ_SEED`` and ``FUZZ_AT`` (a checkpoint) change it.
"""

from __future__ import annotations

import os

import pytest

from .fuzzing import Fuzzing, served_operations, traces
from .roles import EVERYBODY
from .walk import Walk

pytestmark = pytest.mark.django_db


def asked(name: str, default: int) -> int:
    return int(os.environ.get(name, default))


@pytest.fixture(scope="module")
def walk_there(lifecycle):
    where = os.environ.get("FUZZ_AT", "monitoring")
    return Walk(lifecycle.at(where), where, lifecycle.personal)


@pytest.fixture(scope="module")
def operations(walk_there):
    return served_operations(walk_there.world.keys["planner"])


@pytest.mark.parametrize("role", EVERYBODY)
def test_no_input_is_an_error(role, walk_there, operations, say, log_ears):
    with log_ears.listening(), Fuzzing(walk_there, asked("FUZZ_SEED", 0)) as fuzzing:
        for _round in range(asked("FUZZ_ROUNDS", 20)):
            fuzzing.bent(role, 1.0)
        fuzzing.drawn(operations, role, asked("FUZZ_EXAMPLES", 10))
    say(f"{role:14} {sum(fuzzing.sent.values()):6} requests {dict(sorted(fuzzing.sent.items()))}")
    assert not fuzzing.faults, "\n\n".join(traces(fuzzing.faults))

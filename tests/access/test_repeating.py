"""An answer that is used again is one to what is expected now."""

from __future__ import annotations

import uuid
from types import SimpleNamespace
from typing import Any

import pytest
from django.http import HttpResponse

from .addresses import addresses
from .checkpoints import ALL
from .expectations import TABLES
from .language import Rule
from .visits import Knock
from .walk import Walk

pytestmark = pytest.mark.django_db
EMPTY = '{"count":0,"next":null,"previous":null,"results":[]}'
BY_STATE = "api:receive-statistics"


class Rehearsal(Walk):
    """A walk whose portal says the same to everybody; ``sent`` is what was expected of each request that went out."""

    def __init__(self) -> None:
        self.world: Any = SimpleNamespace(answers={})
        self.checkpoint = "monitoring"
        self.personal: Any = SimpleNamespace(found_in=lambda body: [])
        self.know = frozenset({"recipient", "outsider"})
        self.mine = self.others = {"title": "QQQQ", "ids": set()}
        self.errors: list[str] = []
        self._who = {"recipient": "", "outsider": ""}
        self._sent: dict[Any, Any] = {}
        self.sent: list[str] = []

    def _send(self, knock: Knock, url: str) -> Any:
        self.sent.append(knock.expected)
        return HttpResponse(EMPTY, content_type="application/json")


@pytest.fixture
def walk() -> Rehearsal:
    return Rehearsal()


@pytest.fixture
def rule() -> Rule:
    found = TABLES["statistics"][BY_STATE]["GET"]
    return found[0] if isinstance(found, list) else found


@pytest.fixture
def knock(rule):
    address = addresses()[BY_STATE]
    arguments = {name: uuid.uuid4() for name in address.arguments}
    return lambda expected, by=rule: Knock(address, "GET", by, "recipient", arguments, expected)


def test_the_same_again_is_not_sent(walk, knock):
    for _time in range(2):
        visit = walk._visit(knock("permitted"))
        assert (visit.status, visit.faults) == (200, [])
    assert walk.sent == ["permitted"]


@pytest.mark.parametrize("expected", ["refused", "hidden"])
def test_another_expectation_is_sent_and_judged(walk, knock, expected):
    walk._visit(knock("permitted"))
    visit = walk._visit(knock(expected))
    assert walk.sent == ["permitted", expected]
    assert visit.expected == expected
    assert [kind for kind, _text in visit.faults] == ["status"]


def test_an_answer_with_a_fault_is_not_used_again(walk, knock):
    for _time in range(2):
        assert walk._visit(knock("hidden")).faults
    assert walk.sent == ["hidden", "hidden"]


def test_another_rule_is_sent_anew(walk, knock):
    walk._visit(knock("permitted"))
    walk._visit(knock("permitted", Rule(((frozenset({"recipient"}), frozenset({"monitoring"})),))))
    assert len(walk.sent) == 2


def test_another_state_is_sent_anew_where_the_expectation_depends_on_it(walk, knock):
    walked = Rule(((frozenset({"recipient"}), frozenset({"monitoring", "suspended+released"})),))
    for checkpoint in ("monitoring", "suspended+released", "monitoring"):
        walk.checkpoint = checkpoint
        walk._visit(knock("permitted", walked))
    assert len(walk.sent) == 2


def test_another_state_is_not_where_it_does_not(walk, knock):
    always = Rule(((frozenset({"recipient"}), ALL),))
    for checkpoint in ("monitoring", "closed"):
        walk.checkpoint = checkpoint
        walk._visit(knock("permitted", always))
    assert len(walk.sent) == 1


def test_what_is_used_again_is_judged_again(walk, knock):
    """Even if it were found for something else."""
    walk._visit(knock("permitted"))
    (known,) = walk.world.answers.values()
    visit = known.at("closed", knock("hidden"))
    assert (visit.checkpoint, visit.expected) == ("closed", "hidden")
    assert [kind for kind, _text in visit.faults] == ["status"]

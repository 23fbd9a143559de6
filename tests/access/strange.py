"""Requests that no page of the portal makes.

Objects of the other project below this one's address, methods that no view answers, programs with a good
or a bad token, and requests that another site has a signed-in person's browser send.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .addresses import METHODS, Address
from .expectations import EXPECTED
from .language import Rule
from .objects import OBJECTS, OF_A_PROJECT
from .roles import EVERYBODY, SHUT_OUT, SIGNED_IN, TESTER
from .visits import Knock

if TYPE_CHECKING:
    from .walk import Walk

UNUSUAL = (*METHODS, "HEAD", "OPTIONS", "TRACE")
SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
WHERE_EVERYTHING_IS = "monitoring"
WRONG_KEY = "deid_" + "x" * 43


def strange_knocks(walk: Walk) -> Iterator[Knock]:
    """Forged requests wherever somebody may do something; the rest where there is everything."""
    yield from _forged(walk)
    if walk.checkpoint == WHERE_EVERYTHING_IS:
        yield from _of_another_project(walk)
        yield from _methods(walk)
        yield from _tokens(walk)


def _who_may(walk: Walk, rules: list[Rule]) -> Iterator[tuple[Rule, str]]:
    """Each rule that permits something here with somebody who may."""
    for rule in rules:
        roles = ("planner",) if rule.public else EVERYBODY
        for role in roles:
            if walk.checkpoint in rule.walked & rule.exists and (
                rule.public or rule.permitted(role, walk.checkpoint)
            ):
                yield rule, role
                break


def _forged(walk: Walk) -> Iterator[Knock]:
    """What somebody may do, they do not do because another site sends their browser here."""
    for address, method, rules in walk.table():
        # Without a session nothing is done in anybody's name.
        if method in SAFE or (address.is_api and rules[0].public):
            continue
        for rule, role in list(_who_may(walk, rules))[:1]:
            arguments, exists = walk.arguments(address, rule, role)
            if exists:
                yield Knock(address, method, rule, role, arguments, "forged", " forged", "forged")


def _of_another_project(walk: Walk) -> Iterator[Knock]:
    for address, method, rules in walk.table():
        theirs = [name for name in address.arguments if name in OF_A_PROJECT]
        if address.arguments == ("invitation_id",):
            # A tester who comes with the invitation of another one.
            arguments = {"invitation_id": OBJECTS["invitation_id"](walk.world, "tester", walk.world.other)}
            yield Knock(address, method, rules[0], "tester", arguments, "hidden", " of another tester")
        if theirs and "project_id" in address.arguments:
            for role in ("planner", "executor", "supervisor", "management", "auditor"):
                arguments, _exists = walk.arguments(address, rules[0], role)
                for name in theirs:
                    arguments[name] = OBJECTS[name](walk.world, role, walk.world.other)
                if None in arguments.values():
                    # The other project never ends; what exists of ended ones alone is asked for where this one is over.
                    assert WHERE_EVERYTHING_IS not in rules[0].walked, address.name
                    continue
                expected = "hidden" if rules[0].permitted(role, walk.checkpoint) else "absent"
                yield Knock(address, method, rules[0], role, arguments, expected, " of another project")


def _methods(walk: Walk) -> Iterator[Knock]:
    """Every method that an address does not list, by somebody who is let in there; one of them, in turn, by another one, in turn."""
    others = sorted(SIGNED_IN | TESTER)
    every = {address.name: address for address, _method, _rules in walk.table()}.values()
    for rotation, address in enumerate(every):
        listed: Any = EXPECTED[address.name]
        rules = [rule for each in listed.values() for rule in (each if isinstance(each, list) else [each])]
        rule, inside = next(_who_may(walk, rules), (rules[0], "planner"))
        unlisted = [method for method in UNUSUAL if method not in listed]
        for place, method in enumerate(unlisted):
            is_due = place == rotation % len(unlisted)
            # A stranger is turned away whichever method it is.
            for role in (inside, others[rotation % len(others)])[: 1 + is_due]:
                arguments, _exists = walk.arguments(address, rule, role)
                expected, as_requested = _without(address, method, role == inside), Rule()
                if method == "HEAD" and "GET" in listed:
                    get = listed["GET"][0] if isinstance(listed["GET"], list) else listed["GET"]
                    arguments, exists = walk.arguments(address, get, role)
                    here = walk.expected(address, get, role, exists and walk.checkpoint in get.exists)
                    expected = "as GET" if here == "permitted" else "turned away"
                    as_requested = Rule(answers=get.answers)
                yield Knock(address, method, as_requested, role, arguments, expected)


def _without(address: Address, method: str, inside: bool) -> str:
    if method == "OPTIONS" and (address.is_api or address.is_class):
        return "described"
    return "no such method" if inside else "turned away"


def _tokens(walk: Walk) -> Iterator[Knock]:
    """A token does what its person does, in the API alone; a bad one nothing."""
    keys = walk.world.keys
    people = sorted(SIGNED_IN | TESTER)
    bad = [(role, keys.get(role, WRONG_KEY)) for role in sorted(SHUT_OUT)]
    for rotation, (address, method, rules) in enumerate(walk.table()):
        rule = rules[0]
        if rule.public or walk.checkpoint not in rule.walked:
            continue
        role, key = bad[rotation % len(bad)]
        arguments, exists = walk.arguments(address, rule, role)
        refused = "unauthorised" if address.is_api else "sign in"
        yield Knock(address, method, rule, role, arguments, refused, " with a bad token", "token", key)
        if not address.is_api:
            role = people[rotation % len(people)]
            yield Knock(address, method, rule, role, arguments, "sign in", " by token", "token", keys[role])
            continue
        for role in {next(_who_may(walk, [rule]), (rule, "planner"))[1], people[rotation % len(people)]}:
            arguments, exists = walk.arguments(address, rule, role)
            expected = walk.expected(address, rule, role, exists and walk.checkpoint in rule.exists)
            expected = "refused" if rule.session and expected == "permitted" else expected
            yield Knock(address, method, rule, role, arguments, expected, " by token", "token", keys[role])

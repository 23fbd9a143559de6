"""How an expectation is written: who may, where, and what everybody else is told.

For one address and one method an expectation says three things: who is permitted at which checkpoints;
who sees the address but is refused with a reason (403); for everybody else it does not exist (404).
Who is not signed in is led to the sign-in (pages) or told 401 (API), without a line here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .checkpoints import ALL, ENDS, Checkpoints
from .roles import SEES, Roles

Body = Callable[[Any], Any]
# What an address answers to whom it permits; bad input is an answer too, an error is not.
READ = frozenset({200})
WRITTEN = frozenset({200, 201, 202, 204, 302, 400, 409, 413, 415, 422})


@dataclass(frozen=True)
class Rule:
    """The expectation for one address and method, or for one value of its arguments."""

    permits: tuple[tuple[Roles, Checkpoints], ...] = ()
    refuses: Roles = frozenset()
    # Where the address exists at all; elsewhere it is "not found" for everybody.
    exists: Checkpoints = ALL
    walked: Checkpoints = ALL
    public: bool = False
    answers: frozenset[int] = READ
    # ``world -> data``: what is sent, whoever sends it. ``media``: form, json or multipart.
    body: Body | None = None
    media: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    # What stands behind the path: what is asked for or done is another thing with it.
    query: str = ""
    # What this address shows may hold personal values: shown to whom, and why, is in the comment of its line.
    shows_raw: Roles = frozenset()
    # To whom, once there is everything, it must name the project, or the other project.
    names: Roles = frozenset()
    names_other: Roles = frozenset()
    # Who is led on to the one page that is theirs.
    leads: Roles = frozenset()
    # A session is needed: who may do it is refused, with a reason, when a token is all they come with.
    session: bool = False
    # Why no request of the walk is ever answered with success, where that is so.
    never: str = ""

    def permitted(self, role: str, checkpoint: str) -> bool:
        return any(role in roles and checkpoint in checkpoints for roles, checkpoints in self.permits)


def _roles(roles: str | Roles) -> Roles:
    return frozenset({roles}) if isinstance(roles, str) else roles


def reads(
    *roles: str | Roles,
    at: Checkpoints = ALL,
    refuses: Roles = frozenset(),
    redirects: bool = False,
    **more: Any,
) -> Rule:
    """A page or an endpoint that is read. Everybody else gets "not found", or a reason if in ``refuses``."""
    who = frozenset().union(*map(_roles, roles)) if roles else SEES
    answers = frozenset({200, 302}) if redirects else READ
    return Rule(((who, at),), refuses - who if at == ALL else refuses, answers=answers, **more)


def acts(
    *permits: tuple[str | Roles, Checkpoints],
    refuses: Roles = SEES,
    answers: frozenset[int] = WRITTEN,
    **more: Any,
) -> Rule:
    """Something that is done. Who sees the project and may not is told why."""
    return Rule(
        tuple((_roles(roles), checkpoints) for roles, checkpoints in permits),
        refuses,
        answers=answers,
        **more,
    )


def for_all(roles: Roles, refuses: Roles = frozenset(), **more: Any) -> Rule:
    """Outside projects: walked at the two ends of the lifecycle only."""
    answers = more.pop("answers", WRITTEN)
    return Rule(((roles, ALL),), refuses, answers=answers, **({"walked": ENDS} | more))


def public(**more: Any) -> Rule:
    """For people who are not signed in as well."""
    return Rule(public=True, walked=ENDS, answers=more.pop("answers", WRITTEN), **more)


def each(
    rule: Rule, name: str, values: Mapping[Any, tuple[tuple[Roles | str, Checkpoints], ...]]
) -> list[Rule]:
    """One rule for each value of the argument ``name``, with the permits of its own."""
    return [
        replace(
            rule,
            arguments={**rule.arguments, name: value},
            permits=tuple((_roles(roles), checkpoints) for roles, checkpoints in permits),
        )
        for value, permits in values.items()
    ]


Table = dict[str, dict[str, "Rule | list[Rule]"]]

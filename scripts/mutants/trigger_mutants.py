"""Which alterations of the database triggers there are, and how one is put in place.

The SQL of a trigger is made by Python at the import, from texts that several share: each alteration is one of what has
been made, of one trigger. Run by itself, this prints them as JSON; it needs the portal, which the environment of Cosmic
Ray has not.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from approvals.governance.triggers import Trigger

ROOT = Path(__file__).resolve().parents[2]
_NAME = r'(?:[\w.]|"\w+")+'
_TEXTS = r"'[^']*'"
_OPERAND = rf"(?:{_TEXTS}|{_NAME})"
CONDITION = re.compile(
    rf"{_NAME} (?:=|<>|<|>) {_OPERAND}|{_NAME} IS (?:NOT )?NULL|{_NAME} (?:NOT )?IN \((?:{_TEXTS}(?:, )?)+\)"
)
"""One comparison: left out of what is joined by AND it would be true, of what is joined by OR false."""
TURNED = (
    (r" AND ", " OR "),
    (r" OR ", " AND "),
    (r" = ", " <> "),
    (r" <> ", " = "),
    (r" < ", " <= "),
    (r" > ", " >= "),
    (r"IS NULL", "IS NOT NULL"),
    (r"IS NOT NULL", "IS NULL"),
    (r"NOT (?=EXISTS|\()", ""),
    (r"(?<!NOT )EXISTS", "NOT EXISTS"),
)


def registered() -> list[Trigger]:
    from approvals.audit.apps import APPEND_ONLY
    from approvals.governance.triggers import registered as of_packages

    return [APPEND_ONLY, *of_packages()]


def conditions(text: str) -> Iterator[tuple[str, str]]:
    """What is done to a condition, in its surroundings, and what becomes of it."""
    changes = [(found, other) for pattern, other in TURNED for found in re.finditer(pattern, text)]
    changes += [(found, value) for found in CONDITION.finditer(text) for value in ("TRUE", "FALSE")]
    for found, other in changes:
        before, after = text[: found.start()], text[found.end() :]
        yield f"{before[-24:]}[{found[0]}→{other}]{after[:24]}", before + other + after


def altered(trigger: Trigger) -> Iterator[tuple[str, Trigger]]:
    """A change of its condition, or one act that it does not refuse."""
    for said, condition in conditions(trigger.condition):
        yield said, replace(trigger, condition=condition)
    for event in trigger.events:
        rest = tuple(one for one in trigger.events if one != event)
        yield f"not at {event}", replace(trigger, events=rest)


def put_in_place(number: int, change: int) -> None:
    """Alteration ``change`` of trigger ``number`` in the database that is connected."""
    from approvals.governance.triggers import ensure, lift

    trigger = registered()[number]
    lift(trigger)
    ensure(list(altered(trigger))[change][1])


def all_of_them() -> Iterator[tuple[str, int, str, str, str]]:
    """As ``mutants.Mutant``: the module with its line, the kind, what is done, which one it is."""
    modules = [
        path
        for top in ("approvals", "deid_portal", "projects")
        for path in sorted((ROOT / top).rglob("*.py"))
    ]
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in modules}
    places = {
        name: (path, line)
        for path, text in texts.items()
        if "governance.triggers import" in text
        for line, code in enumerate(text.splitlines(), 1)
        for name in re.findall(r'"(\w+)"', code)
    }
    for number, trigger in enumerate(registered()):
        for change, (said, _new) in enumerate(altered(trigger)):
            code = f"{trigger.name} {'/'.join(trigger.events)}: {said}"
            # Of a name that is put together the place is that of its table.
            place = places.get(trigger.name) or places[trigger.table]
            yield *place, "TRIGGER", code, json.dumps([number, change])


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    os.environ["DJANGO_SETTINGS_MODULE"] = "deid_portal.settings_test"
    import django

    django.setup()
    print(json.dumps(list(all_of_them())))

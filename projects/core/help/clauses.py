"""What each clause asks, in our own words: the text behind the clause chips of a stage page.

Keys are the clauses of GB/T 37964-2019; where a clause asks for several things a word after a colon says which.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from approvals.passages import passage

BETWEEN_TITLES = " · "


@dataclass(frozen=True)
class Clause:
    """One requirement: ``clause`` is its number in the standard, ``text`` a short paraphrase."""

    key: str
    clause: str
    title: Any
    text: Any


_ROWS: tuple[tuple[str, Any, Any], ...] = (
    ("3.13", _("Controlled sharing needs an agreement"),
     _("Anyone who receives data under controlled sharing signs that they will not re-identify "
       "anyone, link the data with other data, or pass it on.")),
    ("4.5", _("Sharing type first"),
     _("How widely the data will be shared determines how strict everything that follows has to be, so it is decided first.")),
    ("5.1", _("Four steps, watched throughout"),
     _("Target, identification, processing, then verification with approval; monitoring and review "
       "accompany all of them.")),
    ("5.2.2 a", _("Law and standards"),
     _("Note which laws, regulations and standards apply to sharing this data.")),
    ("5.2.2 b", _("Policy of the organisation"),
     _("Check the organisation's own rules: does it class this data as important or sensitive, and what follows from "
       "that?")),
    ("5.2.2 c", _("Where the data came from"),
     _("Recall what people were promised when the data was collected; the sharing has to keep it.")),
    ("5.2.2 d", _("Business background"),
     _("Know the system and the process behind the data, and what a disclosure would reveal about them.")),
    ("5.2.2 e", _("Purpose of use"),
     _("State what the shared data is for and what risks that use brings.")),
    ("5.2.2 f", _("Earlier disclosures"),
     _("Look at what was shared before from the same source: releases that are safe on their own may not be safe together.")),
    ("5.2.3", _("Two goals"),
     _("Set the highest risk that is still acceptable and the minimum usefulness that the data must keep.")),
    ("5.2.4: plan", _("Work plan"),
     _("Write the plan before touching the data: purpose, goals, data, sharing type, team, method, "
       "people concerned, what to do in an emergency, and dates.")),
    ("5.2.4: approval", _("Plan approved"),
     _("Senior management approves the plan; work on the data starts only after that.")),
    ("5.3.1", _("Three ways to find identifiers"),
     _("Look them up in a table, find them by rules and have a person judge; use all three together.")),
    ("5.3.2", _("Look-up"),
     _("Compare the columns with a table of known identifiers: name, meaning, format, type, common field names.")),
    ("5.3.3", _("Rules"),
     _("Let a program search the content for the patterns of known identifiers, check digits included.")),
    ("5.3.3 a", _("Content, not only names"),
     _("Search every column, whatever its name: a remark may contain identity numbers.")),
    ("5.3.3 b", _("Every row"),
     _("Read past empty or untypical first rows; what is hidden further down matters just as much.")),
    ("5.3.4", _("A person judges"),
     _("Someone who knows the data decides on each column, considering how it is processed, its "
       "structure, its dependencies and outside knowledge.")),
    ("5.4.2 a", _("Put into a standard form"),
     _("Make formats uniform before processing: dates, full-width characters, letter case, units, spaces.")),
    ("5.4.3", _("Choose techniques and give reasons"),
     _("Weigh up what the data must keep – order, format, uniqueness, statistics, reversibility, cost"
       " – and choose techniques and models accordingly.")),
    ("5.4.4 a", _("Order of the steps"),
     _("When several identifiers are processed, decide in which order.")),
    ("5.4.4 c", _("Set the tool"),
     _("Give the tool its source and the parameters of each technique, and keep secrets separate.")),
    ("5.4.4 d", _("Carry it out"),
     _("Run the steps in order to produce the resulting data set.")),
    ("5.5.1", _("Compare with the goals"),
     _("Measure the risk and usefulness of the result against what was set at the start; adjust and "
       "repeat until both meet it.")),
    ("5.5.2 a", _("Nothing identifying is left"),
     _("Check the written file, including its metadata, for identifiers that should have been removed.")),
    ("5.5.2 b", _("Risk of the result"),
     _("Check the written file to confirm that the risk stays below the threshold.")),
    ("5.5.3", _("Usefulness of the result"),
     _("Run the same statistics on source and result and compare them.")),
    ("5.5.4: basis", _("What management bases its decision on"),
     _("The decision takes into account how the data will be shared, its risk, the minimum "
       "usefulness, the measurements and the records of every stage review.")),
    ("5.5.4: approval", _("Senior management approves"),
     _("Only senior management releases the result, never the people who did the work.")),
    ("5.6.1: goal", _("Each step reaches its goal"),
     _("A stage is only left once it has done what it set out to do.")),
    ("5.6.1: documents", _("Each step is documented"),
     _("The plan, and the course and outcome of identification, processing and verification, are documented.")),
    ("5.6.1: review", _("Stage reviews"),
     _("Each stage's records are checked for completeness and accuracy; deviations are corrected.")),
    ("5.6.1: record", _("Record of a review"),
     _("A review states what was examined, when, how and with what result, and what was done about it.")),
    ("5.6.2: release", _("Keep watching after release"),
     _("Measure the risk again when something changes, and at regular intervals even when nothing does.")),
    ("5.6.2 a", _("Other users"),
     _("A change in who uses the data calls for a new assessment.")),
    ("5.6.2 b", _("Other system"),
     _("A change in the system that holds the data calls for a new assessment.")),
    ("5.6.2 c", _("Other environment"),
     _("A change in the security around that system calls for a new assessment.")),
    ("5.6.2 d", _("New data released"),
     _("Another release of de-identified data that could be linked with this one calls for a new assessment.")),
    ("5.6.2: regularly", _("Also without a change"),
     _("As long as anyone can reach the data, the risk is measured again at regular intervals.")),
    ("6.1 a", _("Planning manager"),
     _("Sets policy and rules, makes them known, and keeps contact with authorities and partners.")),
    ("6.1 b", _("Executor"),
     _("Identifies the need, finds the risks, carries out the plan, records it and requests approval.")),
    ("6.1 c", _("Supervisor"),
     _("Watches over the work and audits it, without doing any of it.")),
    ("6.1", _("Separate duties"),
     _("Those who do the work neither approve nor supervise it.")),
)  # fmt: skip

CLAUSE_TEXTS: dict[str, Clause] = {
    key: Clause(key, key.partition(":")[0], title, text) for key, title, text in _ROWS
}


def clauses(keys: Iterable[str]) -> list[Clause]:
    """The clauses with these keys, in the order given, each number once: what it asks under several keys is read together;
    raises ``KeyError`` for an unknown one."""
    numbered: dict[str, list[Clause]] = {}
    for key in keys:
        numbered.setdefault(CLAUSE_TEXTS[key].clause, []).append(CLAUSE_TEXTS[key])
    return [
        Clause(
            rows[0].key,
            number,
            BETWEEN_TITLES.join(str(row.title) for row in rows),
            passage(row.text for row in rows),
        )
        for number, rows in numbered.items()
    ]

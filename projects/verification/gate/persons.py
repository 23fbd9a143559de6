"""Whose each row of source and result is, so that every check counts persons; the question where nobody said.

The run wrote down whose the rows of its result are, from the source's key and through whatever removed or changed rows; the key
is read anew from the source here. Nothing is guessed: where it is not known whose rows they are, what needs it cannot run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from techniques.core.attributes import AttributeRole
from techniques.core.messages import EngineError, gettext_noop
from techniques.core.subjects import persons
from techniques.identification.subjects import subject_hints

if TYPE_CHECKING:
    from techniques.core.subjects import Subjects

    from .case import Case


@dataclass(frozen=True)
class RowsOfPersons:
    """Whose each row is, by the key of the source: codes (n,) of the ``result``, None where one row is one person."""

    case: Case
    result: Subjects | None

    @cached_property
    def source(self) -> Subjects | None:
        """The same of the source."""
        return None if self.result is None else self.case.source.subjects(self.case.person_key or ())

    @property
    def persons(self) -> int:
        """How many the source has."""
        return 0 if self.source is None else persons(self.source)[1]


def rows_of_persons(case: Case) -> RowsOfPersons:
    """Whose the rows are. EngineError ``verification.nobody_said`` where nobody has said so of a table that looks like
    several rows of a person, ``verification.subjects_unknown`` where the run did not write it down."""
    if case.person_key is None:
        _ask(case)
    if not case.person_key:
        return RowsOfPersons(case, None)
    found = case.subjects()
    if found is None or len(found) != case.result.rows:
        text = gettext_noop(
            "It is not known whose the rows of the result are, so persons cannot be counted. Run the recipe again."
        )
        raise EngineError("verification.subjects_unknown", text)
    return RowsOfPersons(case, np.asarray(found))


def _ask(case: Case) -> None:
    """Look at the columns of the source that can be a key of persons."""
    likely = [
        column
        for column in case.source.columns()
        if case.roles.get(column) in (None, AttributeRole.DIRECT_IDENTIFIER)
    ]
    about = [name for name in case.source.columns() if case.roles.get(name) == AttributeRole.QUASI_IDENTIFIER]
    held = case.source.encoded([*likely, *about]) if likely else {}
    hints = subject_hints({name: held[name] for name in likely}, held)
    if hints:
        text = gettext_noop(
            "Whose rows are they? By %(columns)s the source looks like several rows of one person, and nobody has said so "
            "or otherwise, so classes of rows say nothing of persons. Go back to identification and say whose rows they are."
        )
        raise EngineError("verification.nobody_said", text, columns=", ".join(hints[0].columns))

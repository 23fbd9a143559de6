"""What a look-up asks, and which look-ups there were. Who knows of releases says how they are found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from approvals.governance.person import Person
from approvals.request_cache import cached_read
from projects.core.models import Project
from projects.datasets.tables.selectors import datasets_now

from ...models import RegisterLookup
from ...selectors import objective_of
from .content import FoundRelease, Question


@dataclass(frozen=True)
class RegisterQuestion:
    """The question, with what the portal has of the project's data: hashes and columns of its files, and its privacy notice."""

    question: Question
    columns: Sequence[str]
    files: frozenset[str]
    notice: str


Finder = Callable[[Person, Project, RegisterQuestion], list[FoundRelease]]
_finders: list[Finder] = []


def finds_releases(finder: Finder) -> Finder:
    """Register who finds earlier releases: a later stage, which this one does not import."""
    _finders.append(finder)
    return finder


def releases_found(user: Person, project: Project, question: Question) -> list[FoundRelease]:
    """The releases of other projects that may be about the same persons, as ``user`` may know them."""
    files = [dataset for _table, dataset in datasets_now(project) if dataset is not None]
    objective = objective_of(project)
    asked = RegisterQuestion(
        question=question,
        columns=list(dict.fromkeys([*question.columns, *(name for one in files for name in one.columns)])),
        files=frozenset(one.sha256 for one in files),
        notice=objective.notice.sha256 if objective is not None and objective.notice is not None else "",
    )
    return [one for finder in _finders for one in finder(user, project, asked)]


@cached_read
def last_lookup(project: Project) -> RegisterLookup | None:
    """The newest look-up; None where the register was never asked."""
    return RegisterLookup.objects.filter(project=project).select_related("looked_up_by").first()


def question_suggested(project: Project) -> Question:
    """What was asked last; before that, what the portal knows of the data."""
    last = last_lookup(project)
    if last is not None:
        return last.question
    files = [dataset for _table, dataset in datasets_now(project) if dataset is not None]
    return Question(columns=list(dict.fromkeys(name for one in files for name in one.columns)))

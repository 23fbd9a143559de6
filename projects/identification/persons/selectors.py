"""Reading what speaks for several rows a person, what was counted, and what the declared links say of a table.

What was decided is read with the verdicts, in :mod:`projects.identification.selectors`.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from approvals.request_cache import cached_read
from projects.datasets.models import Table
from projects.datasets.tables.selectors import links_of

from ..models import IdentificationRound, PersonCount, PersonKey
from .counts import Counted

Key = tuple[str, ...]


@dataclass(frozen=True)
class Candidate:
    """A key that can be chosen once it was ``counted``. ``found``: the scan has counted by it, because it looks like a
    key of persons; ``link``: a declared link between tables says that it is one."""

    columns: Key
    counted: Counted | None
    found: bool = False
    link: str = ""

    @property
    def is_sign(self) -> bool:
        """Whether it speaks for several rows of a person."""
        return bool(self.counted and self.counted.repeats and (self.found or self.link))


def links_of_persons(table: Table, *, of_person: bool = True) -> dict[Key, str]:
    """The columns of ``table`` whose values stand for persons by a declared link, or do not → the link in words."""
    return {
        (column,): str(link)
        for link in links_of(table.project)
        if link.of_person == of_person
        for of, column in ((link.source, link.source_column), (link.target, link.target_column))
        if of == table
    }


def was_looked_for(round_: IdentificationRound) -> bool:
    """Whether the scan has looked for several rows of a person; scans of before have not."""
    return "persons" in round_.report


def candidates_of(round_: IdentificationRound) -> list[Candidate]:
    """Every key that can be chosen in the light of a round: those that the scan found, the likeliest first, those that
    link tables, and those that somebody had counted."""
    return _candidates(round_, _counted(round_.project_id).get(round_.pk, []))


@cached_read
def _counted(project_id: uuid.UUID) -> dict[uuid.UUID, list[Counted]]:
    """Round → what somebody had counted of it; a page asks for each table of a project."""
    counted: dict[uuid.UUID, list[Counted]] = {}
    for one in PersonCount.objects.filter(round__project=project_id):
        counted.setdefault(one.round_id, []).append(Counted.from_json(one.counted))
    return counted


def signs_of(round_: IdentificationRound) -> list[Candidate]:
    """Those of them that the scan or a link speaks for; what somebody had counted is asked for where it tells of a link."""
    return candidates_of(round_) if links_of_persons(round_.dataset.table) else _candidates(round_, [])


def _candidates(round_: IdentificationRound, asked: list[Counted]) -> list[Candidate]:
    found = [Counted.from_json(one) for one in round_.report.get("persons", ())]
    counted = {one.columns: one for one in (*asked, *found)}
    links = links_of_persons(round_.dataset.table)
    # What the scan has counted because a link names it speaks for nothing by itself.
    scanned = {one.columns for one in found if one.kind}
    keys = dict.fromkeys([*(one.columns for one in found), *links, *(one.columns for one in asked)])
    return [Candidate(key, counted.get(key), key in scanned, links.get(key, "")) for key in keys]


def earlier_person_key(round_: IdentificationRound) -> PersonKey | None:
    """The last decision from before ``round_`` about the same table, to be proposed again; never taken over silently."""
    if round_.number == 1:
        return None
    earlier = PersonKey.objects.filter(
        project_id=round_.project_id,
        superseded_at=None,
        round__number__lt=round_.number,
        dataset__table=round_.dataset.table_id,
    )
    return earlier.select_related("decided_by").order_by("-round__number").first()

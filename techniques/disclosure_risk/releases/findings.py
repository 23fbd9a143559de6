"""What is found of releases held together: figures of persons, rows and groups, never a value of one."""

from __future__ import annotations

from techniques.core.settings import Frozen

LONGEST = 3
"""Rows of a person that are looked at in a row, at most."""


class Inference(Frozen):
    """Of how many persons only one value of a sensitive attribute is left (``certain``), how many of them no release alone
    tells (``new``), and the greatest share of one value among somebody's candidates."""

    certain: int
    new: int
    share: float


class Composed(Frozen):
    """What who holds ``releases`` is left with: ``k`` candidates at least among the ``persons`` that all releases fit, and ``alone``
    of these with the one release that leaves them fewest; ``below``
    persons have fewer than was asked for, ``new`` of them enough in each release alone. ``by``: the columns by which rows of
    the releases are recognised beside the quasi-identifiers; for ``unlinked`` persons nothing in these agrees."""

    releases: tuple[str, ...]
    persons: int
    k: int
    alone: int
    below: int
    new: int
    by: tuple[str, ...] = ()
    unlinked: int = 0
    sensitive: dict[str, Inference] = {}


class Dimensions(Frozen):
    """How many quasi-identifiers the release that has most of them has ``alone``, and all ``together`` (D.2). Where they are many and
    nearly all of what singles somebody out is known by ``few`` of them, ``share`` is what these tell of it and ``all`` what all do."""

    alone: int
    together: int
    few: int = 0
    share: float = 0.0
    all: float = 0.0


class Joined(Frozen):
    """What who holds ``releases`` learns by joining their rows by the pseudonyms of ``key``, called as in the first.

    Each release has the persons of ``held``; ``persons`` of the first have a pseudonym that all others have too. Of these, ``k`` at
    least are alike in all that the joined rows say, ``single`` alike to nobody, and in the one release where they are least hidden
    ``alone`` are alike at least; ``below`` have fewer like them than was asked for, ``new`` of them enough in each release."""

    releases: tuple[str, ...]
    key: tuple[str, ...]
    held: tuple[int, ...]
    dimensions: Dimensions
    persons: int = 0
    k: int = 0
    alone: int = 0
    below: int = 0
    new: int = 0
    single: int = 0
    sensitive: dict[str, Inference] = {}


class Increment(Frozen):
    """Rows that both releases have (``kept``), only the earlier (``gone``) and only the later (``new``).

    Units are persons where they are known, rows elsewhere: ``k_new`` of the smallest class among the new rows alone, ``k_all`` of
    the smallest class that a new row falls into among all rows of the later release; 0 where nothing is new. ``below`` new
    units have fewer than ``k`` like them in all rows, ``below_new`` among the new alone. ``outside``: column → new units whose
    number lies beyond all numbers of the earlier release.
    """

    k: int
    kept: int
    gone: int
    new: int
    k_new: int
    k_all: int
    below: int
    below_new: int
    outside: dict[str, int]

    @property
    def consistent(self) -> float:
        """The share of the earlier rows that read as they did; 1 where there were none."""
        return self.kept / (self.kept + self.gone) if self.kept + self.gone else 1.0


class Course(Frozen):
    """Rows of a person that follow each other: of the ``persons`` who have ``length`` or more, ``unique`` have such a stretch that
    nobody else has, ``below`` one that fewer than were asked for have; ``k`` persons at least share each stretch."""

    length: int
    persons: int
    unique: int
    below: int
    k: int


class Shared(Frozen):
    """Classes of the release ``classes`` counted by the key ``column`` of ``release``, such as a family or a device, those who share
    it with at least k persons and those without one by themselves: ``k`` at least, and ``new`` persons are in classes that are large enough by persons and not so counted."""

    release: str
    column: str
    classes: str
    k: int
    new: int


class DateInference(Frozen):
    """The date ``hidden``, which no release tells to the day, is ``least`` to ``most`` days from the date ``column``, which ``release``
    tells, in ``share`` of the ``rows`` of the source that have both; negative days are before it."""

    hidden: str
    release: str
    column: str
    least: int
    most: int
    share: float
    rows: int


class Linkage(Frozen):
    """``courses`` of the rows of all ``releases`` in order, ``ordered`` whether a column of each puts them in it; ``new`` of the
    ``persons`` have a stretch that fewer than k have, and in no release alone one row (of one release) or stretch (of several)."""

    releases: tuple[str, ...]
    k: int
    persons: int
    most_rows: int
    ordered: bool = True
    courses: tuple[Course, ...] = ()
    new: int = 0
    shared: tuple[Shared, ...] = ()
    inferred: tuple[DateInference, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether persons have several rows and nothing could be looked at: no order, no shared key, no dates."""
        return self.most_rows > 1 and not (self.ordered or self.shared or self.inferred)

    @property
    def harmed(self) -> int:
        """The most persons, or rows with a date, that one of the three tells more of."""
        found = [self.new, *(one.new for one in self.shared), *(one.rows for one in self.inferred)]
        return max(found)

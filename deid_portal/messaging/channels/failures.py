"""What can go wrong on the way out."""

from __future__ import annotations

from ..enums import Problem


class Failure(Exception):
    """A message did not go out. ``is_over``: trying again would end the same; ``is_of_all``: so would any other by this way now."""

    problem: Problem
    is_over = False
    is_of_all = False


class Unreachable(Failure):
    problem = Problem.UNREACHABLE
    is_of_all = True


class Busy(Failure):
    problem = Problem.BUSY


class Refused(Failure):
    problem = Problem.REFUSED
    is_over = True


class ForbiddenHost(Failure):
    problem = Problem.HOST
    is_over = True


class Sealed(Failure):
    problem = Problem.KEY
    is_over = True

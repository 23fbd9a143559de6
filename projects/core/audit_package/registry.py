"""What others put into an audit package: the packages that hold it register it here.

The texts whose hashes people have signed, each the canonical JSON that was hashed, so that its SHA-256 is what reviews and
signatures name::

    @signed_texts("plan")
    def plans(project) -> Iterator[str]: ...

and the files that people brought as evidence::

    @encloses
    def scans(project) -> Iterator[Enclosure]: ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ..models import Project


@dataclass(frozen=True)
class Enclosure:
    """A file of a package, known by ``key`` among all. ``name`` says nothing of a person; ``read`` gives the bytes, from the beginning each time, and raises
    ``EngineError``, ``SealBroken`` or ``OSError`` where they are not those of ``sha256`` any more."""

    key: str
    name: str
    sha256: str
    read: Callable[[], Iterable[bytes]]


Texts = Callable[[Project], Iterable[str]]
Enclosures = Callable[[Project], Iterable[Enclosure]]
_texts: dict[str, Texts] = {}
_enclosures: list[Enclosures] = []


def signed_texts(name: str) -> Callable[[Texts], Texts]:
    """Register who has the texts that ``name``, in lower case, stands for in the names of files."""

    def register(function: Texts) -> Texts:
        _texts[name] = function
        return function

    return register


def encloses(function: Enclosures) -> Enclosures:
    _enclosures.append(function)
    return function


def texts_of(project: Project) -> Iterator[tuple[str, str]]:
    """Each name with a text of it."""
    for name, function in _texts.items():
        for text in function(project):
            yield name, text


def enclosures_of(project: Project) -> Iterator[Enclosure]:
    for function in _enclosures:
        yield from function(project)

"""Who carries a project out: its planning manager names the organisation, and who looks into the project reads it."""

from ..language import Table, acts, reads
from .core import MANAGE


def _party(world):
    return {"party": str(world.party.pk)}


TABLE: Table = {
    "organisation:executing": {"POST": acts(*MANAGE, body=_party)},
    "api:executing-party": {"GET": reads(), "POST": acts(*MANAGE, body=_party)},
}

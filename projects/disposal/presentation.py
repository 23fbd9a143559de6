"""A disposal as rows: its page, its certificate and its API share them."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from projects.core.models import Project
from projects.core.numbers import beside, count, moment
from projects.datasets.store.holdings import DATA, HeldKind, held_label
from projects.datasets.store.store import ciphertext_size
from projects.vault.purposes import purpose_text
from projects.workflow import TERMINAL, State

from .models import Disposal
from .terms import Terms, terms_now

_KINDS = {
    HeldKind.SOURCE: gettext_lazy("source files"),
    HeldKind.WORKSPACE: gettext_lazy("working copies and previews"),
    HeldKind.RESULT: gettext_lazy("results"),
    HeldKind.AUXILIARY: gettext_lazy("keys, mapping tables and reversals"),
}


def kinds_text(kind: str) -> str:
    """All that is of a kind, in words."""
    return str(_KINDS[HeldKind(kind)])


@dataclass(frozen=True)
class FileRow:
    """One file: what it is, and what of it was or is on the disk, in words."""

    kind: str
    what: str
    name: str
    size: str
    sha256: str
    disk: str


def file_rows(content: dict[str, Any]) -> list[FileRow]:
    """What lies there or was proposed, with what is on the disk now."""
    return [_row(one, _now(one["id"])) for one in content["files"]]


def measured_rows(disposal: Disposal) -> list[FileRow]:
    """What was destroyed, with what was measured: the disk before the act and after it."""
    before, after = disposal.measured.get("before", {}), disposal.measured.get("after")
    return [_row(one, _measured(one["id"], before, after)) for one in disposal.files]


def _row(one: dict[str, Any], disk: str) -> FileRow:
    return FileRow(
        kind=str(HeldKind(one["kind"]).label),
        what=held_label(one["code"]),
        name=one["name"].strip(),
        size=filesizeformat(one["size"]),
        sha256=one["sha256"],
        disk=disk,
    )


def _now(file_id: str) -> str:
    size = ciphertext_size(uuid.UUID(file_id))
    return _on_disk(size)


def _on_disk(size: int | None) -> str:
    if size is None:
        return _("not on the disk")
    return ngettext("%(n)s byte encrypted", "%(n)s bytes encrypted", size) % {"n": count(size)}


def _measured(file_id: str, before: dict[str, int | None], after: dict[str, bool] | None) -> str:
    was = _on_disk(before.get(file_id))
    there = after[file_id] if after else ciphertext_size(uuid.UUID(file_id)) is not None
    now = _("still there") if there else _("gone")
    return _("before: %(before)s; after: %(after)s") % {"before": was, "after": now}


def key_rows(content: dict[str, Any]) -> list[str]:
    return [purpose_text(one["purpose"]) for one in content["keys"]]


def term_rows(project: Project, content: dict[str, Any]) -> list[tuple[str, str]]:
    """Of each kind how much lies there, and until when it is kept by the organisation's terms."""
    terms, ended = terms_now(), State(project.state) in TERMINAL
    return [(kinds_text(kind).capitalize(), _term(terms, project, kind, content, ended)) for kind in DATA]


def _term(terms: Terms, project: Project, kind: HeldKind, content: dict[str, Any], ended: bool) -> str:
    files = sum(one["kind"] == kind for one in content["files"])
    there = ngettext("%(n)s file", "%(n)s files", files) % {"n": count(files)}
    if kind == HeldKind.AUXILIARY:
        keys = len(content["keys"])
        there = _(", ").join([there, ngettext("%(n)s key", "%(n)s keys", keys) % {"n": count(keys)}])
    days = terms.days.get(kind.value)
    if days is None:
        return beside(there, _("no term was decided"))
    after = ngettext("%(n)s day after the end", "%(n)s days after the end", days) % {"n": count(days)}
    over = terms.over_on(project, kind) if ended else None
    if over is None:
        return beside(there, after)
    said = _("over since %(day)s") if over <= timezone.localdate() else _("over on %(day)s")
    return beside(there, f"{after} · {said % {'day': over.isoformat()}}")


def staying(counted: dict[str, int]) -> list[tuple[str, str]]:
    """What of the project is evidence and stays, with how much there was of it when it was ``counted``."""
    rows = [
        (_("Events of the audit log"), count(counted["events"])),
        (_("Documents"), count(counted["documents"])),
        (_("Reviews"), count(counted["reviews"])),
        (_("Signatures of senior management"), count(counted["signatures"])),
        (_("Signed agreements and privacy notices, as files"), count(counted["scans"])),
    ]
    what = _("name, size and SHA-256 of its content, and what was measured of it")
    return [*rows, (_("Of every file that is destroyed"), what)]


def copy_rows(copies: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Who fetched a copy, and what they have stated of it."""
    return [(f"{one['recipient']} · {one['file']}", _stated(one)) for one in copies]


def _stated(one: dict[str, Any]) -> str:
    fetched = _("fetched %(at)s") % {"at": moment(datetime.fromisoformat(one["fetched"]))}
    if one["stated"] is None:
        return _("%(fetched)s; destruction not confirmed") % {"fetched": fetched}
    facts = {"fetched": fetched, "at": moment(datetime.fromisoformat(one["stated"])), "how": one["how"]}
    return _("%(fetched)s; destruction confirmed %(at)s: %(how)s") % facts


def copies_text(copies: list[dict[str, Any]]) -> str:
    """How many have confirmed that theirs is destroyed."""
    if not copies:
        return _("No recipient fetched a copy.")
    missing = [one["recipient"] for one in copies if one["stated"] is None]
    if not missing:
        return _("Every recipient who fetched a copy has confirmed that it is destroyed.")
    return _("Not confirmed that their copy is destroyed: %(people)s.") % {
        "people": _(", ").join(dict.fromkeys(missing))
    }

"""Checking an audit package where there is no portal: nothing is needed but the file, and the exported log for one question more."""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import IO, Any, BinaryIO

from django.db import models
from django.utils.translation import gettext_lazy as _

from approvals.audit.chain import link, row_seal
from approvals.audit.verify import verify_lines
from approvals.decisions.events import RECORDS_REVIEWED, REVIEW_RECORDED, SIGNATURE_GIVEN, SIGNOFF_DECIDED
from approvals.documents.events import DOCUMENT_CREATED
from techniques.core.messages import filled

from .decisions import Decisions
from .layout import ABOUT, CONTENTS, DECISIONS, FORMAT, ROWS, SUMS

# What comes of bytes that are no ZIP file, were damaged, encrypted or packed in a way that is not known, and of texts of another shape.
_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
)


class Fault(models.TextChoices):
    """What can be wrong with a package."""

    NO_PACKAGE = "no_package", _("This file is no audit package that can be read: %(why)s")
    ALTERED = "altered", _("%(name)s was altered: it no longer has the SHA-256 in SHA256SUMS.")
    MISSING = "missing", _("%(name)s is in SHA256SUMS and not in the file.")
    ADDED = "added", _("%(name)s is in the file and not in SHA256SUMS.")
    ROW = "row", _("Row %(seq)s of the log was altered: its content no longer gives its hash.")
    FORGED = "forged", _("Row %(seq)s of the log has no seal of this portal.")
    ORDER = "order", _("Row %(seq)s of the log does not follow the row before it.")
    UNTOLD = "untold", _("No row of the log says that %(name)s was made.")
    LACKING = (
        "lacking",
        _("Row %(seq)s of the log says that document %(number)s was made, and it is not here."),
    )
    UNDECIDED = "undecided", _("No decision is about %(name)s.")
    DECISION = (
        "decision",
        _("No row of the log tells of the decision of %(name)s at %(time)s as it stands here."),
    )
    LOG = "log", _("The exported log is not sound: %(finding)s")
    ELSEWHERE = "elsewhere", _("Row %(seq)s is not that of the exported log.")


@dataclass
class Checked:
    """The outcome: how many files, rows and documents were checked, and what is wrong, in words; ``lost`` is what the portal itself
    could no longer read when the package was taken."""

    files: int = 0
    rows: int = 0
    documents: int = 0
    faults: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    def add(self, fault: Fault, **params: Any) -> None:
        self.faults.append(filled(str(fault.label), params))


def package_check(source: BinaryIO, *, log: Iterable[str] | None = None, key: str = "") -> Checked:
    """Whether the package is whole, and its rows, documents and decisions belong together. With ``log``, the lines of the exported
    chain, whether its rows stand there; with the master ``key`` whether the portal sealed them."""
    checked = Checked()
    try:
        with zipfile.ZipFile(source) as archive:
            _files_check(archive, checked)
            about = json.loads(archive.read(ABOUT))
            if about["format"] != FORMAT:
                raise ValueError(f"format {about['format']}")
            checked.lost = [str(one["file"]) for one in about["lost"]]
            with archive.open(ROWS) as lines:
                rows = [json.loads(line) for line in lines]
            _rows_check(rows, checked, key=key)
            _documents_check(about, rows, checked)
            decisions = json.loads(archive.read(DECISIONS))
            _contents_check(archive, decisions, checked)
            _decisions_check(decisions, rows, checked)
    except _UNREADABLE as error:
        checked.add(Fault.NO_PACKAGE, why=f"{type(error).__name__}: {error}")
        return checked
    if log is not None:
        _log_check(rows, log, checked, key=key)
    return checked


def _files_check(archive: zipfile.ZipFile, checked: Checked) -> None:
    sums = {}
    for line in archive.read(SUMS).decode().splitlines():
        digest, name = line.split("  ", 1)
        sums[name] = digest
    names = [name for name in archive.namelist() if name != SUMS]
    for name in sums.keys() - {*names}:
        checked.add(Fault.MISSING, name=name)
    for name in names:
        if name not in sums or names.count(name) > 1:
            checked.add(Fault.ADDED, name=name)
            continue
        checked.files += 1
        with archive.open(name) as stream:
            if _sha256(stream) != sums[name]:
                checked.add(Fault.ALTERED, name=name)


def _rows_check(rows: list[dict[str, Any]], checked: Checked, *, key: str) -> None:
    checked.rows = len(rows)
    before: dict[str, Any] | None = None
    for row in rows:
        if link(row["previous_hash"], row) != row["hash"]:
            checked.add(Fault.ROW, seq=row["seq"])
        elif key and row["seal"] != row_seal(key, row["seq"], row["hash"]):
            checked.add(Fault.FORGED, seq=row["seq"])
        if before is not None and not _follows(row, before):
            checked.add(Fault.ORDER, seq=row["seq"])
        before = row


def _follows(row: dict[str, Any], before: dict[str, Any]) -> bool:
    """Rows about other projects may stand between the two."""
    if row["seq"] == before["seq"] + 1:
        return bool(row["previous_hash"] == before["hash"])
    return bool(row["seq"] > before["seq"])


def _documents_check(about: dict[str, Any], rows: list[dict[str, Any]], checked: Checked) -> None:
    """Each document's SHA-256 is in the row that tells of its making, and each such document is here or said to be lost."""
    checked.documents = len(about["documents"])
    made = {row["subject_id"]: row for row in rows if row["action"] == DOCUMENT_CREATED}
    for document in about["documents"]:
        row = made.pop(document["id"], None)
        if row is None or row["subject_hash"] != document["sha256"]:
            checked.add(Fault.UNTOLD, name=document["file"])
    for lost in about["lost"]:
        made.pop(lost["id"], None)
    for row in made.values():
        checked.add(Fault.LACKING, seq=row["seq"], number=row["subject"])


def _contents_check(archive: zipfile.ZipFile, decisions: Decisions, checked: Checked) -> None:
    """What was signed: the SHA-256 of each file is in a decision."""
    decided = {one["subject"]["hash"] for kind in decisions.values() for one in kind}
    for name in archive.namelist():
        if name.startswith(CONTENTS):
            with archive.open(name) as stream:
                if _sha256(stream) not in decided:
                    checked.add(Fault.UNDECIDED, name=name)


def _decisions_check(decisions: Decisions, rows: list[dict[str, Any]], checked: Checked) -> None:
    """Who decided what about which content, and why: each as a row tells it."""
    stated = {_stated(row) for row in rows}
    reviews = [(REVIEW_RECORDED, one) for one in decisions["reviews"]]
    reviews += [(RECORDS_REVIEWED, one) for one in decisions.get("management_reviews", ())]
    for action, one in reviews:
        if (action, one["subject"]["hash"], one["reviewed_by"]["id"], one["outcome"]) not in stated:
            checked.add(Fault.DECISION, name=one["reviewed_by"]["name"], time=one["recorded_at"])
    for one in decisions["sign_offs"]:
        digest, by = one["subject"]["hash"], one["decided_by"]
        if by and (SIGNOFF_DECIDED, digest, by["id"], one["decision"], one["reason"]) not in stated:
            checked.add(Fault.DECISION, name=by["name"], time=one["decided_at"])
        for signature in one["signatures"]:
            by = signature["signed_by"]
            if (SIGNATURE_GIVEN, digest, by["id"], signature["reason"]) not in stated:
                checked.add(Fault.DECISION, name=by["name"], time=signature["signed_at"])


def _stated(row: dict[str, Any]) -> tuple[str, ...]:
    said: tuple[str, ...] = (row["action"], row["subject_hash"], row["actor_id"])
    if row["action"] in (REVIEW_RECORDED, RECORDS_REVIEWED):
        return (*said, row["facts"]["outcome"])
    if row["action"] == SIGNOFF_DECIDED:
        return (*said, row["facts"]["decision"], row["reason"])
    return (*said, row["reason"])


def _log_check(rows: list[dict[str, Any]], log: Iterable[str], checked: Checked, *, key: str) -> None:
    found = verify_lines(log, key=key, wanted=[row["seq"] for row in rows])
    for fault in found.faults:
        checked.add(Fault.LOG, finding=fault)
    for row in rows:
        if found.hashes.get(row["seq"]) != row["hash"]:
            checked.add(Fault.ELSEWHERE, seq=row["seq"])


def _sha256(stream: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while piece := stream.read(1 << 16):
        digest.update(piece)
    return digest.hexdigest()
